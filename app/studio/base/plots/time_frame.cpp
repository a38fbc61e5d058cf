// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/plots/time_frame.h"

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/style/theme.h"

#include <algorithm>

namespace remat::studio {

namespace {
constexpr double kNarrowWidth = 1000, kLowHeight = 232;
constexpr double kRight = 176, kRightNarrow = 144;
constexpr double kLeastBrush = 28; ///< pixels; its handles are grabbed within 6 of their edges
} // namespace

bool narrowTime(QSizeF size)
{
    return size.width() < kNarrowWidth || size.height() < kLowHeight;
}

double timeRight(QSizeF size)
{
    return std::max(size.width() - (narrowTime(size) ? kRightNarrow : kRight), kTimeLeft + 40);
}

TimeArea TimeArea::make(QSizeF size, const Viewport &view, double top, double bottom)
{
    const double right = timeRight(size);
    TimeArea area;
    area.plot = QRectF(QPointF(kTimeLeft, top), QPointF(right, bottom));
    area.labels = QRectF(kTimeLeft, bottom, right - kTimeLeft, kTimeLabelHeight);
    area.minimap = QRectF(kTimeLeft, area.labels.bottom() + 4, right - kTimeLeft, kMinimapHeight);
    area.x = {view.from, view.to, kTimeLeft, right};
    area.whole = {0, view.length, kTimeLeft, right};
    return area;
}

QRectF TimeArea::brush(const Viewport &view) const
{
    const double from = whole.pixel(view.from), to = whole.pixel(view.to);
    const double width = std::max(to - from, kLeastBrush);
    const double left =
        std::clamp((from + to - width) / 2, minimap.left(), std::max(minimap.left(), minimap.right() - width));
    return {left, minimap.top(), width, minimap.height()};
}

void paintRange(QPainter &painter, const QRectF &box, const Scale &x, const Span &range, double devicePixelRatio)
{
    const double from = std::max(x.pixel(range.from), box.left()), to = std::min(x.pixel(range.to), box.right());
    if (to < from) return;
    QColor fill = Theme::instance().color(Token::Accent);
    fill.setAlphaF(0.1F);
    painter.fillRect(QRectF(QPointF(from, box.top()), QPointF(to, box.bottom())), fill);
    painter.setPen(QPen(Theme::instance().color(Token::Accent), 1));
    for (const double border : {x.pixel(range.from), x.pixel(range.to)}) {
        if (border < box.left() - 0.5 || border > box.right() + 0.5) continue;
        const double at = sharp(border, devicePixelRatio);
        painter.drawLine(QPointF(at, box.top()), QPointF(at, box.bottom()));
    }
}

void paintTimeCursor(QPainter &painter, const QRectF &box, const Scale &x, double position, double devicePixelRatio)
{
    const double pixel = x.pixel(position);
    if (pixel < box.left() || pixel > box.right()) return;
    QPen pen(Theme::instance().color(Token::Text), 1);
    pen.setDashPattern({2, 2});
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    const double at = sharp(pixel, devicePixelRatio);
    painter.drawLine(QPointF(at, box.top()), QPointF(at, box.bottom()));
}

void paintMinimapFrame(QPainter &painter, const QRectF &minimap)
{
    painter.setPen(Theme::instance().color(Token::Line));
    painter.setBrush(Theme::instance().color(Token::Raised));
    painter.drawRoundedRect(minimap.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

void paintBrush(QPainter &painter, const TimeArea &area, const Viewport &view)
{
    if (area.minimap.isEmpty()) return;
    const Theme &theme = Theme::instance();
    const QRectF brush = area.brush(view);
    QColor fill = theme.color(Token::Accent);
    fill.setAlphaF(0.12F);
    painter.setPen(QPen(theme.color(Token::Accent), 1.5));
    painter.setBrush(fill);
    painter.drawRoundedRect(brush.adjusted(0.75, 0.75, -0.75, -0.75), 4, 4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Token::Accent));
    for (const double x : {brush.left(), brush.right()})
        painter.drawRoundedRect(QRectF(x - 2, brush.center().y() - 6, 4, 12), 2, 2);
}

} // namespace remat::studio
