// SPDX-License-Identifier: Apache-2.0
// Whether plans may copy to host memory.
#pragma once

#include "solvers/tools/has_option.h"

#include <algorithm>

namespace remat {

/// Planners that say so may; those with the option `parameters` may where parameters are planned or updates run on the
/// host. Bounds of plans without offloads say nothing of such plans.
inline bool mayCopy(const Planner &planner, const Graph &graph)
{
    return planner.info.offloads || ((graph.parametersPlanned || std::any_of(graph.ops.begin(), graph.ops.end(),
                                                                             [](const Op &op) { return op.onHost; })) &&
                                     hasOption(planner, "parameters"));
}

} // namespace remat
