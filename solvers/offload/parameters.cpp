// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/parameters.h"

namespace remat::offload {

Graph withResidentParameters(Graph graph)
{
    for (Storage &storage : graph.storages)
        storage.plannedParameter = false;
    graph.parametersPlanned = false;
    return graph;
}

std::int64_t plannedParameterBytes(const Graph &graph)
{
    std::int64_t bytes = 0;
    for (const Storage &storage : graph.storages)
        bytes += storage.plannedParameter ? storage.bytes : 0;
    return bytes;
}

} // namespace remat::offload
