// SPDX-License-Identifier: Apache-2.0
// The R/S matrix, painted; it zooms and pans in both directions.
#pragma once

#include "app/studio/base/plots/layered_plot.h"
#include "app/studio/base/text/op_labels.h"
#include "app/studio/views/shared/time_gestures.h"
#include "core/views/matrix_scene.h"

namespace remat::studio {

/// Hidden it does nothing: what it shows is made anew when it is seen or asked for a picture. GUI thread only.
class MatrixCanvas : public LayeredPlot
{
    Q_OBJECT
public:
    explicit MatrixCanvas(Document *document, QWidget *parent = nullptr);

    const MatrixScene &scene() const;
    bool forwardOnly() const { return m_forwardOnly; }
    void setForwardOnly(bool forwardOnly);
    void fit() override;
    const Viewport &rows() const { return m_rows; }
    const Viewport &columns() const { return m_columns; }
    QRectF plot(QSizeF size) const;
    QRectF plot() const { return plot(size()); }
    /// The middle of a cell, in pixels of the canvas.
    QPointF cellCenter(std::int32_t row, std::int32_t column) const;
    QString opName(OpId op) const;

    QSize minimumSizeHint() const override { return {280, 160}; }

protected:
    void ensure() const override;
    void paintBase(QPainter &painter, QSizeF size, double ratio) const override;
    void paintOverlay(QPainter &painter, QSizeF size, double ratio) const override;
    void paintFocus(QPainter &painter) const override;
    QString tooltipAt(const QPointF &position) const override;
    void showEvent(QShowEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Place {
        std::int32_t row = -1, column = -1;
    };
    void takeData(bool newModel);
    void paintSide(QPainter &painter, QSizeF size, double ratio) const;
    /// Whether graphs so small as this one have the names of their ops at the axes, in a view of this size.
    bool hasNames(QSizeF size) const;
    void paintNames(QPainter &painter, const QRectF &box, const Scale &x, const Scale &y) const;
    void paintAxes(QPainter &painter, const QRectF &box, double ratio) const;
    Scale across(QSizeF size) const;
    Scale down(QSizeF size) const;
    Place placeAt(const QPointF &position) const;
    /// Slot and column of the time cursor, else of the selection.
    Place litPlace() const;
    void zoom(const QPointF &at, double factor);
    void hover(const QPointF &position);
    QString stateText(const Place &place) const;

    Document *m_document;
    TimeGestures *m_gestures; ///< for the keys that step the cursor
    mutable MatrixScene m_scene;
    mutable OpLabels m_labels;
    mutable std::shared_ptr<const CostedModel> m_labelsOf;
    mutable std::shared_ptr<const MemoryTimeline> m_timeline;
    mutable Viewport m_rows, m_columns;
    mutable bool m_stale = true, m_fitNext = true;
    bool m_forwardOnly = false;
    bool m_pressedInside = false, m_moved = false;
    QPointF m_pressed, m_last;
};

} // namespace remat::studio
