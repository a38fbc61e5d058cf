#include "app/studio/address_view/address_table.h"

#include "app/studio/document/text.h"

#include <QCoreApplication>

namespace remat::studio {

AddressTable::AddressTable(AddressCanvas *canvas, QObject *parent) : QAbstractTableModel(parent), m_canvas(canvas) {}

void AddressTable::take()
{
    if (m_map == m_canvas->scene().map) return;
    beginResetModel();
    m_map = m_canvas->scene().map;
    endResetModel();
}

int AddressTable::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_map ? 0 : static_cast<int>(m_map->blocks.size());
}

int AddressTable::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant AddressTable::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !m_map) return {};
    const AddressBlock &block = m_map->blocks[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((column <= CategoryColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != kValueRole && role != Qt::ToolTipRole) return {};
    if (column == Name) return m_canvas->nameOf(block);
    if (column == CategoryColumn) return QCoreApplication::translate("Category", categoryName(block.category));
    const std::int64_t value = column == Offset      ? block.offset
                               : column == Bytes     ? block.bytes
                               : column == FirstStep ? block.firstStep
                                                     : block.endStep - 1;
    if (role == kValueRole) return qint64(value);
    if (column == FirstStep || column == LastStep) return countText(value);
    return role == Qt::ToolTipRole ? exactBytesText(value) : bytesText(value);
}

QVariant AddressTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Name:
        return tr("Storage");
    case CategoryColumn:
        return tr("Category");
    case Offset:
        return tr("Offset");
    case Bytes:
        return tr("Bytes");
    case FirstStep:
        return tr("First step");
    case LastStep:
        return tr("Last step");
    default:
        return {};
    }
}

} // namespace remat::studio
