// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/plots/plot_canvas.h"

#include "app/studio/base/style/theme.h"

#include <QHelpEvent>
#include <QToolTip>

#include <cmath>

namespace remat::studio {

PlotCanvas::PlotCanvas(QWidget *parent) : QWidget(parent)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QImage PlotCanvas::picture(const QSize &size, double devicePixelRatio) const
{
    QImage image((QSizeF(size) * devicePixelRatio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(devicePixelRatio);
    QPainter painter(&image);
    paintPlot(painter, size, devicePixelRatio);
    return image;
}

bool PlotCanvas::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), tooltipAt(help->pos()), this);
    return true;
}

void PlotCanvas::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintPlot(painter, size(), devicePixelRatioF());
}

void paintBytesAxis(QPainter &painter, const QRectF &plot, const Scale &scale, const std::vector<Tick> &ticks)
{
    const Theme &theme = Theme::instance();
    const double ratio = painter.device()->devicePixelRatioF();
    painter.setFont(theme.font(FontRole::Label));
    for (const Tick &tick : ticks) {
        const double y = sharp(scale.pixel(tick.value), ratio);
        if (y < plot.top() - 1 || y > plot.bottom() + 1) continue;
        painter.setPen(QPen(theme.color(tick.value == 0 ? Token::LineStrong : Token::Line), 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(0, y - 9, plot.left() - 8, 18), Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
}

void paintTimeAxis(QPainter &painter, const QRectF &plot, double y, const QRectF &labels, const Scale &scale,
                   const std::vector<Tick> &ticks)
{
    const Theme &theme = Theme::instance();
    const double ratio = painter.device()->devicePixelRatioF();
    painter.setFont(theme.font(FontRole::Label));
    double free = plot.left() - 30;
    for (const Tick &tick : ticks) {
        const double x = sharp(scale.pixel(tick.value), ratio);
        if (x < plot.left() - 1 || x > plot.right() + 1) continue;
        painter.setPen(QPen(theme.color(Token::LineStrong), 1));
        painter.drawLine(QPointF(x, y), QPointF(x, y + 4));
        const double width = painter.fontMetrics().horizontalAdvance(tick.label) + 2;
        if (x - width / 2 < free || x + width / 2 > plot.right() + 30) continue;
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(x - width / 2, labels.top(), width, labels.height()), Qt::AlignCenter, tick.label);
        free = x + width / 2 + 8;
    }
}

QString elided(const QPainter &painter, const QString &text, double width, Qt::TextElideMode mode)
{
    return painter.fontMetrics().elidedText(text, mode, static_cast<int>(width));
}

double sharp(double value, double devicePixelRatio)
{
    return (std::floor(value * devicePixelRatio) + 0.5) / devicePixelRatio;
}

} // namespace remat::studio
