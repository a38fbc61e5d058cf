// The trade-off plot as a table, for screen readers, tests and export.
#pragma once

#include "app/studio/curve_view/curve_canvas.h"

#include <QAbstractTableModel>

namespace remat::studio {

/// One row per plan and reference, by peak until it is sorted otherwise.
class CurveTable : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Planner, Peak, PeakShare, Overhead, MeasuredPeak, MeasuredOverhead, OnFront, kColumns };

    explicit CurveTable(CurveCanvas *canvas, QObject *parent = nullptr);
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    void order(std::vector<CurvePoint> &points) const;

    CurveCanvas *m_canvas;
    std::vector<CurvePoint> m_points;
    std::int64_t m_keepAllPeakBytes = 0;
    int m_sortColumn = Peak;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace remat::studio
