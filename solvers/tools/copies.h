// SPDX-License-Identifier: Apache-2.0
// Whether plans may copy to host memory.
#pragma once

#include "solvers/interface/solver.h"

#include <algorithm>

namespace remat {

/// Planners that say so may; those with the option `parameters` may where parameters are planned or updates run on the
/// host. Bounds of plans without offloads say nothing of such plans.
inline bool mayCopy(const Planner &planner, const Graph &graph)
{
    const std::vector<OptionRecord> &options = planner.info.options;
    return planner.info.offloads ||
           ((graph.parametersPlanned ||
             std::any_of(graph.ops.begin(), graph.ops.end(), [](const Op &op) { return op.onHost; })) &&
            std::any_of(options.begin(), options.end(), [](const OptionRecord &o) { return o.name == "parameters"; }));
}

} // namespace remat
