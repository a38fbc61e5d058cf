// Base of the painted views over time beside the memory view: one base picture, an overlay that follows the mouse, and
// the gestures they all share.
#pragma once

#include "app/studio/plots/plot_canvas.h"
#include "app/studio/plots/sample_axis.h"
#include "app/studio/plots/time_gestures.h"

#include <QPixmap>

namespace remat::studio {

/// Hidden it does nothing: what it shows is made anew when it is seen or asked for a picture. GUI thread only.
class TimePlot : public PlotCanvas
{
    Q_OBJECT
public:
    explicit TimePlot(Document *document, QWidget *parent = nullptr);

    void paintPlot(QPainter &painter, const QSizeF &size, double devicePixelRatio) const final;
    void fit() override;
    TimeGestures &gestures() { return *m_gestures; }
    QSize minimumSizeHint() const override { return {480, 188}; }
    virtual TimeArea areaAt(QSizeF size) const = 0;
    TimeArea area() const { return areaAt(size()); }

Q_SIGNALS:
    /// What is shown is about another plan, model or axis.
    void sceneChanged();

protected:
    /// Model, plan or kind of axis are others than when it was called last.
    virtual void rebuild() const = 0;
    /// What changes with plan, visible part and size only.
    virtual void paintBase(QPainter &painter, QSizeF size, double ratio) const = 0;
    /// What follows mouse, selection and range; the cursor is painted already.
    virtual void paintOverlay(QPainter &painter, QSizeF size, double ratio) const = 0;
    /// What is at a position; nothing where there is nothing.
    virtual Selection selectionAt(const QPointF &position) const = 0;
    virtual QString tooltipAt(const QPointF &position) const = 0;
    /// Down to where range and cursor reach.
    virtual double cursorBottom(QSizeF size) const;
    /// The cursor goes where the mouse is.
    virtual bool cursorFollowsMouse() const { return true; }

    void ensure() const;
    /// The base is painted anew.
    void refresh();
    Document *document() const { return m_document; }

    void paintEvent(QPaintEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool event(QEvent *event) override;

private:
    void takeData();
    void takeAxis();
    void paintMoving(QPainter &painter, QSizeF size, double ratio) const;

    Document *m_document;
    TimeGestures *m_gestures;
    QPixmap m_base;
    bool m_baseStale = true;
    bool m_focusShown = false;
    mutable bool m_stale = true;
    AxisKind m_kind = AxisKind::Time;
};

} // namespace remat::studio
