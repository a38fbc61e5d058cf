// From a run of the online policy to the outcome of a planner.
#pragma once

#include "solvers/online/runtime.h"
#include "solvers/solver.h"

namespace remat::online {

/// The plan that a finished run has made, with its frees where the policy had them or, with `earliest`, as early as
/// possible; or why the run did not finish, as a sentence that names the op, after `who`.
SolveOutcome toOutcome(const std::string &who, const SolveRequest &request, const Runtime &runtime, RunEnd end,
                       bool earliest);

/// Options that all online planners share.
struct RunOptions {
    double thrashLimit = 1;     ///< gives up when recomputation has taken this many times the time of keep-all
    bool earliestFrees = false; ///< frees as early as possible, not when the policy did
};
OptionTable<RunOptions> runOptions();

} // namespace remat::online
