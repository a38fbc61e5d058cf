// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/plots/tags.h"

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/style/theme.h"

#include <algorithm>

namespace remat::studio {

void paintTag(QPainter &painter, const QRectF &room, const QString &name)
{
    const Theme &theme = Theme::instance();
    const QString text = elided(painter, name, room.width() - 10, Qt::ElideMiddle);
    const double width = painter.fontMetrics().horizontalAdvance(text) + 8;
    const QRectF tag(room.left() + 3, room.center().y() - 6.5, std::min(width, room.width() - 4), 13);
    QColor ground = theme.color(Token::Plot);
    ground.setAlphaF(0.84F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(tag, 2, 2);
    painter.setPen(theme.color(Token::Text));
    painter.drawText(tag, Qt::AlignCenter, text);
}

void paintSwatch(QPainter &painter, const QRectF &box, Category category, double devicePixelRatio)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrushOrigin(box.topLeft());
    painter.setBrush(Theme::instance().categoryBrush(category, devicePixelRatio));
    painter.drawRoundedRect(box, 2, 2);
    painter.restore();
}

} // namespace remat::studio
