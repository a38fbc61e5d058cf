// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/matrix/matrix_table.h"

namespace remat::studio {

MatrixTable::MatrixTable(MatrixCanvas *canvas, QObject *parent)
    : RowTable({{tr("Op")}, {tr("What")}, {tr("From slot"), true}, {tr("To slot"), true}}, parent), m_canvas(canvas)
{
    connect(canvas, &MatrixCanvas::sceneChanged, this, [this] {
        beginResetModel();
        m_stale = true;
        endResetModel();
    });
}

const std::vector<MatrixTable::Entry> &MatrixTable::entries() const
{
    if (!m_stale) return m_entries;
    m_stale = false;
    m_entries.clear();
    const MatrixScene &scene = m_canvas->scene();
    const auto opOf = [&](std::int32_t column) { return scene.columns[static_cast<std::size_t>(column)]; };
    for (const MatrixCell &cell : scene.cells)
        if (cell.recomputed) m_entries.push_back({opOf(cell.column), false, cell.row, cell.row});
    for (const KeptSpan &span : scene.kept)
        m_entries.push_back({opOf(span.column), true, span.fromRow, span.toRow - 1});
    return m_entries;
}

int MatrixTable::rows() const
{
    return static_cast<int>(entries().size());
}

QVariant MatrixTable::cell(int row, int column, int role) const
{
    if (!isSaid(role)) return {};
    const Entry &entry = entries()[static_cast<std::size_t>(row)];
    if (column == Operation) return m_canvas->opName(entry.op);
    if (column == What) return entry.kept ? tr("kept") : tr("computed again");
    return countCell(column == FromSlot ? entry.fromSlot : entry.toSlot, role);
}

} // namespace remat::studio
