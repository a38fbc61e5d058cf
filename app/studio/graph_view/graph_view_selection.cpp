// Selection, highlights and keys of the graph view.

#include "app/studio/document/text.h"
#include "app/studio/graph_view/graph_view.h"
#include "app/studio/graph_view/op_details.h"
#include "core/views/sort_distinct.h"

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

constexpr std::size_t kMostArcs = 6; // the nearest ones; more would hide what they point at

Side sideOf(const Graph &graph, OpId op)
{
    return graph.op(op).phase == Phase::Backward ? Side::Backward : Side::Forward;
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
            m_document->clearSelection();
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
        m_selectedNode = -1;
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
    const int item = op ? m_scene.picture.nearestItem(m_scene.tree, m_scene.tree.leafOf[op.index()],
                                                      sideOf(m_scene.model->graph(), op))
                        : -1;
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

void GraphView::markCursor(GraphMarks &marks) const
{
    const double cursorUs = m_document->cursorUs();
    if (cursorUs < 0) return;
    const auto plan = m_document->currentPlan();
    const MemoryTimeline &timeline = plan && plan->timeline ? *plan->timeline : *m_scene.model->keepAll;
    const auto after = std::upper_bound(timeline.startUs.begin(), timeline.startUs.end(), cursorUs);
    if (after == timeline.startUs.begin()) return;
    const auto sample = static_cast<std::size_t>(after - timeline.startUs.begin()) - 1;
    const Graph &graph = m_scene.model->graph();
    const auto itemOf = [&](OpId op) {
        return m_scene.picture.nearestItem(m_scene.tree, m_scene.tree.leafOf[op.index()], sideOf(graph, op));
    };
    marks.running = itemOf(timeline.op[sample]);
    const std::int32_t step = timeline.step[sample];
    for (const LiveRange &range : timeline.ranges) {
        if (range.firstStep > step) break; // they stand by first step
        if (range.lastStep < step) continue;
        const OpId producer = graph.storage(range.storage).producer;
        const int item = producer ? itemOf(producer) : -1;
        if (item >= 0 && m_scene.picture.item(item).shape != ItemShape::Frame) marks.live.push_back(item);
    }
    sortDistinct(marks.live);
}

void GraphView::updateMarks()
{
    GraphMarks marks;
    marks.hovered = m_scene.marks.hovered < static_cast<int>(m_scene.picture.items.size()) ? m_scene.marks.hovered : -1;
    marks.focusRing = m_canvas->hasFocus();
    const bool ready = m_scene.model && !m_scene.picture.items.empty();
    if (ready && m_selectedNode > 0) {
        const GraphPicture &picture = m_scene.picture;
        marks.selected = picture.nearestItem(m_scene.tree, m_selectedNode, m_selectedSide);
        if (marks.selected >= 0) {
            marks.readers = readersOf(marks.selected);
            marks.arcs = arcsOf(marks.selected);
        }
    }
    if (ready) markCursor(marks);
    m_scene.marks = std::move(marks);
    m_canvas->update();
    updatePath();
}

std::vector<int> GraphView::readersOf(int selectedItem) const
{
    std::vector<int> items;
    const StorageId storage = m_document->selection().storage;
    if (!storage) return items;
    for (const OpId reader : m_scene.model->open->readers[storage.index()]) {
        const int item = m_scene.picture.nearestItem(m_scene.tree, m_scene.tree.leafOf[reader.index()],
                                                     sideOf(m_scene.model->graph(), reader));
        if (item >= 0 && item != selectedItem && m_scene.picture.item(item).shape != ItemShape::Frame)
            items.push_back(item);
    }
    sortDistinct(items);
    return items;
}

std::vector<std::pair<int, int>> GraphView::arcsOf(int selectedItem) const
{
    // Of an op, or of the closed card that holds it, whatever is really marked.
    const GraphItem &selected = m_scene.picture.item(selectedItem);
    const bool exact = selected.node == m_selectedNode || m_scene.tree.node(m_selectedNode).parent != selected.node;
    const GraphNode &node = m_scene.tree.node(exact ? m_selectedNode : selected.node);
    const Graph &graph = m_scene.model->graph();
    const bool forward = selected.side == Side::Forward;
    std::vector<int> others;
    const auto add = [&](OpId op) {
        const int item = m_scene.picture.nearestItem(m_scene.tree, m_scene.tree.leafOf[op.index()],
                                                     forward ? Side::Backward : Side::Forward);
        const bool column = item >= 0 && m_scene.picture.item(item).side != selected.side;
        if (column && m_scene.picture.item(item).shape != ItemShape::Frame) others.push_back(item);
    };
    for (const OpId op : node.ops(selected.side)) {
        if (forward) {
            for (const StorageId output : graph.op(op).outputs)
                for (const OpId reader : m_scene.model->open->readers[output.index()])
                    if (graph.op(reader).phase == Phase::Backward) add(reader);
        } else {
            for (const StorageId input : graph.op(op).inputs) {
                const OpId maker = graph.storage(input).producer;
                if (maker && graph.op(maker).phase != Phase::Backward) add(maker);
            }
        }
    }
    sortDistinct(others);
    const auto distance = [&](int item) {
        return std::abs(m_scene.picture.item(item).rect.center().y() - selected.rect.center().y());
    };
    std::stable_sort(others.begin(), others.end(), [&](int a, int b) { return distance(a) < distance(b); });
    if (others.size() > kMostArcs) others.resize(kMostArcs);
    std::vector<std::pair<int, int>> arcs;
    arcs.reserve(others.size());
    for (const int other : others)
        arcs.emplace_back(forward ? selectedItem : other, forward ? other : selectedItem);
    return arcs;
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
    openAround(leaf);
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
    openAround(node);
    select(node, m_scene.tree.node(node).forwardOps.empty() ? Side::Backward : Side::Forward, true);
    m_revealing = true;
    relayout();
}

} // namespace remat::studio
