#include "app/studio/curve_view/curve_table.h"

#include "app/studio/document/text.h"

namespace remat::studio {

CurveTable::CurveTable(CurveCanvas *canvas, QObject *parent) : QAbstractTableModel(parent), m_canvas(canvas)
{
    const auto take = [this] {
        if (m_points == m_canvas->scene().points && m_keepAllPeakBytes == m_canvas->scene().keepAllPeakBytes) return;
        beginResetModel();
        m_points = m_canvas->scene().points;
        m_keepAllPeakBytes = m_canvas->scene().keepAllPeakBytes;
        endResetModel();
    };
    connect(m_canvas, &CurveCanvas::sceneChanged, this, take);
    take();
}

int CurveTable::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_points.size());
}

int CurveTable::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant CurveTable::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || role != Qt::DisplayRole) return {};
    const CurvePoint &point = m_points[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
    case Planner:
        return point.title;
    case Peak:
        return bytesText(point.peakBytes, Rounding::Up);
    case PeakShare:
        return shareText(static_cast<double>(point.peakBytes) / static_cast<double>(m_keepAllPeakBytes), Rounding::Up);
    case Overhead:
        return shareText(point.overhead);
    case MeasuredPeak:
        return point.measuredPeakBytes ? bytesText(*point.measuredPeakBytes) : dash();
    case MeasuredOverhead:
        return point.measuredOverhead ? shareText(*point.measuredOverhead) : dash();
    case OnFront:
        return point.dominated ? tr("no") : tr("yes");
    default:
        return {};
    }
}

QVariant CurveTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Planner:
        return tr("Planner");
    case Peak:
        return tr("Peak");
    case PeakShare:
        return tr("Share of keep-all");
    case Overhead:
        return tr("Overhead");
    case MeasuredPeak:
        return tr("Peak, measured");
    case MeasuredOverhead:
        return tr("Overhead, measured");
    case OnFront:
        return tr("On its planner's front");
    default:
        return {};
    }
}

} // namespace remat::studio
