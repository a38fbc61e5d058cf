// SPDX-License-Identifier: Apache-2.0
// The cut of a bound over the memory view: a bar at the moment of the cut, solid as far as memory is held, hatched
// where what is needed later does not fit.
#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/plots/tags.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/views/memory/memory_painter.h"

#include <algorithm>

namespace remat::studio {

void paintCut(QPainter &painter, const MemoryLook &look)
{
    constexpr double kBar = 18, kRow = 18;
    const std::vector<OpId> &ops = look.scene.timeline().op;
    const auto first = std::find(ops.begin(), ops.end(), look.cut.cut);
    if (!look.cut.cut || first == ops.end()) return;
    const Theme &theme = Theme::instance();
    const QRectF &plot = look.layout.plot;
    const double edge = look.scene.axis().edges()[static_cast<std::size_t>(first - ops.begin())];
    const double x = sharp(look.layout.x.pixel(edge), look.devicePixelRatio);
    if (x < plot.left() || x > plot.right()) return;
    const auto y = [&](std::int64_t bytes) {
        return std::max(look.layout.y.pixel(static_cast<double>(bytes)), plot.top());
    };
    const QRectF held(QPointF(x - kBar / 2, y(look.cut.heldBytes)), QPointF(x + kBar / 2, plot.bottom()));
    const QRectF paid(QPointF(held.left(), y(look.cut.heldBytes + look.cut.paidBytes)), held.topRight());
    painter.save();
    painter.setPen(QPen(theme.color(Token::Text), 1, Qt::DashLine));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    painter.setPen(QPen(theme.color(Token::Text), 1));
    painter.setBrush(theme.color(Token::Ok));
    painter.drawRect(held);
    painter.fillRect(paid, theme.color(Token::Plot));
    painter.fillRect(paid, theme.hatchBrush(Token::Error, look.devicePixelRatio, 0.9));
    painter.setPen(QPen(theme.color(Token::Error), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(paid);
    painter.setFont(theme.font(FontRole::Label));
    const QString texts[] = {
        MemoryText::tr("Must be paid: %1, at least %2").arg(bytesText(look.cut.paidBytes), timeText(look.cut.paidUs)),
        MemoryText::tr("Held at the cut: %1").arg(bytesText(look.cut.heldBytes))};
    // Beside the bar, on the side that has more room.
    const bool right = plot.right() - x > x - plot.left();
    double top = std::clamp(held.top() - kRow, plot.top(), plot.bottom() - 2 * kRow);
    for (const QString &text : texts) {
        const double width = painter.fontMetrics().horizontalAdvance(text) + 18;
        paintTag(painter, QRectF(right ? held.right() + 2 : held.left() - width - 2, top, width, kRow), text);
        top += kRow;
    }
    painter.restore();
}

} // namespace remat::studio
