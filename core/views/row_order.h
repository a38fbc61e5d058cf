// SPDX-License-Identifier: Apache-2.0
// The order of rows inside an open cluster, from Graphviz or without it.
#pragma once

#include "core/views/graph_tree.h"

#include <utility>

namespace remat {

/// An edge between two children of a node, by their place in GraphNode::children.
using RowEdge = std::pair<int, int>;

/// What flows between the children of a node, in each column by itself; saved activations are left out, they would tie
/// every forward row to its own backward side.
struct RowEdges {
    std::vector<RowEdge> forward, backward; ///< from the one that makes to the one that reads; sorted, distinct
};
RowEdges rowEdges(const GraphTree &tree, const Graph &graph, int node);

/// What is asked of the layout: forward edges downwards, and backward edges turned round so that they point down too.
/// Free of cycles, since only edges from earlier to later children are in it.
struct OrderQuestion {
    int rows = 0;
    std::vector<RowEdge> edges; ///< first < second
    bool operator==(const OrderQuestion &) const = default;
};
OrderQuestion orderQuestion(int rows, const RowEdges &edges);

/// Where a row stands in the layered layout: its rank from the top, its place in the rank from the left, and its middle
/// in pixels from the left, which compares rows of different ranks (0 without Graphviz).
struct RowRank {
    int rank = 0, order = 0;
    double x = 0;
    bool operator==(const RowRank &) const = default;
};

/// Ranks by longest path from the top: the layout for clusters that Graphviz does not get or cannot do.
std::vector<RowRank> longestPathRanks(const OrderQuestion &question);

/// `dot` mirrors at will: turns the ranks round when more rows of a rank stand against the order of computation than
/// with it.
void unmirror(std::vector<RowRank> &ranks);

/// One row below the other: every edge points down, a branch stays in one piece, branches follow each other as they
/// stand in the ranks from left to right. Returns children by row.
std::vector<int> rowsInOrder(const OrderQuestion &question, const std::vector<RowRank> &ranks);

} // namespace remat
