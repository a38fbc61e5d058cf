// SPDX-License-Identifier: Apache-2.0
// From a run of the online policy to the outcome of a planner.
#pragma once

#include "solvers/interface/solver.h"
#include "solvers/online/runtime.h"

#include <functional>

namespace remat::online {

/// The plan that a finished run has made, with its frees where the policy had them or, with `earliest`, as early as
/// possible; or why the run did not finish, as a sentence that names the op, after `who`.
SolveOutcome toOutcome(const std::string &who, const SolveRequest &request, const Runtime &runtime, RunEnd end,
                       bool earliest);

/// Options that all online planners share.
struct RunOptions {
    double thrashLimit = 1;     ///< gives up when recomputation has taken this many times the time of keep-all
    bool earliestFrees = false; ///< frees as early as possible, not when the policy did
    bool neighbours = true;     ///< a run that fails is tried with smaller budgets
};
OptionTable<RunOptions> runOptions();

/// The outcome of `attempt` at the budget of the request. Where there is no plan and `neighbours` are allowed, smaller
/// budgets are tried, in steps of half a percent of the keep-all peak down to the working set, until there is one: over
/// budgets that are such steps no budget fails above one that works, and the message names the budget that did.
SolveOutcome withNeighbours(const SolveRequest &request, const SolveContext &context, bool neighbours,
                            const std::function<SolveOutcome(std::int64_t budgetBytes)> &attempt);

} // namespace remat::online
