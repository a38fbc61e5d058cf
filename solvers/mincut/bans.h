// SPDX-License-Identifier: Apache-2.0
// The rules by which PyTorch's partitioner forbids recomputing a node.
#pragma once

#include "solvers/mincut/fx_graph.h"

#include <functional>

namespace remat::mincut {

/// Which rules apply; the same as PyTorch's `ban_recompute_…` settings.
struct Bans {
    bool usedFarApart = true;
    bool longFusibleChains = true;
    bool materializedBackward = true;
    bool notInAllowList = true; ///< otherwise: random and compute-intensive operators
    bool reduction = true;
};

/// Whether `to` can be compiled into one kernel with `from`, whose result it reads.
bool canFuse(const FxGraph &graph, int from, int to);

/// The nodes that no recomputation may pass, in the order the rules find them.
std::vector<int> bannedNodes(const FxGraph &graph, const Bans &bans);

} // namespace remat::mincut
