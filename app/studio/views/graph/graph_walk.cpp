// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/graph_walk.h"

#include <algorithm>

namespace remat::studio {

namespace {

/// The lane that an item, or the frame around it, stands in; -1 for none.
int laneOf(const GraphPicture &picture, int item)
{
    while (item >= 0 && picture.item(item).lane < 0)
        item = picture.item(item).parent;
    return item < 0 ? -1 : picture.item(item).lane;
}

/// The lane around a lane, also where a frame is between them.
int laneAround(const GraphPicture &picture, int lane)
{
    const GraphLane &inner = picture.lanes[static_cast<std::size_t>(lane)];
    return inner.outer >= 0 ? inner.outer : laneOf(picture, picture.item(inner.begin).parent);
}

/// Items of a column stand together, the loss after both: it ends either column.
bool inColumn(const GraphPicture &picture, int item, Side side)
{
    const GraphItem &candidate = picture.item(item);
    return candidate.side == side || candidate.shape == ItemShape::LossCard;
}

} // namespace

int itemAboveOrBelow(const GraphPicture &picture, int item, bool below)
{
    const int by = below ? 1 : -1, count = static_cast<int>(picture.items.size());
    int next = item + by;
    for (int lane = laneOf(picture, item); lane >= 0; lane = laneAround(picture, lane)) {
        const GraphLane &span = picture.lanes[static_cast<std::size_t>(lane)];
        if (below ? next < span.end : next >= span.begin) break;
        next = below ? span.bandEnd : span.bandBegin - 1;
    }
    while (next >= 0 && next < count && !inColumn(picture, next, picture.item(item).side))
        next += by;
    return next < count ? next : -1;
}

int endOfColumn(const GraphPicture &picture, int item, bool last)
{
    int end = last ? static_cast<int>(picture.items.size()) - 1 : 0;
    while (end != item && !inColumn(picture, end, picture.item(item).side))
        end += last ? -1 : 1;
    return end;
}

int itemInBranchBeside(const GraphPicture &picture, int item, bool right)
{
    const GraphItem &from = picture.item(item);
    if (from.lane < 0) return -1;
    int outermost = from.lane;
    while (picture.lanes[static_cast<std::size_t>(outermost)].outer >= 0)
        outermost = picture.lanes[static_cast<std::size_t>(outermost)].outer;
    const GraphLane &span = picture.lanes[static_cast<std::size_t>(outermost)];
    int best = -1;
    std::pair<double, double> least;
    for (int i = span.bandBegin; i < span.bandEnd; i = picture.item(i).end) {
        const QRectF &rect = picture.item(i).rect;
        const double across = right ? rect.left() - from.rect.right() : from.rect.left() - rect.right();
        if (across < 0) continue;
        const double apart = std::max({0.0, rect.top() - from.rect.bottom(), from.rect.top() - rect.bottom()});
        if (best >= 0 && std::pair(apart, across) >= least) continue;
        best = i;
        least = {apart, across};
    }
    return best;
}

} // namespace remat::studio
