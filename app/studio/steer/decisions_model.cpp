#include "app/studio/steer/decisions_model.h"

#include "app/studio/document/text.h"
#include "app/studio/panels/table_look.h"

namespace remat::studio {

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
    m_rows.clear();
    if (m_model) {
        for (const StorageId storage : pins.keep)
            m_rows.push_back({Decision::Keep, m_model->graph().storage(storage).producer, storage});
        for (const OpId op : pins.recompute)
            m_rows.push_back({Decision::Recompute, op, {}});
        for (const OpId op : pins.never)
            m_rows.push_back({Decision::Never, op, {}});
    }
    endResetModel();
}

Pins DecisionsModel::without(Pins pins, const DecisionRow &row)
{
    if (row.kind == Decision::Keep) std::erase(pins.keep, row.storage);
    if (row.kind == Decision::Recompute) std::erase(pins.recompute, row.op);
    if (row.kind == Decision::Never) std::erase(pins.never, row.op);
    return pins;
}

int DecisionsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DecisionsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant DecisionsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const DecisionRow &row = this->row(index.row());
    const Graph &graph = m_model->graph();
    if (role == kQuietRole) return index.column() != What;
    if (role == kPlainNameRole) return true;
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() == What ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::AccessibleTextRole) return {};
    std::int64_t bytes = row.storage ? graph.storage(row.storage).bytes : 0;
    if (!row.storage)
        for (const StorageId output : graph.op(row.op).outputs)
            bytes += graph.storage(output).bytes;
    switch (index.column()) {
    case What: {
        const QString name = row.storage ? m_labels.storage(graph, row.storage) : m_labels.op(graph, row.op);
        if (role == Qt::DisplayRole) return name;
        return QStringLiteral("%1: %2").arg(wordsOf(row.kind), name);
    }
    case Bytes:
        return role == Qt::ToolTipRole ? exactBytesText(bytes) : bytesText(bytes);
    case Remove:
        return role == Qt::DisplayRole ? QVariant() : QVariant(tr("Take this decision back"));
    default:
        return {};
    }
}

QVariant DecisionsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == What ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    return section == What ? tr("Decision") : section == Bytes ? tr("Makes") : QString();
}

} // namespace remat::studio
