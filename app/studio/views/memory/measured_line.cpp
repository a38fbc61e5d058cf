// SPDX-License-Identifier: Apache-2.0
// What a real run held, over what was predicted.
#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/plots/tags.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/views/memory/memory_painter.h"

#include <cmath>

namespace remat::studio {

void paintMeasuredLine(QPainter &painter, const MemoryLook &look, const ColumnGrid &grid)
{
    const std::vector<std::int64_t> &bytes = look.scene.measuredBytes();
    if (bytes.empty()) return;
    QPolygonF line;
    const std::vector<std::int32_t> samples = largestPerColumn(grid, look.layout.x, look.scene.axis().edges(), bytes);
    for (std::size_t column = 0; column < samples.size(); ++column) {
        if (samples[column] < 0) continue;
        const double y =
            snapped(look.layout.y.pixel(static_cast<double>(bytes[static_cast<std::size_t>(samples[column])])),
                    look.devicePixelRatio);
        const double from = grid.x(static_cast<int>(column)), to = grid.x(static_cast<int>(column) + 1);
        if (!line.isEmpty() && line.last().y() == y) {
            line.last().setX(to);
            continue;
        }
        line << QPointF(from, y) << QPointF(to, y);
    }
    painter.save();
    painter.setClipRect(look.layout.plot);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(Theme::instance().color(Token::Ok), 1.5));
    painter.drawPolyline(line);
    painter.restore();
}

void paintMeasuredPeak(QPainter &painter, const MemoryLook &look)
{
    const std::int64_t measured = look.scene.measuredPeakBytes();
    const std::int64_t predicted = look.scene.timeline().peakBytes;
    if (measured <= 0 || predicted <= 0) return;
    const Theme &theme = Theme::instance();
    const QRectF &plot = look.layout.plot;
    const double y = sharp(look.layout.y.pixel(static_cast<double>(measured)), look.devicePixelRatio);
    if (y < plot.top() || y > plot.bottom()) return;
    QPen pen(theme.color(Token::Ok), 1);
    pen.setDashPattern({6, 3, 1, 3});
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    const double off = static_cast<double>(measured) / static_cast<double>(predicted) - 1;
    const QString share = shareText(std::abs(off));
    const QString text = (measured == predicted ? MemoryText::tr("Measured %1, as predicted")
                          : off > 0             ? MemoryText::tr("Measured %1, %2 above predicted")
                                                : MemoryText::tr("Measured %1, %2 below predicted"))
                             .arg(memoryText(measured));
    painter.setFont(theme.font(FontRole::Small));
    const QString line = measured == predicted ? text : text.arg(share);
    const double width = painter.fontMetrics().horizontalAdvance(line) + 14;
    // At the right end, below the line: the peak's own mark and the budget's are above it.
    paintTag(painter, QRectF(plot.right() - width - 4, y + 2, width, 15), line);
}

} // namespace remat::studio
