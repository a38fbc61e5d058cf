#include "app/studio/graph_view/graph_table.h"

#include "app/studio/document/text.h"
#include "app/studio/graph_view/card_text.h"

namespace remat::studio {

GraphTable::GraphTable(const GraphScene &scene, QObject *parent) : QAbstractTableModel(parent), m_scene(scene) {}

void GraphTable::resetItems()
{
    beginResetModel();
    m_rows = static_cast<int>(m_scene.picture.items.size());
    endResetModel();
}

void GraphTable::figuresChanged()
{
    if (m_rows > 0) Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, ColumnCount - 1));
}

int GraphTable::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int GraphTable::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant GraphTable::data(const QModelIndex &index, int role) const
{
    const bool number = index.column() == Bytes || index.column() == Time || index.column() == Recomputed;
    if (role == Qt::TextAlignmentRole && number) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole || !index.isValid() || index.row() >= m_rows) return {};
    const GraphItem &item = m_scene.picture.item(index.row());
    switch (index.column()) {
    case Name:
        return cardTitle(m_scene, item);
    case Pass:
        return item.shape == ItemShape::LossCard ? tr("Loss")
               : item.side == Side::Forward      ? tr("Forward")
                                                 : tr("Backward");
    case Kind:
        return cardKind(m_scene, item);
    case State:
        return stateName(cardState(m_scene, item));
    case Bytes:
        return cardBytes(m_scene, item);
    case Time:
        return cardTime(m_scene, item);
    case Recomputed:
        return countText(m_scene.figuresOf(item).recomputedOps);
    case Path:
        return toQString(m_scene.nodeOf(item).path);
    default:
        return {};
    }
}

QVariant GraphTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Name:
        return tr("Name");
    case Pass:
        return tr("Pass");
    case Kind:
        return tr("Kind");
    case State:
        return tr("State");
    case Bytes:
        return tr("Bytes");
    case Time:
        return tr("Time");
    case Recomputed:
        return tr("Recomputed ops");
    case Path:
        return tr("Path");
    default:
        return {};
    }
}

} // namespace remat::studio
