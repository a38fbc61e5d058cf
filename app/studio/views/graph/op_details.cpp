// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/op_details.h"

#include "app/studio/base/text/op_labels.h"
#include "app/studio/base/text/state_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/views/graph/card_text.h"
#include "core/views/graph_names.h"
#include "core/views/sort_distinct.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

struct OpDetailsText {
    Q_DECLARE_TR_FUNCTIONS(OpDetails)
};

/// What the plan does with it; what is computed once and needs no word says nothing.
QString planText(const Graph &graph, const MemoryTimeline &timeline, OpId op)
{
    const auto again = std::count_if(timeline.op.begin(), timeline.op.end(), [&](OpId each) { return each == op; }) - 1;
    if (again == 1) return OpDetailsText::tr("recomputed once");
    if (again > 1) return OpDetailsText::tr("recomputed %1 times").arg(countText(again));
    if (graph.op(op).phase == Phase::Backward) return {};
    return stateText(opStates(graph, timeline, std::vector<std::uint16_t>(graph.ops.size(), 0))[op.index()]).toLower();
}

/// Beside a measured time what the roofline says, and how far that is off.
QString opTimeText(const CostedModel &model, OpId op)
{
    const double us = model.costs->time(op);
    if (!model.roofline) return timeText(us);
    const double predicted = model.roofline->time(op);
    const QString both = OpDetailsText::tr("%1 measured, %2 predicted").arg(timeText(us), timeText(predicted));
    if (predicted <= 0) return both;
    const double off = us / predicted - 1;
    return OpDetailsText::tr("%1 (%2%3)")
        .arg(both, off < 0 ? QStringLiteral("−") : QStringLiteral("+"), shareText(std::abs(off)));
}

} // namespace

std::vector<OpId> producersOf(const OpenModel &model, OpId op)
{
    std::vector<OpId> ops;
    for (const StorageId input : model.model->graph.op(op).inputs)
        if (const OpId producer = model.model->graph.storage(input).producer) ops.push_back(producer);
    sortDistinct(ops);
    return ops;
}

std::vector<OpId> consumersOf(const OpenModel &model, OpId op)
{
    std::vector<OpId> ops;
    for (const StorageId output : model.model->graph.op(op).outputs)
        ops.insert(ops.end(), model.readers[output.index()].begin(), model.readers[output.index()].end());
    sortDistinct(ops);
    return ops;
}

OpDetails opDetails(const CostedModel &model, const PlanEntry *plan, OpId id)
{
    const Graph &graph = model.graph();
    const Op &op = graph.op(id);
    OpDetails details;
    details.name = OpLabels(graph).op(graph, id);
    details.kind = toQString(humanKind(op.kind));
    details.node = toQString(op.name);
    details.module = toQString(op.module);
    QStringList makes;
    for (const StorageId output : op.outputs) {
        const Storage &storage = graph.storage(output);
        makes << (storage.type.empty() ? QString() : toQString(storage.type) + QStringLiteral(" · ")) +
                     bytesText(storage.bytes);
    }
    details.makes = makes.join(QStringLiteral(", "));
    details.time = opTimeText(model, id);
    details.plan = planText(graph, plan && plan->timeline ? *plan->timeline : *model.keepAll, id);
    details.source = toQString(op.source);
    details.producers = producersOf(*model.open, id);
    details.consumers = consumersOf(*model.open, id);
    return details;
}

QString OpDetails::text() const
{
    QStringList lines;
    lines << name << OpDetailsText::tr("Op: %1 (%2)").arg(kind, node);
    if (!module.isEmpty()) lines << OpDetailsText::tr("Module: %1").arg(module);
    if (!makes.isEmpty()) lines << OpDetailsText::tr("Makes: %1").arg(makes);
    lines << OpDetailsText::tr("Time: %1").arg(time);
    if (!plan.isEmpty()) lines << OpDetailsText::tr("Plan: %1").arg(plan);
    if (!source.isEmpty()) lines << OpDetailsText::tr("Source: %1").arg(source);
    return lines.join(QLatin1Char('\n'));
}

} // namespace remat::studio
