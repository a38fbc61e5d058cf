// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/card_text.h"

#include "app/studio/base/text/state_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/views/graph/graph_text.h"
#include "core/views/graph_names.h"

namespace remat::studio {

namespace {

const std::vector<OpId> &opsOf(const GraphScene &scene, const GraphItem &item)
{
    return scene.nodeOf(item).ops(item.side);
}

QString opCount(std::size_t count)
{
    return count == 1 ? GraphText::tr("1 op")
                      : GraphText::tr("%1 ops").arg(countText(static_cast<std::int64_t>(count)));
}

bool isLoss(const GraphItem &item)
{
    return item.shape == ItemShape::LossCard;
}

class Table
{
public:
    void row(const QString &name, const QString &value)
    {
        m_rows += QStringLiteral("<tr><td style=\"padding-right:12px\">%1</td><td>%2</td></tr>")
                      .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
    }
    QString html() const { return QStringLiteral("<table cellspacing=\"0\">%1</table>").arg(m_rows); }

private:
    QString m_rows;
};

void addBytes(Table &table, const SideFigures &side, Side column)
{
    if (column == Side::Backward) {
        table.row(GraphText::tr("Gradients made"), exactBytesText(side.bytes));
        return;
    }
    table.row(GraphText::tr("Held for backward"), exactBytesText(side.bytes));
    if (side.recomputedBytes > 0) table.row(GraphText::tr("Made again"), exactBytesText(side.recomputedBytes));
    if (side.offloadedBytes > 0) table.row(GraphText::tr("Offloaded"), exactBytesText(side.offloadedBytes));
}

} // namespace

QString cardTitle(const GraphScene &scene, const GraphItem &item)
{
    const GraphNode &node = scene.nodeOf(item);
    return toQString(item.side == Side::Backward ? node.backwardTitle : node.title);
}

QString cardKind(const GraphScene &scene, const GraphItem &item)
{
    const std::vector<OpId> &ops = opsOf(scene, item);
    if (ops.size() != 1) return opCount(ops.size());
    const Graph &graph = scene.model->graph();
    const Op &op = graph.op(ops.front());
    QString kind = toQString(humanKind(op.kind));
    // Where the name says the kind already, what it makes says more.
    if (!cardTitle(scene, item).contains(kind)) return kind;
    return op.outputs.empty() ? QString() : toQString(graph.storage(op.outputs.front()).type);
}

QString cardBadge(const GraphScene &scene, const GraphItem &item)
{
    const int copies = scene.nodeOf(item).copies;
    return copies > 1 ? QStringLiteral("×%1").arg(copies) : QString();
}

QString cardBytes(const GraphScene &scene, const GraphItem &item)
{
    return bytesText(scene.figuresOf(item).side(item.side).bytes);
}

QString cardTime(const GraphScene &scene, const GraphItem &item)
{
    const NodeFigures &figures = scene.figuresOf(item);
    return timeText(isLoss(item) ? figures.forward.timeUs + figures.backward.timeUs : figures.side(item.side).timeUs);
}

QString frameNote(const GraphScene &scene, const GraphItem &item)
{
    const GraphNode &node = scene.nodeOf(item);
    if (item.side == Side::Backward || node.copies < 2 || node.kind != NodeKind::Cluster) return {};
    return GraphText::tr("%1 identical blocks").arg(node.copies);
}

QString recomputeChip(const GraphScene &scene, const GraphItem &item)
{
    const NodeFigures &figures = scene.figuresOf(item);
    if (item.side != Side::Backward || figures.recomputedOps == 0) return {};
    return GraphText::tr("%1 · %2").arg(opCount(static_cast<std::size_t>(figures.recomputedOps)),
                                        timeText(figures.recomputeUs));
}

NodeState cardState(const GraphScene &scene, const GraphItem &item)
{
    return scene.figuresOf(item).side(item.side).state;
}

QString cardTooltip(const GraphScene &scene, const GraphItem &item)
{
    const GraphNode &node = scene.nodeOf(item);
    const NodeFigures &figures = scene.figuresOf(item);
    const std::vector<OpId> &ops = opsOf(scene, item);
    QString name = toQString(node.path);
    if (node.kind == NodeKind::Ops && !node.cluster && !ops.empty()) {
        const QString module = toQString(scene.model->graph().op(ops.front()).module);
        name = (module.isEmpty() ? QString() : module + QStringLiteral(" · ")) + cardTitle(scene, item);
    } else if (item.side == Side::Backward) {
        name = toQString(backwardName(node.path));
    }

    Table table;
    if (ops.size() == 1) {
        const Op &op = scene.model->graph().op(ops.front());
        table.row(GraphText::tr("Op"), QStringLiteral("%1 (%2)").arg(toQString(op.kind), toQString(op.name)));
        for (const StorageId output : op.outputs) {
            const Storage &storage = scene.model->graph().storage(output);
            const QString type = storage.type.empty() ? QString() : toQString(storage.type) + QStringLiteral(", ");
            table.row(GraphText::tr("Makes"), type + exactBytesText(storage.bytes));
        }
        if (!op.source.empty()) table.row(GraphText::tr("Source"), toQString(op.source));
    } else {
        table.row(GraphText::tr("Holds"), opCount(ops.size()));
    }
    table.row(GraphText::tr("State"), stateText(cardState(scene, item)));
    addBytes(table, figures.side(item.side), item.side);
    table.row(GraphText::tr("Time"), cardTime(scene, item));
    if (figures.recomputations > 0)
        table.row(GraphText::tr("Computed again"),
                  GraphText::tr("%1 times, %2").arg(countText(figures.recomputations), timeText(figures.recomputeUs)));
    return QStringLiteral("<b>%1</b>%2").arg(name.toHtmlEscaped(), table.html());
}

} // namespace remat::studio
