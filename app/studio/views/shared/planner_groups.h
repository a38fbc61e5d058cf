// SPDX-License-Identifier: Apache-2.0
// Planners in the groups that every list of them shows.
#pragma once

#include "solvers/interface/solver.h"

#include <QString>

#include <vector>

namespace remat::studio {

struct PlannerGroup {
    QString title;
    std::vector<const Planner *> planners;
};

/// All planners, in the order of lists. GUI thread only.
std::vector<PlannerGroup> plannerGroups();

} // namespace remat::studio
