// SPDX-License-Identifier: Apache-2.0
// Where everything stands: cards, frames and edges of what is open, in two columns.
#pragma once

#include "core/views/bands.h"

#include <QRectF>

#include <array>
#include <functional>
#include <string>
#include <unordered_map>

namespace remat::studio {

/// Sizes of the picture, in logical pixels.
struct PictureMetrics {
    double columnWidth = 402;
    static constexpr double kFullColumn = 402;
    static constexpr double kColumnGap = 46;
    static constexpr double kMargin = 27;
    static constexpr double kClusterHeight = 34, kOpHeight = 26, kLossHeight = 28, kLossWidth = 280;
    static constexpr double kOuterGap = 12, kInnerGap = 8, kInset = 8, kGutter = 12;
    static constexpr double kOuterHeader = 26, kInnerHeader = 24, kHeaderGap = 4;
    static constexpr double kStackEdges = 8;              ///< what a stack shows below its card
    static constexpr double kLaneGap = 16, kBandGap = 24; ///< between branches; between them and what is above or below
    double widestBranches = 860;                          ///< wider ones stand below each other
    static constexpr double kNameLeft = 31, kNameRight = 10, kLaneChevron = 16, kStepper = 18, kStepperText = 56;
    static constexpr double kSwitch = 22; ///< room for the switch of a frame whose branches can be shown both ways

    /// Width of a card's name, in its font; cards beside each other are as wide as their names.
    std::function<double(const std::string &)> nameWidth = [](const std::string &name) {
        return 7.5 * static_cast<double>(name.size());
    };
};

enum class ItemShape : std::uint8_t { OpCard, ClusterCard, StackCard, Frame, LossCard };

/// How a cluster shows its branches.
enum class Branching : std::uint8_t { None, Column, Beside };

/// A card or a frame. Items of a column stand in the order of their rows, what is in a frame right after it.
struct GraphItem {
    int node = 0;
    Side side = Side::Forward;
    ItemShape shape = ItemShape::OpCard;
    int depth = 0;
    int parent = -1; ///< item of the frame around it; -1 outside
    int end = 0;     ///< one past the last item inside
    QRectF rect;
    Branching branching = Branching::None; ///< how the branches of a frame are shown
    bool narrow = false;                   ///< it stands in a lane, or in a frame that does
    int lane = -1;                         ///< lane in the picture; -1 for a row that has no branch beside it

    /// Height of the header of a frame.
    double headerHeight() const { return depth == 0 ? PictureMetrics::kOuterHeader : PictureMetrics::kInnerHeader; }
    /// The card's lower edge, or the lowest of what a stack shows below it.
    double bottom() const { return rect.bottom() + (shape == ItemShape::StackCard ? PictureMetrics::kStackEdges : 0); }
};

enum class EdgeKind : std::uint8_t {
    Step,   ///< to the next row
    Skip,   ///< past rows, in the gutter at the left
    Bundle, ///< `more` skips as one line
    Fork,   ///< between a row and a branch that begins below it
    Join,   ///< between a branch and the row that it ends at
    Beside, ///< to the branch beside
    Around, ///< through gutters, by its corners
    ToLoss, ///< from the forward column to the loss between the columns
    FromLoss,
    Turn ///< from the forward to the backward column where there is no closed loss
};

struct GraphEdge {
    EdgeKind kind = EdgeKind::Step;
    int from = 0, to = 0; ///< items
    int lane = 0;         ///< lane in the gutter, from the right
    int more = 0;
    std::vector<QPointF> corners; ///< corners of an edge that goes Around
};

/// One branch of several: its items stand together, and so do those of all of them.
struct GraphLane {
    int begin = 0, end = 0;         ///< items
    int bandBegin = 0, bandEnd = 0; ///< items of all branches that it is one of
    int outer = -1;                 ///< the lane of the same cluster around it
};

struct GraphPicture {
    std::vector<GraphItem> items; ///< forward column, backward column, loss card
    std::vector<GraphEdge> edges;
    std::vector<GraphLane> lanes;
    std::array<std::vector<int>, 2>
        itemOf; ///< per side and node, the item or -1; a closed loss has the same one on both sides
    QRectF bounds;
    double columnWidth = PictureMetrics::kFullColumn;
    double givenWidth = PictureMetrics::kFullColumn; ///< width of a column without branches
    double widestBranches = PictureMetrics().widestBranches;

    const GraphItem &item(int index) const { return items[static_cast<std::size_t>(index)]; }
    /// Left and right edge of a column.
    double columnLeft(Side side) const { return side == Side::Forward ? 0 : columnWidth + PictureMetrics::kColumnGap; }
    double columnRight(Side side) const { return columnLeft(side) + columnWidth; }
    /// The item of a node, or of the nearest node above it that has one on that side; -1 when there is none.
    int nearestItem(const GraphTree &tree, int node, Side side) const;
    /// The innermost item at a point, or -1.
    int itemAt(QPointF point) const;
};

/// An open node: its rows from the top (nodes), and what flows between its children.
struct OpenCluster {
    std::vector<int> rows;
    RowEdges edges;      ///< by place in GraphNode::children
    Bands branches;      ///< likewise; empty where there are none
    bool beside = false; ///< shows branches beside each other, where there are any
};
using OpenClusters = std::unordered_map<int, OpenCluster>; ///< by node; always holds the root

/// Lays out what is open: every row has the same top in both columns, which get as wide as branches need.
/// O(visible rows and edges).
GraphPicture layOutGraph(const GraphTree &tree, const OpenClusters &open, const PictureMetrics &metrics);

} // namespace remat::studio
