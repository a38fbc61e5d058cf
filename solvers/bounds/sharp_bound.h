// SPDX-License-Identifier: Apache-2.0
// All time bounds, those that take a while included.
#pragma once

#include "solvers/bounds/bound_method.h"

#include <functional>

namespace remat {

/// One bound and what it took. Without `bound` it was left out: the graph is too large for it, or time was up.
struct MethodResult {
    const BoundMethod *method = nullptr;
    std::optional<TimeBound> bound;
    double seconds = 0;
    std::int64_t iterations = 0; ///< iterations of the simplex method
};

/// What is proven about plans without offloads in the given order, and the choice at the best cut to start plans from.
struct SharpBound {
    TimeBound best;
    std::vector<MethodResult> all; ///< by rising order of the methods
    /// What one cut keeps and computes again at best, which fits there; `choice.bound` is the closure bound.
    CutClosure choice;
    std::shared_ptr<const KCutRefined> cuts; ///< several cuts, where they belong; may be none
    /// A plan that computes this again takes no more time than any; it may hold more than the budget here and there.
    /// Empty where the method that finds it did not end.
    std::vector<Recompute> recomputes;
    std::int64_t iterations = 0; ///< iterations of the simplex method, all methods together
    bool cutShort = false;       ///< with more iterations there may be a better bound
};

/// Runs every bound there is, quick ones first, and returns what was proven when time is up or the stop is requested:
/// each bound that is cut short gives what it has proven by then. Most of the time that is left goes to each of the
/// slow ones, the first ones first, unless iterations are limited. `found` is told of each better bound, on the calling
/// thread; it may be empty. Blocks: seconds on a thousand ops; call it on a thread of its own beside a planner, or
/// before or after it.
SharpBound sharpBound(const BoundProblem &problem, const std::function<void(const TimeBound &)> &found = {});

} // namespace remat
