#include "app/studio/lanes_view/lanes_table.h"

#include "app/studio/document/text.h"

#include <algorithm>

namespace remat::studio {

LanesTable::LanesTable(LanesCanvas *canvas, QObject *parent) : QAbstractTableModel(parent), m_canvas(canvas)
{
    connect(canvas, &LanesCanvas::sceneChanged, this, [this] {
        beginResetModel();
        m_stale = true;
        endResetModel();
    });
}

const std::vector<LanesTable::Entry> &LanesTable::entries() const
{
    if (!m_stale) return m_entries;
    m_stale = false;
    m_entries.clear();
    const LanesScene &scene = m_canvas->scene();
    if (!scene.hasModel()) return m_entries;
    for (const LaneRow &row : scene.rows())
        for (const LaneEvent &event : scene.lanes().of(row.lane))
            m_entries.push_back({row.lane, event});
    std::stable_sort(m_entries.begin(), m_entries.end(),
                     [](const Entry &a, const Entry &b) { return a.event.fromUs < b.event.fromUs; });
    return m_entries;
}

int LanesTable::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(entries().size());
}

int LanesTable::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant LanesTable::data(const QModelIndex &index, int role) const
{
    if (!index.isValid()) return {};
    const Entry &entry = entries()[static_cast<std::size_t>(index.row())];
    const LanesScene &scene = m_canvas->scene();
    const int column = index.column();
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((column <= Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != kValueRole && role != Qt::ToolTipRole) return {};
    const bool value = role == kValueRole;
    const LaneEvent &event = entry.event;
    switch (column) {
    case LaneColumn:
        return laneName(entry.lane);
    case Name:
        return event.op ? scene.labels().op(scene.graph(), event.op)
                        : scene.labels().storage(scene.graph(), event.storage);
    case Step:
        return value ? QVariant(qint64(event.step)) : QVariant(countText(event.step));
    case Start:
        return value ? QVariant(event.fromUs) : QVariant(timeText(event.fromUs));
    case Duration:
        return value ? QVariant(event.toUs - event.fromUs) : QVariant(timeText(event.toUs - event.fromUs));
    case Bytes: {
        if (event.op) return value ? QVariant() : QVariant(dash());
        const std::int64_t bytes = scene.graph().storage(event.storage).bytes;
        if (value) return qint64(bytes);
        return role == Qt::ToolTipRole ? exactBytesText(bytes) : bytesText(bytes);
    }
    default:
        return {};
    }
}

QVariant LanesTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case LaneColumn:
        return tr("Lane");
    case Name:
        return tr("Op or storage");
    case Step:
        return tr("Step");
    case Start:
        return tr("Start");
    case Duration:
        return tr("Time");
    case Bytes:
        return tr("Bytes");
    default:
        return {};
    }
}

} // namespace remat::studio
