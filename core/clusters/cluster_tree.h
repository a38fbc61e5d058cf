// SPDX-License-Identifier: Apache-2.0
// Hierarchies over the ops of a graph: the module tree people know, and the partition that is solved.
#pragma once

#include "core/graph/graph.h"

namespace remat {

/// A set of ops: forward ops and the backward ops that belong to them.
struct Cluster {
    std::string name;                ///< shown: `h.11`, `block 3`
    std::string path;                ///< full path: `transformer.h.11`; unique in its tree
    ClusterId parent;                ///< none for the root
    std::vector<ClusterId> children; ///< in order of their first forward op
    std::vector<OpId> forwardOps;    ///< ops of this cluster itself, not of its children; forward and loss, graph order
    std::vector<OpId> backwardOps;   ///< likewise, backward
    std::uint64_t structure = 0; ///< equal for clusters of the same structure and sizes (see the functions for times)
    ClusterId representative;    ///< the first cluster with the same structure; itself when it is the first
    int copies = 1;              ///< clusters with this structure under the same parent, itself included
};

/// A tree in one flat vector; `clusters[0]` is the root. Every op is in exactly one cluster's own lists.
struct ClusterTree {
    std::vector<Cluster> clusters;
    std::vector<ClusterId> clusterOf; ///< per op

    const Cluster &cluster(ClusterId id) const { return clusters[id.index()]; }
    ClusterId root() const { return ClusterId(0); }
};

/// All ops of a cluster and of everything below it, in graph order.
std::vector<OpId> allOps(const ClusterTree &tree, ClusterId cluster);

/// The tree of module paths. Ops without a path go to the root; loss ops to a cluster `loss` under the root. Backward
/// ops go to the cluster of their forward op (or of the previous backward op when they have none). Chains of single
/// children are kept as they are: the window decides what to fold. Clusters share `structure` when their own ops do the
/// same with the same sizes, wherever their inputs come from, and their children are alike in turn; times do not count.
ClusterTree moduleTree(const Graph &graph);

/// How the solving partition is cut.
struct PartitionSizes {
    int minOps = 14; ///< fewest non-trivial forward ops of a block
    int maxOps = 30;
};

/// The partition for solving: a chain of blocks (contiguous intervals of the forward order, cut where the fewest bytes
/// cross), each with the backward ops that belong to it. Two levels: root, blocks. Block j of the forward chain is
/// child j of the root, called `block j + 1`. Identical blocks share `structure`: what they do, sizes, what other
/// blocks read, and the times of their ops up to 10 % and 1 µs, so that measured layers are still alike. Among cuts
/// that let at most a quarter more bytes cross than necessary, the one with the fewest distinct blocks is taken.
/// Backward labels never rise along the backward order: each block's backward ops are one contiguous segment. Sizes
/// that cannot be kept are relaxed, the lower one first.
ClusterTree blockPartition(const Graph &graph, const std::vector<double> &timeUs, const PartitionSizes &sizes);

} // namespace remat
