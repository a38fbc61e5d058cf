// SPDX-License-Identifier: Apache-2.0
// The overlay of compared plans as a widget: mouse and keys.
#pragma once

#include "app/studio/base/plots/layered_plot.h"
#include "app/studio/views/compare/compare_painter.h"
#include "app/studio/work/document/time_window.h"

namespace remat::studio {

/// Shows a scene it is given; moves the document's cursor, time window and selection. GUI thread only.
class CompareCanvas : public LayeredPlot
{
    Q_OBJECT
public:
    explicit CompareCanvas(Document *document, QWidget *parent = nullptr);

    void setScene(CompareScene scene);
    const CompareScene &scene() const { return m_scene; }
    CompareLayout layout() const;
    QSize minimumSizeHint() const override { return {280, 160}; }

Q_SIGNALS:
    void cursorMoved(); ///< the scene's cursor is another

protected:
    void paintBase(QPainter &painter, QSizeF size, double ratio) const override;
    void paintOverlay(QPainter &painter, QSizeF size, double ratio) const override;
    QString tooltipAt(const QPointF &at) const override;
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
    void moveCursor(const QPointF &at);
    void stepCursor(int by);
    void describe();

    Document *m_document;
    CompareScene m_scene;
    bool m_dragging = false, m_moved = false;
    QPointF m_pressed;
    double m_lastX = 0;
};

} // namespace remat::studio
