// SPDX-License-Identifier: Apache-2.0
// How long a sweep still takes, told from what its planners took so far.
#pragma once

#include <vector>

namespace remat::studio {

/// One planner of a sweep.
struct PlannerPace {
    int left = 0;          ///< budgets that it has not planned yet
    int done = 0;          ///< budgets that it has
    double seconds = 0;    ///< it took for these
    bool usesTime = false; ///< works as long as it may
};

/// Seconds of work that is left, on as many threads as worked together so far: `elapsed` are the seconds since the
/// sweep began. A planner of which nothing is known takes `secondsPerPlan` where it uses its time, and otherwise as
/// long as the others that do not. Negative before anything is done.
double secondsLeft(const std::vector<PlannerPace> &planners, double secondsPerPlan, double elapsed);

} // namespace remat::studio
