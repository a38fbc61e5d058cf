// SPDX-License-Identifier: Apache-2.0
// Planned parameters, for planners whose decisions leave them out.
#pragma once

#include "core/graph/graph.h"

namespace remat::offload {

/// The graph that `withPlannedParameters` was given: parameters resident again. O(graph).
Graph withResidentParameters(Graph graph);

/// Bytes of all planned parameters; 0 when they are resident.
std::int64_t plannedParameterBytes(const Graph &graph);

} // namespace remat::offload
