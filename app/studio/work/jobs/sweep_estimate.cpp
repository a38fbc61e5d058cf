// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/sweep_estimate.h"

#include <algorithm>

namespace remat::studio {

double secondsLeft(const std::vector<PlannerPace> &planners, double secondsPerPlan, double elapsed)
{
    int done = 0, quickDone = 0;
    double worked = 0, quickWorked = 0;
    for (const PlannerPace &planner : planners) {
        done += planner.done;
        worked += planner.seconds;
        if (planner.usesTime) continue;
        quickDone += planner.done;
        quickWorked += planner.seconds;
    }
    if (done == 0) return -1;
    const double quick = quickDone > 0 ? quickWorked / quickDone : 0;
    double left = 0;
    for (const PlannerPace &planner : planners) {
        const double each = planner.done > 0   ? planner.seconds / planner.done
                            : planner.usesTime ? secondsPerPlan
                                               : quick;
        left += planner.left * each;
    }
    return left / std::max(1.0, elapsed > 0 ? worked / elapsed : 1.0);
}

} // namespace remat::studio
