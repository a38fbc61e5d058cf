// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/graph_table.h"

#include "app/studio/base/text/state_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/views/graph/card_text.h"

namespace remat::studio {

GraphTable::GraphTable(const GraphScene &scene, QObject *parent)
    : RowTable({{tr("Name")},
                {tr("Pass")},
                {tr("Kind")},
                {tr("State")},
                {tr("Bytes"), true},
                {tr("Time"), true},
                {tr("Recomputed ops"), true},
                {tr("Path")}},
               parent),
      m_scene(scene)
{
}

void GraphTable::resetItems()
{
    beginResetModel();
    m_items = static_cast<int>(m_scene.picture.items.size());
    endResetModel();
}

void GraphTable::figuresChanged()
{
    cellsChanged();
}

int GraphTable::rows() const
{
    return m_items;
}

QVariant GraphTable::cell(int row, int column, int role) const
{
    if (role != Qt::DisplayRole) return {};
    const GraphItem &item = m_scene.picture.item(row);
    switch (column) {
    case Name:
        return cardTitle(m_scene, item);
    case Pass:
        return item.shape == ItemShape::LossCard ? tr("Loss")
               : item.side == Side::Forward      ? tr("Forward")
                                                 : tr("Backward");
    case Kind:
        return cardKind(m_scene, item);
    case State:
        return stateText(cardState(m_scene, item));
    case Bytes:
        return cardBytes(m_scene, item);
    case Time:
        return cardTime(m_scene, item);
    case Recomputed:
        return countText(m_scene.figuresOf(item).recomputedOps);
    default:
        return toQString(m_scene.nodeOf(item).path);
    }
}

} // namespace remat::studio
