// SPDX-License-Identifier: Apache-2.0
// The recursive decomposition: a chain of clusters, each a chain of smaller clusters, down to blocks.
#pragma once

#include "solvers/blocks/blocks.h"

#include <vector>

namespace remat::hiremate {

/// How many clusters there may be under one.
struct FanOut {
    int least = 5;
    int most = 9;
};

/// The forward and backward parts of some neighbouring clusters as one; equal ones are planned once, by the first.
struct ClusterNode {
    int level = 1;             ///< 1: under the whole graph
    int parent = -1;           ///< the cluster in whose chain it is found; −1: in that of the whole graph
    int block = 0;             ///< its number in that chain
    int uses = 1;              ///< clusters of the graph that it stands for, itself included
    Chain inner;               ///< the chain of its own clusters; empty for a block, which is not cut further
    std::vector<int> children; ///< per block of `inner`: the cluster that stands for it

    bool leaf() const { return inner.blocks.empty(); }
};

struct Hierarchy {
    int levels = 1;                    ///< levels of clusters under the whole graph
    Chain top;                         ///< the chain of the whole graph
    std::vector<int> children;         ///< per block of `top`: the cluster that stands for it
    std::vector<ClusterNode> clusters; ///< distinct ones, parents before their children

    const Chain &chainAround(const ClusterNode &node) const
    {
        return node.parent < 0 ? top : clusters[node.parent].inner;
    }
    const Block &blockOf(const ClusterNode &node) const { return chainAround(node).blocks[node.block]; }
};

/// The most blocks that are one chain, when the depth is left to the program.
constexpr std::size_t kMostAtOnce = 40;

/// The blocks that `blockOfOp` gives (see `makeChain`), grouped `levels` − 1 times into clusters of neighbours, of
/// which as many as possible are alike; 0: one level of at most `kMostAtOnce` blocks, else three, and more for
/// thousands. Ends early when there is nothing left to group. With one level it is the chain of the blocks. O(levels ×
/// graph).
Hierarchy makeHierarchy(const FlatGraph &flat, const std::vector<int> &blockOfOp, std::int64_t keepAllPeakBytes,
                        int levels);

/// How neighbours go together: the group of each, ascending from 0. `looks`: equal for equal neighbours;
/// `crossingBytes`: per position between two of them, `looks.size()` − 1. Of even groups of every allowed size from
/// every start, and of the groups between which the fewest bytes cross, those with the fewest distinct groups; at most
/// a quarter more bytes cross a border than at best. What is left over at the ends may be smaller. O(neighbours ×
/// sizes²).
std::vector<int> groupNeighbours(const std::vector<int> &looks, const std::vector<double> &crossingBytes,
                                 const FanOut &fanOut);

} // namespace remat::hiremate
