// SPDX-License-Identifier: Apache-2.0
// A graph taken apart again and again by balanced separators.
#pragma once

#include "solvers/treewidth/tree_decomposition.h"

#include <cstdint>
#include <vector>

namespace remat::separators {

/// A part of the graph: its separator, and the regions that taking it out leaves.
struct Region {
    int parent = -1;
    int begin = 0, end = 0;  ///< it and all regions inside it are the numbers begin … end − 1; its own is begin
    std::int64_t weight = 0; ///< weight of its nodes, those of its separator and of the regions inside included
};

/// Nodes that stand in an edge lie in regions one of which is inside the other, or in the same.
struct Dissection {
    std::vector<Region> regions;   ///< a region before those inside it
    std::vector<int> regionOfNode; ///< the region whose separator has the node; inside a region with no separator of
                                   ///< its own, that region

    /// Neither is inside the other.
    bool apart(int a, int b) const { return regions[a].end <= regions[b].begin || regions[b].end <= regions[a].begin; }
};

/// Separates regions until they weigh at most `leafWeight` or are a single bag. The separator of a region is the bag
/// whose removal leaves parts of the smallest greatest weight: at most half of the region each. The lightest parts, up
/// to `leafWeight` together, stay with the separator. O(n log n × width).
Dissection dissect(const TreeDecomposition &tree, const std::vector<std::int64_t> &weights, std::int64_t leafWeight);

} // namespace remat::separators
