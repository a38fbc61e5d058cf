// SPDX-License-Identifier: Apache-2.0
// In which order the nodes of a graph stand once a region runs piece by piece.
#pragma once

#include "core/chunk/region.h"

#include <vector>

namespace remat {

/// Nodes that run together: one node outside the region, or those of the region that run piece by piece without waiting
/// for anything outside that a whole result of the region is needed for. Nodes in the order of the program.
struct NodeGroup {
    bool inPieces = false;
    std::vector<NodeId> nodes;
};

/// All nodes of the program in a valid order: that of the program, but for what must stand after a group in pieces. A
/// head with its loss is one group; an MLP is two, its forward and its backward half, in which all runs that only the
/// backward pass needs. Fails where a node that writes to
/// an input stands amid a group. O(nodes log nodes + edges).
Expected<std::vector<NodeGroup>> groupsInOrder(const Program &program, const ValueUses &uses,
                                               const RegionNodes &region);

} // namespace remat
