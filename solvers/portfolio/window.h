// A few neighbouring slots of a plan, solved exactly.
#pragma once

#include "core/base/stop_token.h"
#include "solvers/tools/flat.h"

#include <limits>
#include <optional>

namespace remat::portfolio {

struct WindowSettings {
    std::int64_t budgetBytes = 0;
    int first = 0, last = 0; ///< slots, both included
    /// Of the simplex method: see ilp::Limits.
    std::int64_t iterations = std::numeric_limits<std::int64_t>::max();
    const StopToken *stop = nullptr;
    Deadline deadline;
    int seed = 0;
};

struct WindowResult {
    std::optional<std::vector<Recompute>> better; ///< sorted, tidy
    bool proven = false;                          ///< there is nothing better than `better`, or than what there was
};

/// A better set of recomputations than `set`, which must be sorted and fit, among those that differ from it in the
/// slots of the window only: large-neighbourhood search with the fine slots of checkmate/model.h as the neighbourhood
/// (Shaw, CP 1998). Before the window, copies are held on to it where that fits; after it, what the rest of the plan
/// reads is there. Ops are computed again in the window when the plan computes them again somewhere, or when they made
/// something large that is of use in it.
WindowResult solveWindow(const FlatGraph &flat, const std::vector<Recompute> &set, const WindowSettings &settings);

/// First computations at which the plan holds `share` of the budget or more, ascending.
std::vector<int> tightSlots(const FlatGraph &flat, const std::vector<Recompute> &set, std::int64_t budgetBytes,
                            double share);

} // namespace remat::portfolio
