// SPDX-License-Identifier: Apache-2.0
// The tree of what the graph view can show: clusters, stacks of identical ones, ops with the backward ops that belong
// to them. Pure data, no widgets.
#pragma once

#include "core/clusters/cluster_tree.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace remat {

enum class NodeKind : std::uint8_t {
    Cluster,
    Stack, ///< the members of a run of identical clusters other than its representative
    Group, ///< small change between clusters: ops in a row that nothing is computed backward for
    Ops    ///< one forward op with its backward ops, or one op alone
};

/// The two columns; a node has a side in each of them where it has ops.
enum class Side : std::uint8_t { Forward, Backward };

/// One row of its parent. It can be opened when it has children.
struct GraphNode {
    NodeKind kind = NodeKind::Cluster;
    std::string title;         ///< as the user wrote it, from the open cluster on: `mlp`, `h.0 – h.10`, `mul 2`
    std::string backwardTitle; ///< `∂ mlp`
    std::string path;          ///< unique; of a cluster its path, of ops the cluster's path, `/` and the op's name
    int parent = -1;
    std::vector<int> children;     ///< nodes from the first computed to the last
    std::vector<OpId> forwardOps;  ///< forward ops of everything below, loss included, graph order
    std::vector<OpId> backwardOps; ///< likewise
    ClusterId cluster;             ///< set for Cluster nodes, and for Ops that stand for a whole cluster
    int copies = 1;                ///< members of a stack; of a cluster that is nothing but one run, its members
    int run = -1;                  ///< the run this node represents
    bool loss = false;             ///< the loss of the model: stands between the columns while it is closed

    const std::vector<OpId> &ops(Side side) const { return side == Side::Forward ? forwardOps : backwardOps; }
    bool expandable() const { return !children.empty(); }
};

/// Identical clusters in a row, of which one is shown and the others are stacked.
struct Run {
    std::string key;                ///< path of the first member: what a choice is remembered under
    std::vector<std::string> paths; ///< paths of the members
    int chosen = 0;
};

/// Which member of a run is shown, by Run::key; the last one when there is no entry.
using RunChoices = std::map<std::string, int>;

/// `nodes[0]` is the root, which has no card of its own: its children are the outermost rows.
struct GraphTree {
    std::vector<GraphNode> nodes;
    std::vector<Run> runs;
    std::vector<int> leafOf;                    ///< per op, the deepest node that holds it
    std::unordered_map<std::string, int> paths; ///< paths of nodes, and of clusters folded into them

    const GraphNode &node(int index) const { return nodes[static_cast<std::size_t>(index)]; }
    /// The node of a path, or -1.
    int find(const std::string &path) const;
    /// From the outermost row down to the node, the root left out.
    std::vector<int> lineage(int node) const;
    /// The child of `ancestor` that holds the op, or -1 when the op is not below it.
    int childHolding(int ancestor, OpId op) const;
};

/// Fewest identical clusters in a row that are stacked, and fewest ops that are grouped.
constexpr std::size_t kShortestRun = 3;

/// Builds the tree: chains of single children are folded into one node, a cluster of one op becomes that op under the
/// cluster's name, runs of identical clusters become a stack and their representative, and ops
/// without a backward side that stand in a row between clusters become one group (masks, positions). O(ops × depth).
GraphTree buildGraphTree(const Graph &graph, const ClusterTree &clusters, const RunChoices &choices = {});

/// What is open at first: whatever holds most of its parent, the representative of a run, and the largest part where
/// there is little to see, as long as the rows fit on a screen. Paths.
std::vector<std::string> firstExpansion(const GraphTree &tree);

} // namespace remat
