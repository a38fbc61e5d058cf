// SPDX-License-Identifier: Apache-2.0
// A widget whose picture can also be painted onto an image, an SVG or a page: one routine for all.
#pragma once

#include "app/studio/base/plots/scale.h"

#include <QImage>
#include <QPainter>
#include <QWidget>

#include <vector>

namespace remat::studio {

/// Base of all plots. Repaints with the theme. GUI thread only.
class PlotCanvas : public QWidget
{
    Q_OBJECT
public:
    explicit PlotCanvas(QWidget *parent = nullptr);

    /// The plot at a size in logical pixels, onto any paint device.
    virtual void paintPlot(QPainter &painter, const QSizeF &size, double devicePixelRatio) const = 0;
    /// Shows everything; for plots that can be zoomed.
    virtual void fit() {}
    /// The plot as an image, background included.
    QImage picture(const QSize &size, double devicePixelRatio) const;

Q_SIGNALS:
    /// What is shown is about another plan, model or axis.
    void sceneChanged();

protected:
    /// What is under the mouse; empty for no tooltip.
    virtual QString tooltipAt(const QPointF &) const { return {}; }
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
};

/// Horizontal grid lines over the plot and their labels right-aligned before it.
void paintBytesAxis(QPainter &painter, const QRectF &plot, const Scale &scale, const std::vector<Tick> &ticks);

/// Ticks of 4 px below `y` and labels centred in `labels` (of which only top and height count); labels that would
/// overlap or leave [plot.left() - 30, plot.right() + 30] are left out.
void paintTimeAxis(QPainter &painter, const QRectF &plot, double y, const QRectF &labels, const Scale &scale,
                   const std::vector<Tick> &ticks);

/// `text` cut with an ellipsis to fit `width` in the painter's font.
QString elided(const QPainter &painter, const QString &text, double width, Qt::TextElideMode mode = Qt::ElideRight);

/// The middle of the device pixel that holds `value`, where lines of one pixel are sharp.
double sharp(double value, double devicePixelRatio);

} // namespace remat::studio
