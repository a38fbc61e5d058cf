// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/graph_picture.h"

#include "app/studio/views/graph/picture_columns.h"
#include "app/studio/views/graph/picture_edges.h"

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

using M = PictureMetrics;

/// How far a frame's content is from the column's right edge. The numbers stand in columns of their own, so deep
/// frames move closer together there instead of pushing into them.
double rightInset(int depth)
{
    constexpr double kInsets[] = {0, 8, 16, 18, 20, 21, 22};
    return kInsets[std::min<std::size_t>(static_cast<std::size_t>(depth), std::size(kInsets) - 1)];
}
constexpr double kDeepestInset = 22;

class Layout
{
public:
    Layout(const GraphTree &tree, const OpenClusters &open, const PictureMetrics &metrics)
        : m_tree(tree), m_columns(tree, open, metrics), m_heights(tree.nodes.size(), 0), m_tops(tree.nodes.size(), 0)
    {
        const double needed = m_columns.cluster(0)->needed;
        m_picture.givenWidth = metrics.columnWidth;
        m_picture.widestBranches = metrics.widestBranches;
        m_picture.columnWidth = std::max(metrics.columnWidth, needed > 0 ? std::ceil(needed + kDeepestInset) : 0);
        for (auto &items : m_picture.itemOf)
            items.assign(tree.nodes.size(), -1);
    }

    GraphPicture make()
    {
        measure(0, -1);
        for (const Side side : {Side::Forward, Side::Backward}) {
            const double left = m_picture.columnLeft(side), right = m_picture.columnRight(side) - rightInset(0);
            placeRows(0, side, -1, QRectF(left, 0, right - left, 0), 0, false);
        }
        for (std::size_t i = 0; i < m_picture.items.size(); ++i)
            m_bottom = std::max(m_bottom, m_picture.items[i].bottom());
        placeLoss();
        connectColumns();
        m_picture.bounds = QRectF(0, 0, m_picture.columnRight(Side::Backward), m_bottom);
        return std::move(m_picture);
    }

private:
    int childOf(int node, int place) const { return m_tree.node(node).children[static_cast<std::size_t>(place)]; }

    double measure(int node, int depth)
    {
        double &height = m_heights[static_cast<std::size_t>(node)];
        const PictureCluster *open = m_columns.cluster(node);
        if (!open) {
            height = m_columns.shapeOf(node) == ItemShape::OpCard ? M::kOpHeight : M::kClusterHeight;
            return height;
        }
        const double bottom = pile(node, open->bands, 0, depth);
        height = depth < 0 ? bottom : headerHeight(depth) + M::kHeaderGap + bottom + M::kInset;
        return height;
    }

    static double headerHeight(int depth) { return depth == 0 ? M::kOuterHeader : M::kInnerHeader; }

    /// Gives rows their tops from `y` on, and says where the last one ends.
    double pile(int node, const Bands &bands, double y, int depth)
    {
        for (std::size_t i = 0; i < bands.size(); ++i) {
            if (i > 0) y += gapAfter(node, bands[i - 1], bands[i], depth);
            if (bands[i].row >= 0) {
                const int row = childOf(node, bands[i].row);
                m_tops[static_cast<std::size_t>(row)] = y;
                y += measure(row, depth + 1);
                continue;
            }
            double bottom = y;
            for (const Bands &lane : bands[i].lanes)
                bottom = std::max(bottom, pile(node, lane, y, depth) + stackEdges(node, lane.back()));
            y = bottom;
        }
        return y;
    }

    double stackEdges(int node, const Band &band) const
    {
        const bool stack = band.row >= 0 && m_columns.shapeOf(childOf(node, band.row)) == ItemShape::StackCard;
        return stack ? M::kStackEdges : 0;
    }

    double gapAfter(int node, const Band &above, const Band &below, int depth) const
    {
        const double gap = depth < 0 ? M::kOuterGap : M::kInnerGap;
        return (above.row < 0 || below.row < 0 ? M::kBandGap : gap) + stackEdges(node, above);
    }

    /// Where the rows of one column of an open node are placed.
    struct Place {
        int node = 0, frame = -1;
        Side side = Side::Forward;
        double top = 0;
        int depth = 0;
        bool narrow = false; ///< the node itself stands in a lane
        const PictureColumn *column = nullptr;
        int next = 0; ///< number of the next sequence
        std::vector<PlacedSequence> sequences;
    };

    /// `room`: from its top, rows as wide as it is.
    void placeRows(int node, Side side, int frame, const QRectF &room, int depth, bool narrow)
    {
        const PictureCluster &cluster = *m_columns.cluster(node);
        Place place{node, frame, side, room.top(), depth, narrow, &cluster.columns[static_cast<std::size_t>(side)],
                    0,    {}};
        place.sequences.resize(place.column->flow.sequences.size());
        placeBands(place, place.column->bands, room.left(), room.right(), -1);
        const auto &items = m_picture.itemOf[static_cast<std::size_t>(side)];
        addEdges(m_picture, *place.column, place.sequences,
                 [&](int row) { return items[static_cast<std::size_t>(childOf(node, row))]; });
    }

    void placeBands(Place &place, const Bands &bands, double left, double right, int lane)
    {
        const int own = place.next++;
        const BandSequence &sequence = place.column->flow.sequences[static_cast<std::size_t>(own)];
        if (sequence.gutter && (place.depth > 0 || own > 0)) left += M::kGutter;
        place.sequences[static_cast<std::size_t>(own)].left = left;
        for (const Band &band : bands) {
            if (band.row >= 0) {
                const int row = childOf(place.node, band.row);
                const double top = place.top + m_tops[static_cast<std::size_t>(row)];
                placeItem(row, place, lane,
                          QRectF(left, top, std::max(right - left, 40.0), m_heights[static_cast<std::size_t>(row)]));
                continue;
            }
            placeLanes(place, band, left, right, lane);
        }
    }

    void placeLanes(Place &place, const Band &band, double left, double right, int outer)
    {
        const std::vector<double> widths = m_columns.laneWidths(place.node, place.side, band, place.next, right - left);
        const int firstSequence = place.next, begin = static_cast<int>(m_picture.items.size());
        std::vector<std::size_t> lanes;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            lanes.push_back(m_picture.lanes.size());
            m_picture.lanes.push_back({static_cast<int>(m_picture.items.size()), 0, begin, 0, outer});
            placeBands(place, band.lanes[i], left, left + widths[i], static_cast<int>(lanes.back()));
            m_picture.lanes[lanes.back()].end = static_cast<int>(m_picture.items.size());
            left += widths[i] + M::kLaneGap;
        }
        const int end = static_cast<int>(m_picture.items.size());
        for (const std::size_t lane : lanes)
            m_picture.lanes[lane].bandEnd = end;
        double top = m_picture.item(begin).rect.top(), bottom = top;
        for (int i = begin; i < end; i = m_picture.item(i).end) {
            top = std::min(top, m_picture.item(i).rect.top());
            bottom = std::max(bottom, m_picture.item(i).bottom());
        }
        for (int sequence = firstSequence; sequence < place.next; ++sequence) {
            PlacedSequence &placed = place.sequences[static_cast<std::size_t>(sequence)];
            if (placed.bandBottom > placed.bandTop) continue; // set by branches inside these
            placed.bandTop = top;
            placed.bandBottom = bottom;
        }
    }

    void placeItem(int node, const Place &place, int lane, const QRectF &rect)
    {
        const int index = static_cast<int>(m_picture.items.size());
        GraphItem item{node, place.side, m_columns.shapeOf(node), place.depth, place.frame, index + 1, rect};
        const PictureCluster *open = m_columns.cluster(node);
        if (open) item.branching = open->branching;
        item.lane = lane;
        item.narrow = place.narrow || lane >= 0;
        m_picture.items.push_back(item);
        m_picture.itemOf[static_cast<std::size_t>(place.side)][static_cast<std::size_t>(node)] = index;
        if (open) {
            const int depth = place.depth + 1;
            const double left = rect.left() + M::kInset;
            const double right =
                item.narrow ? rect.right() - M::kInset : m_picture.columnRight(place.side) - rightInset(depth);
            const double top = rect.top() + headerHeight(place.depth) + M::kHeaderGap;
            placeRows(node, place.side, index, QRectF(left, top, right - left, 0), depth, item.narrow);
        }
        m_picture.items[static_cast<std::size_t>(index)].end = static_cast<int>(m_picture.items.size());
    }

    void placeLoss()
    {
        for (const int row : m_tree.node(0).children) {
            if (!m_columns.isClosedLoss(row)) continue;
            const double middle = m_picture.columnRight(Side::Backward) / 2;
            const QRectF rect(middle - M::kLossWidth / 2, m_bottom + M::kOuterGap, M::kLossWidth, M::kLossHeight);
            const int index = static_cast<int>(m_picture.items.size());
            m_picture.items.push_back({row, Side::Forward, ItemShape::LossCard, 0, -1, index + 1, rect});
            for (auto &items : m_picture.itemOf)
                items[static_cast<std::size_t>(row)] = index;
            m_loss = index;
            m_lossBottom = std::max(m_lossBottom, rect.bottom());
        }
    }

    /// Down the forward column, through the loss, and up the backward one.
    void connectColumns()
    {
        const int forward = lastOf(Side::Forward), backward = lastOf(Side::Backward);
        if (m_loss >= 0) {
            if (forward >= 0) m_picture.edges.push_back({EdgeKind::ToLoss, forward, m_loss, 0, 0, {}});
            if (backward >= 0) m_picture.edges.push_back({EdgeKind::FromLoss, m_loss, backward, 0, 0, {}});
            m_bottom = std::max(m_bottom, m_lossBottom);
        } else if (forward >= 0 && backward >= 0) {
            m_picture.edges.push_back({EdgeKind::Turn, forward, backward, 0, 0, {}});
            m_bottom += M::kOuterGap + M::kLossHeight / 2;
        }
    }

    int lastOf(Side side) const
    {
        const std::vector<int> rows = rowsOf(m_columns.cluster(0)->columns[static_cast<std::size_t>(side)].bands);
        return rows.empty()
                   ? -1
                   : m_picture
                         .itemOf[static_cast<std::size_t>(side)][static_cast<std::size_t>(childOf(0, rows.back()))];
    }

    const GraphTree &m_tree;
    const PictureColumns m_columns;
    std::vector<double> m_heights; ///< per node
    std::vector<double> m_tops;    ///< per node, from the top of what it is in
    GraphPicture m_picture;
    double m_bottom = 0, m_lossBottom = 0;
    int m_loss = -1;
};

} // namespace

int GraphPicture::nearestItem(const GraphTree &tree, int node, Side side) const
{
    for (; node > 0; node = tree.node(node).parent) {
        const int index = itemOf[static_cast<std::size_t>(side)][static_cast<std::size_t>(node)];
        if (index >= 0) return index;
    }
    return -1;
}

int GraphPicture::itemAt(QPointF point) const
{
    int found = -1;
    for (int i = 0; i < static_cast<int>(items.size());) {
        const GraphItem &candidate = item(i);
        const bool inside = candidate.rect.contains(point);
        if (inside) found = i;
        i = inside ? i + 1 : candidate.end;
    }
    return found;
}

GraphPicture layOutGraph(const GraphTree &tree, const OpenClusters &open, const PictureMetrics &metrics)
{
    return Layout(tree, open, metrics).make();
}

} // namespace remat::studio
