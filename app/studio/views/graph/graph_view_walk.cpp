// The graph view: going through it by commands and keys.
#include "app/studio/base/text/text.h"
#include "app/studio/views/graph/graph_view.h"

#include <algorithm>

namespace remat::studio {

void GraphView::toggle(int index, bool below)
{
    const GraphItem &item = m_scene.picture.item(index);
    const GraphNode &node = m_scene.nodeOf(item);
    if (!node.expandable()) return;
    const QString path = toQString(node.path);
    const bool open = item.shape == ItemShape::Frame;
    keepSteady(index);
    if (below)
        setOpenBelow(path, !open);
    else if (open)
        collapse(path);
    else
        expand(path);
    Q_EMIT stateTouched((open ? tr("Close %1") : tr("Open %1")).arg(path));
}

void GraphView::setOpenBelow(const QString &path, bool open)
{
    const int node = m_scene.model ? m_scene.tree.find(path.toStdString()) : -1;
    if (node < 0) return;
    m_expansion.setOpenBelow(m_scene.tree, node, open);
    relayout();
}

void GraphView::follow(bool towardsReaders)
{
    const OpId op = m_document->selection().op;
    if (!m_scene.model || !op) return;
    const OpenModel &open = *m_scene.model->open;
    const auto ops = towardsReaders ? consumersOf(open, op) : producersOf(open, op);
    // The nearest in time: the first that reads, the last that made.
    if (!ops.empty()) reveal(towardsReaders ? ops.front() : ops.back());
}

void GraphView::frame()
{
    const int selected = m_scene.marks.selected;
    if (selected < 0) {
        fit();
        return;
    }
    const QRectF before = m_canvas->sight();
    m_canvas->centreOn(m_scene.picture.item(selected).rect.center());
    if (m_canvas->sight() == before) fit();
}

void GraphView::command(GraphCommand command)
{
    const auto &items = m_scene.picture.items;
    if (items.empty()) return;
    const int selected = m_scene.marks.selected;
    if (command == GraphCommand::Frame) {
        frame();
        return;
    }
    if (selected < 0 && command != GraphCommand::Clear) {
        const bool last = command == GraphCommand::Last;
        const GraphItem &item = last ? items.back() : items.front();
        select(item.node, item.side, true);
        m_canvas->ensureVisible(item.rect);
        return;
    }
    switch (command) {
    case GraphCommand::Up:
        moveSelection(-1);
        break;
    case GraphCommand::Down:
        moveSelection(1);
        break;
    case GraphCommand::First:
        moveSelection(-static_cast<int>(items.size()));
        break;
    case GraphCommand::Last:
        moveSelection(static_cast<int>(items.size()));
        break;
    case GraphCommand::Left:
    case GraphCommand::Right:
        moveSideways(command);
        break;
    case GraphCommand::Toggle:
    case GraphCommand::ToggleBelow:
        toggle(selected, command == GraphCommand::ToggleBelow);
        break;
    case GraphCommand::Outwards:
        if (const int parent = m_scene.picture.item(selected).parent; parent >= 0) {
            select(m_scene.picture.item(parent).node, m_scene.picture.item(parent).side, true);
            const QRectF frame = m_scene.picture.item(parent).rect;
            m_canvas->ensureVisible(QRectF(frame.topLeft(), QSizeF(frame.width(), 30)));
        } else {
            clearSelection();
        }
        break;
    case GraphCommand::Earlier:
    case GraphCommand::Later:
        stepRun(toQString(m_scene.nodeOf(m_scene.picture.item(selected)).path),
                command == GraphCommand::Later ? 1 : -1);
        break;
    case GraphCommand::Clear:
        clearSelection();
        break;
    case GraphCommand::Frame:
        break;
    }
}

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

/// The item above or below: the next in its lane, at its end what is above or below all branches.
int nextItem(const GraphPicture &picture, int item, bool down)
{
    int next = down ? item + 1 : item - 1;
    for (int lane = laneOf(picture, item); lane >= 0; lane = laneAround(picture, lane)) {
        const GraphLane &span = picture.lanes[static_cast<std::size_t>(lane)];
        if (down ? next < span.end : next >= span.begin) break;
        next = down ? span.bandEnd : span.bandBegin - 1;
    }
    return next;
}

} // namespace

void GraphView::moveSelection(int by)
{
    const auto &items = m_scene.picture.items;
    const int selected = m_scene.marks.selected;
    const Side side = items[static_cast<std::size_t>(selected)].side;
    // Items of a column stand together, the loss after both: it ends either column.
    const auto inColumn = [&](int item) {
        const GraphItem &candidate = items[static_cast<std::size_t>(item)];
        return candidate.side == side || candidate.shape == ItemShape::LossCard;
    };
    const int count = static_cast<int>(items.size());
    int next = selected;
    if (by == 1 || by == -1) {
        next = nextItem(m_scene.picture, selected, by > 0);
        while (next >= 0 && next < count && !inColumn(next))
            next += by;
    } else {
        next = by > 0 ? count - 1 : 0;
        while (next != selected && !inColumn(next))
            next += by > 0 ? -1 : 1;
    }
    if (next < 0 || next >= count) return;
    const GraphItem &item = items[static_cast<std::size_t>(next)];
    select(item.node, item.side, true);
    const bool frame = item.shape == ItemShape::Frame;
    m_canvas->ensureVisible(frame ? QRectF(item.rect.topLeft(), QSizeF(item.rect.width(), 30)) : item.rect);
}

bool GraphView::moveToBranchBeside(bool right)
{
    const GraphPicture &picture = m_scene.picture;
    const int selected = m_scene.marks.selected;
    const GraphItem &from = picture.item(selected);
    if (from.lane < 0) return false;
    int outermost = from.lane;
    while (picture.lanes[static_cast<std::size_t>(outermost)].outer >= 0)
        outermost = picture.lanes[static_cast<std::size_t>(outermost)].outer;
    const GraphLane &span = picture.lanes[static_cast<std::size_t>(outermost)];
    // The nearest at the same height, or else the nearest.
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
    if (best < 0) return false;
    const GraphItem &item = picture.item(best);
    select(item.node, item.side, true);
    m_canvas->ensureVisible(item.rect);
    return true;
}

void GraphView::moveSideways(GraphCommand command)
{
    const GraphItem item = m_scene.picture.item(m_scene.marks.selected);
    const GraphNode &node = m_scene.nodeOf(item);
    const bool right = command == GraphCommand::Right;
    if (moveToBranchBeside(right)) return;
    const bool isFrame = item.shape == ItemShape::Frame;
    if (right ? !isFrame && node.expandable() : isFrame) {
        toggle(m_scene.marks.selected, false);
        return;
    }
    const Side other = item.side == Side::Forward ? Side::Backward : Side::Forward;
    const bool crosses = right == (item.side == Side::Forward);
    if (crosses && item.shape != ItemShape::LossCard) {
        const int twin = m_scene.picture.itemOf[static_cast<std::size_t>(other)][static_cast<std::size_t>(item.node)];
        if (twin < 0) return;
        select(item.node, other, true);
        m_canvas->ensureVisible(m_scene.picture.item(twin).rect);
    } else if (!right) {
        command = GraphCommand::Outwards;
        this->command(command);
    }
}

} // namespace remat::studio
