// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/edge_routes.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace remat::studio {

namespace {

constexpr double kArrow = 7, kRadius = 6;
constexpr double kSpine = 60;        ///< place of the edges down a column, from its left
constexpr double kReturnSpine = 230; ///< where the loss meets the backward column

/// Where an edge down (or up) the column meets an item; in a lane in its middle.
double spineOf(const GraphPicture &picture, const GraphItem &item, double offset)
{
    if (item.narrow) return item.rect.center().x();
    return std::clamp(picture.columnLeft(item.side) + offset, item.rect.left() + 14, item.rect.right() - 14);
}

std::vector<QPointF> step(const GraphPicture &picture, const GraphItem &from, const GraphItem &to)
{
    // The same line for both, so that it stays straight between a frame and a card.
    const double x = std::max(spineOf(picture, from, kSpine), spineOf(picture, to, kSpine));
    if (from.rect.top() < to.rect.top()) return {{x, from.bottom()}, {x, to.rect.top()}};
    return {{x, from.rect.top()}, {x, to.bottom()}};
}

std::vector<QPointF> skip(const GraphItem &from, const GraphItem &to, int lane)
{
    const double x = std::min(from.rect.left(), to.rect.left()) - 10 - 3.0 * lane;
    const double y1 = sideHeight(from, true), y2 = sideHeight(to, false);
    return {{from.rect.left(), y1}, {x, y1}, {x, y2}, {to.rect.left(), y2}};
}

/// A bus in the gap below the upper card of a fork, or above the lower one of a join.
std::vector<QPointF> bus(const GraphItem &from, const GraphItem &to, bool fork)
{
    const bool down = from.rect.top() < to.rect.top();
    const GraphItem &upper = down ? from : to, &lower = down ? to : from;
    const double half = PictureMetrics::kBandGap / 2;
    const double y = fork ? upper.bottom() + half : lower.rect.top() - half;
    const double x1 = upper.rect.center().x(), x2 = lower.rect.center().x();
    std::vector<QPointF> corners = {{x1, upper.bottom()}, {x1, y}, {x2, y}, {x2, lower.rect.top()}};
    if (!down) std::reverse(corners.begin(), corners.end());
    return corners;
}

/// Between two branches, in the gap that parts them.
std::vector<QPointF> beside(const GraphItem &from, const GraphItem &to)
{
    const bool right = from.rect.left() < to.rect.left();
    const double x1 = right ? from.rect.right() : from.rect.left(), x2 = right ? to.rect.left() : to.rect.right();
    const double top = std::max(from.rect.top(), to.rect.top());
    const double bottom = std::min(from.rect.bottom(), to.rect.bottom());
    if (bottom - top >= 8) return {{x1, (top + bottom) / 2}, {x2, (top + bottom) / 2}};
    const double x = (x1 + x2) / 2, y1 = from.rect.center().y(), y2 = to.rect.center().y();
    return {{x1, y1}, {x, y1}, {x, y2}, {x2, y2}};
}

} // namespace

double sideHeight(const GraphItem &item, bool leaves)
{
    const bool low = leaves == (item.side == Side::Forward);
    if (item.shape == ItemShape::Frame) return low ? item.rect.bottom() - 12 : item.rect.top() + 12;
    return item.rect.center().y() + (low ? 4 : -4);
}

std::vector<QPointF> routeEdge(const GraphPicture &picture, const GraphEdge &edge)
{
    const GraphItem &from = picture.item(edge.from), &to = picture.item(edge.to);
    switch (edge.kind) {
    case EdgeKind::Step:
        return step(picture, from, to);
    case EdgeKind::Skip:
    case EdgeKind::Bundle:
        return skip(from, to, edge.lane);
    case EdgeKind::Fork:
    case EdgeKind::Join:
        return bus(from, to, edge.kind == EdgeKind::Fork);
    case EdgeKind::Beside:
        return beside(from, to);
    case EdgeKind::Around:
        return edge.corners;
    case EdgeKind::ToLoss: {
        const double x = spineOf(picture, from, kSpine), y = to.rect.center().y();
        return {{x, from.bottom()}, {x, y}, {to.rect.left(), y}};
    }
    case EdgeKind::FromLoss: {
        const double x = spineOf(picture, to, kReturnSpine), y = from.rect.center().y();
        return {{from.rect.right(), y}, {x, y}, {x, to.bottom()}};
    }
    case EdgeKind::Turn: {
        const double x1 = spineOf(picture, from, kSpine), x2 = spineOf(picture, to, kSpine);
        const double y = std::max(from.bottom(), to.bottom()) + PictureMetrics::kOuterGap;
        return {{x1, from.bottom()}, {x1, y}, {x2, y}, {x2, to.bottom()}};
    }
    }
    return {};
}

namespace {

/// What an arc passes on its way between the columns: the branches that an item is one of.
struct Passage {
    double outer = 0; ///< x of the gap between its branch and the next one towards the other column
    double above = 0; ///< y right above all of them
};

/// None where no branch stands between the item and the other column.
std::optional<Passage> passageOf(const GraphPicture &picture, int index)
{
    int item = index, lane = -1;
    for (; item >= 0; item = picture.item(item).parent)
        if (picture.item(item).lane >= 0) lane = picture.item(item).lane;
    if (lane < 0) return std::nullopt;
    while (picture.lanes[static_cast<std::size_t>(lane)].outer >= 0)
        lane = picture.lanes[static_cast<std::size_t>(lane)].outer;
    const GraphLane &own = picture.lanes[static_cast<std::size_t>(lane)];
    const bool forward = picture.item(index).side == Side::Forward;
    if (forward ? own.end == own.bandEnd : own.begin == own.bandBegin) return std::nullopt;
    const double gap = PictureMetrics::kLaneGap / 2;
    Passage passage{forward ? -1e9 : 1e9, 1e9};
    for (int i = own.bandBegin; i < own.bandEnd; i = picture.item(i).end) {
        const QRectF &rect = picture.item(i).rect;
        passage.above = std::min(passage.above, rect.top() - 5);
        if (i < own.begin || i >= own.end) continue;
        passage.outer =
            forward ? std::max(passage.outer, rect.right() + gap) : std::min(passage.outer, rect.left() - gap);
    }
    return passage;
}

} // namespace

std::vector<QPointF> routeArc(const GraphPicture &picture, int from, int to)
{
    const QRectF a = picture.item(from).rect, b = picture.item(to).rect;
    double y1 = picture.item(from).shape == ItemShape::Frame ? a.top() + 12 : a.center().y();
    double y2 = picture.item(to).shape == ItemShape::Frame ? b.top() + 12 : b.center().y();
    const auto out = passageOf(picture, from), in = passageOf(picture, to);
    if (!out && !in && std::abs(y1 - y2) < 1) return {{a.right() + 4, y1}, {b.left(), y1}};
    const double x = (picture.columnRight(Side::Forward) + picture.columnLeft(Side::Backward)) / 2;
    std::vector<QPointF> corners = {{a.right() + 4, y1}}, end = {{b.left(), y2}};
    if (out) {
        corners.insert(corners.end(), {{out->outer, y1}, {out->outer, out->above}});
        y1 = out->above;
    }
    if (in) {
        end.insert(end.begin(), {{in->outer, in->above}, {in->outer, y2}});
        y2 = in->above;
    }
    if (std::abs(y1 - y2) >= 1) corners.insert(corners.end(), {{x, y1}, {x, y2}});
    corners.insert(corners.end(), end.begin(), end.end());
    return corners;
}

void addRoundedLine(QPainterPath &path, const std::vector<QPointF> &corners)
{
    if (corners.size() < 2) return;
    path.moveTo(corners.front());
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        const QPointF in = corners[i] - corners[i - 1], out = corners[i + 1] - corners[i];
        const double inLength = std::hypot(in.x(), in.y()), outLength = std::hypot(out.x(), out.y());
        const double radius = std::min({kRadius, inLength / 2, outLength / 2});
        if (radius < 0.5) {
            path.lineTo(corners[i]);
            continue;
        }
        path.lineTo(corners[i] - in * (radius / inLength));
        path.quadTo(corners[i], corners[i] + out * (radius / outLength));
    }
    const QPointF last = corners.back() - corners[corners.size() - 2];
    const double length = std::hypot(last.x(), last.y());
    path.lineTo(length > kArrow ? corners.back() - last * (kArrow / length) : corners[corners.size() - 2]);
}

void addArrow(QPainterPath &path, const std::vector<QPointF> &corners)
{
    if (corners.size() < 2) return;
    const QPointF tip = corners.back(), last = tip - corners[corners.size() - 2];
    const double length = std::hypot(last.x(), last.y());
    if (length <= 0) return;
    const QPointF along = last / length, across(-along.y(), along.x());
    const QPointF foot = tip - along * std::min(kArrow, length);
    path.moveTo(tip);
    path.lineTo(foot + across * (kArrow / 2));
    path.lineTo(foot - across * (kArrow / 2));
    path.closeSubpath();
}

} // namespace remat::studio
