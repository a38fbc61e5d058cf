// Ops that no plan can do without.
#pragma once

#include "core/graph/graph.h"

namespace remat {

/// Per op: 1 when every valid plan computes it: it makes an output of the graph, must be computed once because it
/// writes to its inputs or is a collective, or makes what such an op needs. O(graph).
std::vector<char> neededOps(const Graph &graph);

} // namespace remat
