// SPDX-License-Identifier: Apache-2.0
// The forward pass as Kusumoto et al. see it: a node per op, what it makes as the node's memory.
#pragma once

#include "solvers/tools/flat.h"

#include <vector>

namespace remat::kusumoto {

/// Nodes are numbered in graph order. Ops that make only what is kept in any case are left out, as inputs are.
struct ForwardDag {
    std::vector<int> ops;                  ///< per node: the op of the graph
    std::vector<std::vector<int>> reads;   ///< per node: nodes whose results it reads, ascending
    std::vector<std::vector<int>> readers; ///< the other way round
    std::vector<std::int64_t> bytes;       ///< bytes of all that the node makes
    std::vector<int> time;                 ///< in whole units
    std::vector<char> kept; ///< per storage of the graph: tiny, an output of the graph, or may be made only once
    int totalTime = 0;

    int nodes() const { return static_cast<int>(ops.size()); }
};

/// `timeSteps`: units that all ops together take about; times in whole µs that fit into them are taken as they are.
ForwardDag forwardDag(const FlatGraph &flat, int timeSteps);

} // namespace remat::kusumoto
