// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/decisions/decisions_model.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"

#include <algorithm>

namespace remat::studio {

std::vector<DecisionRow> decisionRows(const Graph &graph, const Pins &pins)
{
    std::vector<DecisionRow> rows;
    for (const StorageId storage : pins.keep) {
        const OpId maker = graph.storage(storage).producer;
        const auto known =
            std::find_if(rows.begin(), rows.end(), [&](const DecisionRow &row) { return maker && row.op == maker; });
        if (known != rows.end())
            known->storages.push_back(storage);
        else
            rows.push_back({Decision::Keep, maker, {storage}});
    }
    for (const OpId op : pins.recompute)
        rows.push_back({Decision::Recompute, op, {}});
    for (const OpId op : pins.never)
        rows.push_back({Decision::Never, op, {}});
    return rows;
}

DecisionsModel::DecisionsModel(QObject *parent)
    : RowTable({{tr("Decision")}, {tr("Makes"), true}, {QString(), true}}, parent)
{
}

QString DecisionsModel::iconOf(Decision kind)
{
    switch (kind) {
    case Decision::Keep:
        return QStringLiteral("pin");
    case Decision::Recompute:
        return QStringLiteral("rotate-ccw");
    case Decision::Never:
        return QStringLiteral("lock");
    case Decision::Clear:
        return QStringLiteral("pin-off");
    }
    return {};
}

QString DecisionsModel::wordsOf(Decision kind)
{
    switch (kind) {
    case Decision::Keep:
        return tr("Keep");
    case Decision::Recompute:
        return tr("Recompute");
    case Decision::Never:
        return tr("Never recompute");
    case Decision::Clear:
        return tr("Clear decision");
    }
    return {};
}

void DecisionsModel::setPins(std::shared_ptr<const CostedModel> model, const Pins &pins)
{
    beginResetModel();
    if (model && (!m_model || m_model->open != model->open)) m_labels = OpLabels(model->graph());
    m_model = std::move(model);
    m_rows = m_model ? decisionRows(m_model->graph(), pins) : std::vector<DecisionRow>();
    endResetModel();
}

Pins DecisionsModel::without(Pins pins, const DecisionRow &row)
{
    if (row.kind == Decision::Keep)
        for (const StorageId storage : row.storages)
            std::erase(pins.keep, storage);
    if (row.kind == Decision::Recompute) std::erase(pins.recompute, row.op);
    if (row.kind == Decision::Never) std::erase(pins.never, row.op);
    return pins;
}

int DecisionsModel::rows() const
{
    return static_cast<int>(m_rows.size());
}

QVariant DecisionsModel::cell(int row, int column, int role) const
{
    if (role == kQuietRole) return column != What;
    if (role == kPlainNameRole) return true;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::AccessibleTextRole) return {};
    const DecisionRow &decision = m_rows[static_cast<std::size_t>(row)];
    const Graph &graph = m_model->graph();
    switch (column) {
    case What: {
        const QString name =
            decision.storage() ? m_labels.storage(graph, decision.storage()) : m_labels.op(graph, decision.op);
        return QStringLiteral("%1: %2").arg(wordsOf(decision.kind), name);
    }
    case Bytes: {
        std::int64_t bytes = 0;
        for (const StorageId storage : decision.storages)
            bytes += graph.storage(storage).bytes;
        if (!decision.storage())
            for (const StorageId output : graph.op(decision.op).outputs)
                bytes += graph.storage(output).bytes;
        return bytesCell(bytes, role);
    }
    default:
        return role == Qt::DisplayRole ? QVariant() : QVariant(tr("Take this decision back"));
    }
}

} // namespace remat::studio
