// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/curve/curve_table.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"

#include <algorithm>

namespace remat::studio {

CurveTable::CurveTable(CurveCanvas *canvas, QObject *parent)
    : RowTable({{tr("Planner")},
                {tr("Peak"), true},
                {tr("Share of keep-all"), true},
                {tr("Overhead"), true},
                {tr("Peak, measured"), true},
                {tr("Overhead, measured"), true},
                {tr("Best of its planner")}},
               parent),
      m_canvas(canvas)
{
    const auto take = [this] {
        std::vector<CurvePoint> points;
        for (const CurvePoint *point : pointsByPeak(m_canvas->scene()))
            points.push_back(*point);
        order(points);
        if (m_points == points && m_keepAllPeakBytes == m_canvas->scene().keepAllPeakBytes) return;
        beginResetModel();
        m_points = std::move(points);
        m_keepAllPeakBytes = m_canvas->scene().keepAllPeakBytes;
        endResetModel();
    };
    connect(m_canvas, &CurveCanvas::sceneChanged, this, take);
    take();
}

void CurveTable::order(std::vector<CurvePoint> &points) const
{
    const auto before = [this](const CurvePoint &a, const CurvePoint &b) {
        switch (m_sortColumn) {
        case Planner:
            return a.title < b.title;
        case Overhead:
            return a.overhead < b.overhead;
        case MeasuredPeak:
            return a.measuredPeakBytes < b.measuredPeakBytes;
        case MeasuredOverhead:
            return a.measuredOverhead < b.measuredOverhead;
        case OnFront:
            return !a.dominated && b.dominated;
        default:
            return a.peakBytes < b.peakBytes;
        }
    };
    if (m_sortOrder == Qt::AscendingOrder)
        std::stable_sort(points.begin(), points.end(), before);
    else
        std::stable_sort(points.begin(), points.end(),
                         [&](const CurvePoint &a, const CurvePoint &b) { return before(b, a); });
}

void CurveTable::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    Q_EMIT layoutAboutToBeChanged();
    const std::vector<CurvePoint> before = m_points;
    this->order(m_points);
    for (const QModelIndex &index : persistentIndexList()) {
        const auto &point = before[static_cast<std::size_t>(index.row())];
        const auto place = std::find(m_points.begin(), m_points.end(), point) - m_points.begin();
        changePersistentIndex(index, this->index(static_cast<int>(place), index.column()));
    }
    Q_EMIT layoutChanged();
}

int CurveTable::rows() const
{
    return static_cast<int>(m_points.size());
}

QVariant CurveTable::cell(int row, int column, int role) const
{
    if (role != Qt::DisplayRole) return {};
    const CurvePoint &point = m_points[static_cast<std::size_t>(row)];
    switch (column) {
    case Planner:
        return point.title;
    case Peak:
        return memoryText(point.peakBytes);
    case PeakShare:
        return memoryShareText(static_cast<double>(point.peakBytes) / static_cast<double>(m_keepAllPeakBytes));
    case Overhead:
        return shareText(point.overhead);
    case MeasuredPeak:
        return point.measuredPeakBytes ? memoryText(*point.measuredPeakBytes) : dash();
    case MeasuredOverhead:
        return point.measuredOverhead ? shareText(*point.measuredOverhead) : dash();
    default:
        if (point.planId < 0) return tr("reference");
        return point.dominated ? tr("no") : tr("yes");
    }
}

} // namespace remat::studio
