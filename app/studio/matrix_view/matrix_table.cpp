#include "app/studio/matrix_view/matrix_table.h"

#include "app/studio/document/text.h"

namespace remat::studio {

MatrixTable::MatrixTable(MatrixCanvas *canvas, QObject *parent) : QAbstractTableModel(parent), m_canvas(canvas)
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

int MatrixTable::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(entries().size());
}

int MatrixTable::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant MatrixTable::data(const QModelIndex &index, int role) const
{
    if (!index.isValid()) return {};
    const Entry &entry = entries()[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((column <= What ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != kValueRole) return {};
    if (column == Operation) return m_canvas->opName(entry.op);
    if (column == What) return entry.kept ? tr("kept") : tr("computed again");
    const std::int64_t stage = column == FromStage ? entry.fromStage : entry.toStage;
    return role == kValueRole ? QVariant(qint64(stage)) : QVariant(countText(stage));
}

QVariant MatrixTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Operation:
        return tr("Op");
    case What:
        return tr("What");
    case FromStage:
        return tr("From stage");
    case ToStage:
        return tr("To stage");
    default:
        return {};
    }
}

} // namespace remat::studio
