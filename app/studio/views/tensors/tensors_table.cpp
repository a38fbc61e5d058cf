// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/tensors/tensors_table.h"

#include "app/studio/base/text/state_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"
#include "core/views/graph_names.h"
#include "core/views/plan_use.h"

#include <algorithm>

namespace remat::studio {

namespace {

constexpr std::size_t kNamed = 3; ///< readers that are named; more are counted

/// `[8,512]` of `f32[8,512]`.
QString shapeText(const std::string &type)
{
    const std::size_t bracket = type.find('[');
    return bracket == std::string::npos ? dash() : toQString(type.substr(bracket));
}

} // namespace

TensorsTable::TensorsTable(TensorsData &data, QObject *parent)
    : RowTable({{tr("Tensor")},
                {tr("Op")},
                {tr("Shape")},
                {tr("Type")},
                {tr("Bytes"), true},
                {tr("State")},
                {tr("Since"), true},
                {tr("Until"), true},
                {tr("Read by")},
                {tr("Why")},
                {tr("Module")},
                {tr("Source")}},
               parent),
      m_data(data)
{
}

void TensorsTable::refresh()
{
    beginResetModel();
    m_rows = m_data.tensors();
    endResetModel();
}

StorageId TensorsTable::storageAt(int row) const
{
    return m_rows[static_cast<std::size_t>(row)].storage;
}

int TensorsTable::rowOf(StorageId storage) const
{
    const auto row =
        std::find_if(m_rows.begin(), m_rows.end(), [storage](const auto &each) { return each.storage == storage; });
    return row == m_rows.end() ? -1 : static_cast<int>(row - m_rows.begin());
}

int TensorsTable::rows() const
{
    return static_cast<int>(m_rows.size());
}

QString TensorsTable::readersText(const SavedTensor &tensor) const
{
    QStringList names;
    for (std::size_t i = 0; i < std::min(tensor.readers.size(), kNamed); ++i)
        names << m_data.label(tensor.readers[i]);
    if (tensor.readers.size() > kNamed)
        names << tr("%1 more").arg(countText(static_cast<std::int64_t>(tensor.readers.size() - kNamed)));
    return names.join(QStringLiteral(", "));
}

QString TensorsTable::whyText(const SavedTensor &tensor) const
{
    const Graph &graph = m_data.graph();
    QStringList kinds;
    for (const OpId reader : tensor.readers) {
        const remat::Op &op = graph.op(reader);
        const QString kind = op.forwardOp ? QStringLiteral("∂ ") + toQString(humanKind(graph.op(op.forwardOp).kind))
                                          : toQString(humanKind(op.kind));
        if (!kinds.contains(kind)) kinds << kind;
    }
    const QString readers = kinds.join(QStringLiteral(", "));
    return tensor.fate == Fate::Recomputed  ? tr("Computed again for %1").arg(readers)
           : tensor.fate == Fate::Offloaded ? tr("Brought back for %1").arg(readers)
                                            : tr("Saved for %1").arg(readers);
}

QVariant TensorsTable::said(const SavedTensor &tensor, int column, int role) const
{
    const Graph &graph = m_data.graph();
    const Storage &storage = graph.storage(tensor.storage);
    const remat::Op &op = graph.op(tensor.producer);
    switch (column) {
    case Name:
        return role == Qt::ToolTipRole ? toQString(storage.name) : m_data.label(tensor.storage);
    case Op:
        return toQString(humanKind(op.kind));
    case Shape:
        return shapeText(storage.type);
    case Type:
        return storage.type.empty() ? dash() : toQString(scalarType(storage.type));
    case Bytes:
        return bytesCell(storage.bytes, role);
    case State:
        return stateText(stateOf(tensor.fate));
    case Since:
        return role == Qt::ToolTipRole ? QVariant(tr("Step %1").arg(countText(tensor.sinceStep)))
                                       : timeCell(tensor.sinceUs, role);
    case Until:
        return role == Qt::ToolTipRole ? QVariant(tr("Step %1").arg(countText(tensor.untilStep)))
                                       : timeCell(tensor.untilUs, role);
    case Readers:
        return readersText(tensor);
    case Why:
        return whyText(tensor);
    case Module:
        return toQString(op.module);
    default:
        return toQString(op.source);
    }
}

QVariant TensorsTable::cell(int row, int column, int role) const
{
    if (role == kQuietRole) return column != Name;
    if (role == kPlainNameRole) return true;
    if (!isSaid(role) || !m_data.document().model()) return {};
    return said(m_rows[static_cast<std::size_t>(row)], column, role);
}

SumsTable::SumsTable(TensorsData &data, QObject *parent)
    : RowTable({{tr("Group")},
                {tr("Tensors"), true},
                {tr("Bytes"), true},
                {tr("Kept"), true},
                {tr("Recomputed"), true},
                {tr("Offloaded"), true}},
               parent),
      m_data(data)
{
}

void SumsTable::refresh(GroupBy by)
{
    beginResetModel();
    m_rows = m_data.sums(by);
    endResetModel();
}

int SumsTable::rows() const
{
    return static_cast<int>(m_rows.size());
}

QVariant SumsTable::cell(int row, int column, int role) const
{
    if (role == kQuietRole) return column != Group;
    if (role == kPlainNameRole) return true;
    if (!isSaid(role)) return {};
    const SavedSum &sum = m_rows[static_cast<std::size_t>(row)];
    switch (column) {
    case Group:
        return sum.name.empty() ? tr("(none)") : toQString(sum.name);
    case Tensors:
        return countCell(sum.tensors, role);
    case Bytes:
        return bytesCell(sum.bytes, role);
    case Kept:
        return bytesCell(sum.keptBytes, role);
    case Recomputed:
        return bytesCell(sum.recomputedBytes, role);
    default:
        return bytesCell(sum.offloadedBytes, role);
    }
}

} // namespace remat::studio
