// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/picture_edges.h"

#include "app/studio/views/graph/edge_routes.h"

#include <algorithm>

namespace remat::studio {

namespace {

using M = PictureMetrics;

constexpr double kGutterLine = 10; // left of the cards

class Router
{
public:
    Router(const GraphPicture &picture, const ColumnFlow &flow, const std::vector<PlacedSequence> &placed)
        : m_picture(picture), m_flow(flow), m_placed(placed)
    {
    }

    /// Out of the one lane through its gutter, past the branches around it, and likewise into the other. Between
    /// branches of one band it runs above them.
    std::vector<QPointF> around(const FlowLine &line, int from, int to) const
    {
        const GraphItem &first = m_picture.item(from), &last = m_picture.item(to);
        const bool down = first.rect.center().y() < last.rect.center().y();
        std::vector<QPointF> corners = climb(line, line.from, first, true, line.past && down);
        const std::vector<QPointF> back = climb(line, line.to, last, false, line.past && !down);
        if (line.past) {
            const double x = gutter(line.sequence);
            corners.emplace_back(x, corners.back().y());
            corners.emplace_back(x, back.back().y());
        }
        corners.insert(corners.end(), back.rbegin(), back.rend());
        return corners;
    }

private:
    double gutter(int sequence) const { return m_placed[static_cast<std::size_t>(sequence)].left - kGutterLine; }

    /// Corners from a card's left border to the gap of the outermost branches that it is in.
    std::vector<QPointF> climb(const FlowLine &line, int row, const GraphItem &item, bool leaves, bool down) const
    {
        const double y = sideHeight(item, leaves);
        std::vector<QPointF> corners = {{item.rect.left(), y}};
        int sequence = m_flow.rows[static_cast<std::size_t>(row)].sequence;
        while (sequence != line.sequence) {
            const PlacedSequence &lane = m_placed[static_cast<std::size_t>(sequence)];
            const double gap = down ? lane.bandBottom + M::kBandGap / 2 : lane.bandTop - M::kBandGap / 2;
            corners.emplace_back(gutter(sequence), corners.back().y());
            corners.emplace_back(gutter(sequence), gap);
            sequence = m_flow.sequences[static_cast<std::size_t>(sequence)].outer;
        }
        return corners;
    }

    const GraphPicture &m_picture;
    const ColumnFlow &m_flow;
    const std::vector<PlacedSequence> &m_placed;
};

EdgeKind kindOf(FlowKind kind)
{
    switch (kind) {
    case FlowKind::Step:
        return EdgeKind::Step;
    case FlowKind::Skip:
        return EdgeKind::Skip;
    case FlowKind::Bundle:
        return EdgeKind::Bundle;
    case FlowKind::Fork:
        return EdgeKind::Fork;
    case FlowKind::Join:
        return EdgeKind::Join;
    case FlowKind::Beside:
        return EdgeKind::Beside;
    case FlowKind::Around:
        break;
    }
    return EdgeKind::Around;
}

} // namespace

void addEdges(GraphPicture &picture, const PictureColumn &column, const std::vector<PlacedSequence> &placed,
              const std::function<int(int row)> &itemOf)
{
    const Router router(picture, column.flow, placed);
    for (const FlowLine &line : column.flow.lines) {
        GraphEdge edge{kindOf(line.kind), itemOf(line.from), itemOf(line.to), line.lane, line.more, {}};
        if (edge.kind == EdgeKind::Around) edge.corners = router.around(line, edge.from, edge.to);
        picture.edges.push_back(std::move(edge));
    }
}

} // namespace remat::studio
