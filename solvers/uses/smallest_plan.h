// SPDX-License-Identifier: Apache-2.0
// The smallest plan that a planner finds, where none fits the budget.
#pragma once

#include "solvers/interface/solver.h"

#include <string>

namespace remat {

/// A plan for less memory than any other that was found, or why there is none.
struct SmallestPlan {
    SolveOutcome outcome; ///< its plan, if any, has the budget that it was found for
    std::string sentence; ///< names that budget; empty without a plan
};

/// Halves what lies between the smallest peak that `missed`, the outcome for the request's budget, names and the
/// keep-all peak, until the two are 1 % apart, two solves in turn came no lower, or the deadline of the context has
/// passed; keep-all where nothing else is found. A solve has 5 ms for each op, but 2 s at most. What solves that missed
/// have reached, and the start of the request, are upper ends, and later solves start from them. Fails where planning
/// does; an early stop of the context gives the smallest until then. Blocks; call it on a worker thread.
Expected<SmallestPlan> smallestPlan(const Planner &planner, const SolveRequest &request, const SolveContext &context,
                                    const SolveOutcome &missed, std::int64_t keepAllPeakBytes);

} // namespace remat
