// SPDX-License-Identifier: Apache-2.0
// The trade-off plot as a table, for screen readers, tests and export.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "app/studio/views/curve/curve_canvas.h"

namespace remat::studio {

/// One row per plan and reference, by peak until it is sorted otherwise.
class CurveTable : public RowTable
{
    Q_OBJECT
public:
    enum { Planner, Peak, PeakShare, Overhead, MeasuredPeak, MeasuredOverhead, OnFront };

    explicit CurveTable(CurveCanvas *canvas, QObject *parent = nullptr);
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;
    void order(std::vector<CurvePoint> &points) const;

    CurveCanvas *m_canvas;
    std::vector<CurvePoint> m_points;
    std::int64_t m_keepAllPeakBytes = 0;
    int m_sortColumn = Peak;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace remat::studio
