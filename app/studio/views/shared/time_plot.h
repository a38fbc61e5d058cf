// SPDX-License-Identifier: Apache-2.0
// Base of the painted views over time beside the memory view: one base picture, an overlay that follows the mouse, and
// the gestures they all share.
#pragma once

#include "app/studio/base/plots/layered_plot.h"
#include "app/studio/views/shared/time_gestures.h"
#include "core/views/sample_axis.h"

namespace remat::studio {

/// Hidden it does nothing: what it shows is made anew when it is seen or asked for a picture. GUI thread only.
class TimePlot : public LayeredPlot
{
    Q_OBJECT
public:
    explicit TimePlot(Document *document, QWidget *parent = nullptr);

    void fit() override;
    TimeGestures &gestures() { return *m_gestures; }
    QSize minimumSizeHint() const override { return {280, 188}; }
    virtual TimeArea areaAt(QSizeF size) const = 0;
    TimeArea area() const { return areaAt(size()); }

protected:
    /// Model, plan or kind of axis are others than when it was called last.
    virtual void rebuild() const = 0;
    /// What follows mouse and selection, between range and cursor.
    virtual void paintMarks(QPainter &painter, QSizeF size, double ratio) const = 0;
    /// What is at a position; nothing where there is nothing.
    virtual Selection selectionAt(const QPointF &position) const = 0;
    /// Explains the mark at a position in the plot.
    virtual QString markTooltip(const QPointF &position) const = 0;
    /// Down to where range and cursor reach.
    virtual double cursorBottom(QSizeF size) const;
    /// The cursor goes where the mouse is.
    virtual bool cursorFollowsMouse() const { return true; }

    void ensure() const final;
    Document *document() const { return m_document; }

    void paintOverlay(QPainter &painter, QSizeF size, double ratio) const final;
    void paintFocus(QPainter &painter) const override;
    QString tooltipAt(const QPointF &position) const final;
    void showEvent(QShowEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void takeData();
    void takeAxis();

    Document *m_document;
    TimeGestures *m_gestures;
    mutable bool m_stale = true;
    AxisKind m_kind = AxisKind::Time;
};

} // namespace remat::studio
