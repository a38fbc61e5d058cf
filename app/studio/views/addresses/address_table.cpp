// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/addresses/address_table.h"

#include "app/studio/base/text/category_text.h"

namespace remat::studio {

AddressTable::AddressTable(AddressCanvas *canvas, QObject *parent)
    : RowTable({{tr("Storage")},
                {tr("Category")},
                {tr("Offset"), true},
                {tr("Bytes"), true},
                {tr("First step"), true},
                {tr("Last step"), true}},
               parent),
      m_canvas(canvas)
{
}

void AddressTable::take()
{
    if (m_map == m_canvas->scene().map) return;
    beginResetModel();
    m_map = m_canvas->scene().map;
    endResetModel();
}

int AddressTable::rows() const
{
    return m_map ? static_cast<int>(m_map->blocks.size()) : 0;
}

QVariant AddressTable::cell(int row, int column, int role) const
{
    if (!isSaid(role)) return {};
    const AddressBlock &block = m_map->blocks[static_cast<std::size_t>(row)];
    switch (column) {
    case Name:
        return m_canvas->nameOf(block);
    case CategoryColumn:
        return categoryText(block.category);
    case Offset:
        return bytesCell(block.offset, role);
    case Bytes:
        return bytesCell(block.bytes, role);
    case FirstStep:
        return countCell(block.firstStep, role);
    default:
        return countCell(block.endStep - 1, role);
    }
}

} // namespace remat::studio
