#include "app/studio/views/lanes/lanes_table.h"

#include "app/studio/base/text/lane_text.h"
#include "app/studio/base/text/text.h"

#include <algorithm>

namespace remat::studio {

LanesTable::LanesTable(LanesCanvas *canvas, QObject *parent)
    : RowTable({{tr("Lane")},
                {tr("Op or storage")},
                {tr("Step"), true},
                {tr("Start"), true},
                {tr("Time"), true},
                {tr("Bytes"), true}},
               parent),
      m_canvas(canvas)
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

int LanesTable::rows() const
{
    return static_cast<int>(entries().size());
}

QVariant LanesTable::cell(int row, int column, int role) const
{
    if (!isSaid(role)) return {};
    const auto &[lane, event] = entries()[static_cast<std::size_t>(row)];
    const LanesScene &scene = m_canvas->scene();
    switch (column) {
    case LaneColumn:
        return laneText(lane);
    case Name:
        return event.op ? scene.labels().op(scene.graph(), event.op)
                        : scene.labels().storage(scene.graph(), event.storage);
    case Step:
        return countCell(event.step, role);
    case Start:
        return timeCell(event.fromUs, role);
    case Duration:
        return timeCell(event.toUs - event.fromUs, role);
    default:
        if (event.op) return role == kValueRole ? QVariant() : QVariant(dash());
        return bytesCell(scene.graph().storage(event.storage).bytes, role);
    }
}

} // namespace remat::studio
