// SPDX-License-Identifier: Apache-2.0
// Selection, highlights and keys of the graph view.

#include "app/studio/base/text/text.h"
#include "app/studio/views/graph/graph_marks.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/graph/op_details.h"
#include "core/views/sort_distinct.h"

#include <algorithm>

namespace remat::studio {

namespace {

/// Ops of both columns, in graph order.
std::vector<OpId> opsOf(const GraphNode &node)
{
    std::vector<OpId> ops = node.forwardOps;
    ops.insert(ops.end(), node.backwardOps.begin(), node.backwardOps.end());
    sortDistinct(ops);
    return ops;
}

} // namespace

void GraphView::select(int node, Side side, bool tellDocument)
{
    if (node <= 0) return;
    m_selectedNode = node;
    m_selectedSide = side;
    const GraphNode &content = m_scene.tree.node(node);
    const std::vector<OpId> &ops = content.ops(side);
    const bool single = content.kind == NodeKind::Ops && ops.size() == 1;
    if (tellDocument) {
        m_selecting = true;
        if (single)
            m_document->selectOp(ops.front());
        else
            m_document->selectModule(content.path, opsOf(content));
        m_selecting = false;
        Q_EMIT clusterSelected(single ? QString() : toQString(content.path));
    }
    updateMarks();
}

void GraphView::clearSelection()
{
    const bool had = m_selectedNode >= 0;
    m_selectedNode = -1;
    m_selecting = true;
    m_document->clearSelection();
    m_selecting = false;
    if (had) Q_EMIT clusterSelected({});
    updateMarks();
}

void GraphView::takeSelection()
{
    if (m_selecting || !m_scene.model) return;
    const OpId op = m_document->selection().op;
    if (!op) {
        const auto module = m_document->selectedModule();
        m_selectedNode = module ? m_scene.tree.find(module->path) : -1;
        updateMarks();
        return;
    }
    select(m_scene.tree.leafOf[op.index()], sideOf(m_scene.model->graph(), op), false);
    const int item = m_scene.marks.selected;
    if (item >= 0) m_canvas->ensureVisible(m_scene.picture.item(item).rect);
}

void GraphView::setMatches(std::optional<std::vector<OpId>> ops)
{
    m_scene.matches.searching = ops.has_value();
    m_scene.matches.ops = ops ? std::move(*ops) : std::vector<OpId>();
    countMatches(m_scene);
    m_canvas->update();
}

void GraphView::takeCursor()
{
    // Followed while it is shown only: the cursor moves with every pixel of the mouse.
    if (isVisible()) updateMarks();
}

void GraphView::takeHover()
{
    if (!m_scene.model || m_scene.picture.items.empty()) return;
    const Selection hover = m_document->hover();
    const OpId op = hover.op        ? hover.op
                    : hover.storage ? m_scene.model->graph().storage(hover.storage).producer
                                    : OpId();
    // What the mouse is over here stays lit, also where it is no single op.
    if (!op && m_canvas->underMouse()) return;
    const int item = op ? itemOf(m_scene, op) : -1;
    if (item == m_scene.marks.hovered) return;
    m_scene.marks.hovered = item;
    m_canvas->update();
}

void GraphView::hoverItem(int index)
{
    if (m_scene.marks.hovered != index) {
        m_scene.marks.hovered = index;
        m_canvas->update();
    }
    Selection hover;
    if (index >= 0) {
        const GraphItem &item = m_scene.picture.item(index);
        const GraphNode &node = m_scene.nodeOf(item);
        const auto &ops = node.ops(item.side);
        if (node.kind == NodeKind::Ops && ops.size() == 1) {
            hover.op = ops.front();
            const auto &outputs = m_scene.model->graph().op(hover.op).outputs;
            if (!outputs.empty()) hover.storage = outputs.front();
        }
    }
    m_document->setHover(hover);
}

void GraphView::updateMarks()
{
    GraphMarks marks;
    marks.hovered = m_scene.marks.hovered < static_cast<int>(m_scene.picture.items.size()) ? m_scene.marks.hovered : -1;
    marks.focusRing = m_canvas->hasFocus();
    if (m_scene.model && !m_scene.picture.items.empty()) {
        if (m_selectedNode > 0)
            markSelection(marks, m_scene, m_selectedNode, m_selectedSide, m_document->selection().storage);
        if (m_document->cursorUs() >= 0) markCursor(marks, m_scene, timeline(), m_document->cursorUs());
    }
    m_scene.marks = std::move(marks);
    m_canvas->update();
    updatePath();
}

void GraphView::updatePath()
{
    QVector<GraphCrumb> path;
    if (m_scene.model && !m_scene.tree.nodes.empty()) {
        path.append({toQString(m_scene.model->graph().name), toQString(m_scene.tree.node(0).path)});
        if (m_selectedNode > 0)
            for (const int node : m_scene.tree.lineage(m_selectedNode))
                path.append({toQString(m_scene.tree.node(node).title), toQString(m_scene.tree.node(node).path)});
    }
    if (path == m_path) return;
    m_path = path;
    Q_EMIT pathChanged(path);
}

void GraphView::reveal(OpId op)
{
    if (!m_scene.model || !op || op.index() >= m_scene.tree.leafOf.size()) return;
    while (unstack(m_scene.tree.node(m_scene.tree.leafOf[op.index()]).path)) {
    }
    const int leaf = m_scene.tree.leafOf[op.index()];
    m_expansion.openAround(m_scene.tree, leaf);
    select(leaf, sideOf(m_scene.model->graph(), op), true);
    m_revealing = true;
    relayout();
}

void GraphView::revealPath(const QString &path)
{
    if (!m_scene.model) return;
    const std::string wanted = path.toStdString();
    if (m_scene.tree.find(wanted) < 0) return;
    while (unstack(wanted)) {
    }
    const int node = m_scene.tree.find(wanted);
    if (node == 0) {
        clearSelection();
        m_canvas->ensureVisible(QRectF(0, 0, 1, 1));
        return;
    }
    m_expansion.openAround(m_scene.tree, node);
    select(node, m_scene.tree.node(node).forwardOps.empty() ? Side::Backward : Side::Forward, true);
    m_revealing = true;
    relayout();
}

} // namespace remat::studio
