// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/plots/layered_plot.h"

#include "app/studio/base/style/shown_focus.h"

#include <QPaintEngine>

namespace remat::studio {

LayeredPlot::LayeredPlot(QWidget *parent) : PlotCanvas(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

void LayeredPlot::refresh()
{
    spoilBase();
    update();
}

void LayeredPlot::paintPlot(QPainter &painter, const QSizeF &size, double devicePixelRatio) const
{
    ensure();
    paintBase(painter, size, devicePixelRatio);
    paintOverlay(painter, size, devicePixelRatio);
}

void LayeredPlot::paintEvent(QPaintEvent *)
{
    ensure();
    QPainter painter(this);
    // A widget rendered onto a picture paints at the picture's ratio, not at its screen's.
    const QPaintDevice *target = painter.paintEngine()->paintDevice();
    const double ratio = target ? target->devicePixelRatioF() : devicePixelRatioF();
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (m_baseStale || m_base.size() != pixels || m_base.devicePixelRatio() != ratio) {
        m_base = QPixmap(pixels);
        m_base.setDevicePixelRatio(ratio);
        QPainter basePainter(&m_base);
        paintBase(basePainter, size(), ratio);
        m_baseStale = false;
    }
    painter.drawPixmap(0, 0, m_base);
    paintOverlay(painter, size(), ratio);
    if (m_focusShown) paintFocus(painter);
}

void LayeredPlot::paintFocus(QPainter &) const {}

void LayeredPlot::focusInEvent(QFocusEvent *event)
{
    m_focusShown = shownFocus(*event);
    update();
}

void LayeredPlot::focusOutEvent(QFocusEvent *)
{
    m_focusShown = false;
    update();
}

} // namespace remat::studio
