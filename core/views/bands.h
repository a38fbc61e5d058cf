// SPDX-License-Identifier: Apache-2.0
// Branches of an open cluster beside each other: which rows stand in one lane, and which lanes in one band.
#pragma once

#include "core/views/row_order.h"

#include <functional>

namespace remat {

/// What must run before what among the children of a node, by their place in GraphNode::children. Also where it runs
/// through ops outside of the node: the members of a list of modules follow each other there.
struct RowFlow {
    std::vector<RowEdge> edges; ///< sorted, distinct; from a later to an earlier child where a module is used again
    std::vector<char> enters;   ///< per child: it starts from what comes into the node, not from another child
};

/// Flow in the forward column; rows that are in the backward column only hang on what they are between there.
/// O(inputs of the node's ops and of those between them × children / 64).
RowFlow rowFlow(const GraphTree &tree, const Graph &graph, int node);

/// What is asked of the layout for branches. Unlike the question for the column, sums of gradients, which tie one
/// branch to the next, are not in it.
OrderQuestion branchQuestion(int rows, const RowFlow &flow);
/// False where each row leads to the next, so that no layout could show branches. O(rows + edges).
bool mayBranch(const OrderQuestion &question);

/// From the top, one of: a row, or branches that stand beside each other.
struct Band {
    int row = -1;                         ///< a child; -1 for branches
    std::vector<std::vector<Band>> lanes; ///< lanes of branches: two or more, from the left
    bool operator==(const Band &) const = default;
};
using Bands = std::vector<Band>;

/// One row below the other.
Bands columnOf(const std::vector<int> &rows);
/// Branches as the layout places them. A row that stands alone in its rank, with no edge past it, parts what is above
/// from what is below; so does a place where several rows are each read by the same several. What hangs together
/// between two such places is a lane, and lanes stand by their mean `x`. What cannot be parted stays a column, in the
/// order of `column`. Ranks that no layout can have, as a broken helper might give, count as not given. O(nesting ×
/// (rows + edges) × log rows).
Bands bandsOf(const std::vector<int> &column, const RowFlow &flow, const std::vector<RowRank> &ranks);
bool hasBranches(const Bands &bands);

/// All rows: what is above comes first, then lane by lane.
std::vector<int> rowsOf(const Bands &bands);
/// Without the rows that are not `shown`. Of branches of which one is left, its rows remain.
Bands withOnly(const Bands &bands, const std::function<bool(int row)> &shown);
/// Where branches are wider than `widest`, those inside them become columns first, then they themselves. `width` is of
/// a row in a lane, `gap` between two lanes, in the same unit.
Bands noWiderThan(double widest, const Bands &bands, const std::function<double(int row)> &width, double gap);
/// The widest of the bands; rows outside of lanes count nothing.
double widthOf(const Bands &bands, const std::function<double(int row)> &width, double gap);

} // namespace remat
