// SPDX-License-Identifier: Apache-2.0
// The lanes of a plan over time, painted.
#pragma once

#include "app/studio/views/lanes/lanes_scene.h"
#include "app/studio/views/shared/time_plot.h"

#include <functional>

namespace remat::studio {

/// GUI thread only.
class LanesCanvas : public TimePlot
{
    Q_OBJECT
public:
    explicit LanesCanvas(Document *document, QWidget *parent = nullptr);

    /// Made when it is first asked for after a change.
    const LanesScene &scene() const;
    /// Where a lane lies; for tests, and for the mouse.
    QRectF rowRect(Lane lane) const;
    TimeArea areaAt(QSizeF size) const override;

protected:
    void rebuild() const override;
    void paintBase(QPainter &painter, QSizeF size, double ratio) const override;
    void paintMarks(QPainter &painter, QSizeF size, double ratio) const override;
    Selection selectionAt(const QPointF &position) const override;
    QString markTooltip(const QPointF &position) const override;

private:
    struct Rows {
        TimeArea area;
        std::vector<std::pair<const LaneRow *, QRectF>> rows; ///< modules first
    };
    Rows rowsAt(QSizeF size) const;
    void paintRow(QPainter &painter, const LaneRow &row, const QRectF &box, const Scale &x, double ratio) const;
    static void paintMeasured(QPainter &painter, const LaneRow &row, const QRectF &box, const Scale &x);
    void paintCritical(QPainter &painter, const Rows &rows) const;
    void paintFigures(QPainter &painter, const Rows &rows, QSizeF size) const;
    void paintMinimap(QPainter &painter, const TimeArea &area, double ratio) const;
    /// Around the blocks of an op, or else a storage, that is meant.
    void paintOutlines(QPainter &painter, const Rows &rows, const std::function<bool(OpId, StorageId)> &isMeant,
                       const QPen &pen) const;
    /// Row and block under a position; none: nullptr.
    std::pair<const LaneRow *, FoldedBlock> markAt(const QPointF &position) const;
    /// Explains a wait of compute under a position; empty where there is none.
    QString waitTooltip(const QPointF &position) const;
    void describe();

    mutable LanesScene m_scene;
};

} // namespace remat::studio
