// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/widgets/row_table.h"

#include "app/studio/base/text/text.h"

namespace remat::studio {

RowTable::RowTable(std::vector<Column> columns, QObject *parent)
    : QAbstractTableModel(parent), m_columns(std::move(columns))
{
}

int RowTable::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : rows();
}

int RowTable::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant RowTable::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rows()) return {};
    if (role == Qt::TextAlignmentRole) return headerData(index.column(), Qt::Horizontal, role);
    return cell(index.row(), index.column(), role);
}

QVariant RowTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const Column &column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((column.figures ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(column.title) : QVariant();
}

void RowTable::cellsChanged()
{
    cellsChanged(0, columnCount() - 1);
}

void RowTable::cellsChanged(int firstColumn, int lastColumn)
{
    if (rows() > 0) Q_EMIT dataChanged(index(0, firstColumn), index(rows() - 1, lastColumn));
}

QVariant RowTable::bytesCell(std::int64_t bytes, int role)
{
    if (role == kValueRole) return qint64(bytes);
    return role == Qt::ToolTipRole ? exactBytesText(bytes) : bytesText(bytes);
}

QVariant RowTable::countCell(std::int64_t count, int role)
{
    return role == kValueRole ? QVariant(qint64(count)) : QVariant(countText(count));
}

QVariant RowTable::timeCell(double timeUs, int role)
{
    return role == kValueRole ? QVariant(timeUs) : QVariant(timeText(timeUs));
}

} // namespace remat::studio
