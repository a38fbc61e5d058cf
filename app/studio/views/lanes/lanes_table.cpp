// SPDX-License-Identifier: Apache-2.0
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
                {tr("Measured"), true},
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
    for (const Span &wait : scene.lanes().waits)
        m_entries.push_back({std::nullopt, {wait.from, wait.to, -1, {}, waitedFor(scene.lanes(), wait)}});
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
    const QVariant missing = role == kValueRole ? QVariant() : QVariant(dash());
    switch (column) {
    case LaneColumn:
        return lane ? laneText(*lane) : tr("Wait");
    case Name:
        if (!event.op && !event.storage) return dash();
        return event.op ? scene.labels().op(scene.graph(), event.op)
                        : scene.labels().storage(scene.graph(), event.storage);
    case Step:
        return event.step < 0 ? missing : countCell(event.step, role);
    case Start:
        return timeCell(event.fromUs, role);
    case Duration:
        return timeCell(event.toUs - event.fromUs, role);
    case Measured: {
        if (!scene.measured() || event.step < 0) return missing;
        const StepMeasurement &took = (*scene.measured())[static_cast<std::size_t>(event.step)];
        return timeCell(took.endUs - took.startUs, role);
    }
    default:
        if (!event.storage || !lane) return missing;
        return bytesCell(scene.graph().storage(event.storage).bytes, role);
    }
}

} // namespace remat::studio
