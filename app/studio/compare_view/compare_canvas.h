// The overlay of compared plans as a widget: mouse and keys.
#pragma once

#include "app/studio/compare_view/compare_painter.h"
#include "app/studio/document/time_window.h"
#include "app/studio/plots/plot_canvas.h"

#include <QPixmap>

namespace remat::studio {

/// Shows a scene it is given; moves the document's cursor, time window and selection. GUI thread only.
class CompareCanvas : public PlotCanvas
{
    Q_OBJECT
public:
    explicit CompareCanvas(Document *document, QWidget *parent = nullptr);

    void setScene(CompareScene scene);
    const CompareScene &scene() const { return m_scene; }
    CompareLayout layout() const;
    void paintPlot(QPainter &painter, const QSizeF &size, double devicePixelRatio) const override;
    QSize minimumSizeHint() const override { return {420, 220}; }

Q_SIGNALS:
    void cursorMoved(); ///< the scene's cursor is another

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    CompareLook lookAt(const QSizeF &size, double devicePixelRatio) const;
    void changed();
    void moveCursor(const QPointF &at);
    void stepCursor(int by);
    void describe();
    QString tooltipAt(const QPointF &at) const;

    Document *m_document;
    CompareScene m_scene;
    QPixmap m_base;
    bool m_baseStale = true;
    bool m_dragging = false, m_moved = false;
    QPointF m_pressed;
    double m_lastX = 0;
};

} // namespace remat::studio
