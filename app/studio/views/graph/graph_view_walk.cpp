// SPDX-License-Identifier: Apache-2.0
// The graph view: going through it by commands and keys.
#include "app/studio/base/text/text.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/graph/graph_walk.h"

namespace remat::studio {

void GraphView::toggle(int index, bool below)
{
    const GraphItem &item = m_scene.picture.item(index);
    const GraphNode &node = m_scene.nodeOf(item);
    if (!node.expandable()) return;
    const QString path = toQString(node.path);
    const bool open = item.shape == ItemShape::Frame;
    m_motion.keepSteady(m_scene, index);
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
        walkTo(command == GraphCommand::Last ? static_cast<int>(items.size()) - 1 : 0);
        return;
    }
    switch (command) {
    case GraphCommand::Up:
    case GraphCommand::Down:
        walkTo(itemAboveOrBelow(m_scene.picture, selected, command == GraphCommand::Down));
        break;
    case GraphCommand::First:
    case GraphCommand::Last:
        walkTo(endOfColumn(m_scene.picture, selected, command == GraphCommand::Last));
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
        if (const int parent = m_scene.picture.item(selected).parent; parent >= 0)
            walkTo(parent);
        else
            clearSelection();
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

void GraphView::walkTo(int item)
{
    if (item < 0) return;
    const GraphItem &to = m_scene.picture.item(item);
    select(to.node, to.side, true);
    const QRectF head(to.rect.topLeft(), QSizeF(to.rect.width(), to.headerHeight() + PictureMetrics::kHeaderGap));
    m_canvas->ensureVisible(to.shape == ItemShape::Frame ? head : to.rect);
}

void GraphView::moveSideways(GraphCommand command)
{
    const GraphItem item = m_scene.picture.item(m_scene.marks.selected);
    const GraphNode &node = m_scene.nodeOf(item);
    const bool right = command == GraphCommand::Right;
    if (const int beside = itemInBranchBeside(m_scene.picture, m_scene.marks.selected, right); beside >= 0) {
        walkTo(beside);
        return;
    }
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
