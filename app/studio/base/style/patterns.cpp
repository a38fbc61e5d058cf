// SPDX-License-Identifier: Apache-2.0
// Patterns that repeat what a category's colour says, for eyes and printers that do not see colours.
#include "app/studio/base/style/theme.h"

#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>

#include <cmath>
#include <functional>

namespace remat::studio {

namespace {

/// Draws one tile of a pattern: `size` logical pixels square, at the given ratio.
QBrush tileBrush(const QString &key, qreal size, qreal ratio, const QColor &ground,
                 const std::function<void(QPainter &)> &draw)
{
    const QString fullKey = QStringLiteral("remat-tile:%1:%2:%3").arg(key, ground.name(QColor::HexArgb)).arg(ratio);
    QPixmap tile;
    if (!QPixmapCache::find(fullKey, &tile)) {
        const int pixels = std::max(1, static_cast<int>(std::lround(size * ratio)));
        tile = QPixmap(pixels, pixels);
        tile.fill(ground);
        QPainter painter(&tile);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(pixels / size, pixels / size);
        draw(painter);
        painter.end();
        QPixmapCache::insert(fullKey, tile);
    }
    QBrush brush(tile);
    brush.setTransform(QTransform::fromScale(size / tile.width(), size / tile.height()));
    return brush;
}

/// Lines at 45° that meet their neighbours across the edges of the tile.
void drawDiagonal(QPainter &painter, qreal size, qreal width, const QColor &ink, bool falling)
{
    painter.setPen(QPen(ink, width, Qt::SolidLine, Qt::FlatCap));
    for (int shift = -1; shift <= 1; ++shift) {
        const qreal x = shift * size;
        if (falling)
            painter.drawLine(QPointF(x - size, -size), QPointF(x + 2 * size, 2 * size));
        else
            painter.drawLine(QPointF(x - size, 2 * size), QPointF(x + 2 * size, -size));
    }
}

} // namespace

QBrush Theme::categoryBrush(Category category, qreal devicePixelRatio) const
{
    const QColor ground = categoryColor(category);
    QColor ink = color(Token::Plot);
    const QString key = QStringLiteral("category%1:%2").arg(static_cast<int>(category)).arg(ink.name());
    switch (category) {
    case Category::KeptActivations:
        break;
    case Category::Weights:
        ink.setAlphaF(0.5f);
        return tileBrush(key, 8, devicePixelRatio, ground,
                         [&](QPainter &painter) { painter.fillRect(QRectF(0, 3.5, 8, 1), ink); });
    case Category::States:
        ink.setAlphaF(0.6f);
        return tileBrush(key, 6, devicePixelRatio, ground,
                         [&](QPainter &painter) { painter.fillRect(QRectF(2, 2, 2, 2), ink); });
    case Category::RecomputedActivations:
        ink.setAlphaF(0.55f);
        // 6 px between stripes across them is 6·√2 along the axes.
        return tileBrush(key, 6 * std::sqrt(2.0), devicePixelRatio, ground,
                         [&](QPainter &painter) { drawDiagonal(painter, 6 * std::sqrt(2.0), 1.5, ink, false); });
    case Category::Gradients:
        ink.setAlphaF(0.45f);
        return tileBrush(key, 6, devicePixelRatio, ground,
                         [&](QPainter &painter) { painter.fillRect(QRectF(2.4, 0, 1.2, 6), ink); });
    case Category::ParameterGradients:
        ink.setAlphaF(0.75f);
        return tileBrush(key, 6, devicePixelRatio, ground, [&](QPainter &painter) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(ink);
            painter.drawEllipse(QPointF(1.5, 1.5), 0.9, 0.9);
            painter.drawEllipse(QPointF(4.5, 4.5), 0.9, 0.9);
        });
    case Category::Offloaded:
        ink.setAlphaF(0.55f);
        return tileBrush(key, 5, devicePixelRatio, ground,
                         [&](QPainter &painter) { painter.fillRect(QRectF(0, 1.8, 5, 1.4), ink); });
    case Category::Workspace:
        ink.setAlphaF(0.6f);
        return tileBrush(key, 5, devicePixelRatio, ground, [&](QPainter &painter) {
            drawDiagonal(painter, 5, 0.8, ink, false);
            drawDiagonal(painter, 5, 0.8, ink, true);
        });
    }
    return QBrush(ground);
}

QBrush Theme::hatchBrush(Token token, qreal devicePixelRatio, qreal opacity) const
{
    QColor ink = color(token);
    ink.setAlphaF(static_cast<float>(opacity));
    const qreal size = 6 * std::sqrt(2.0);
    return tileBrush(QStringLiteral("hatch:") + ink.name(QColor::HexArgb), size, devicePixelRatio, Qt::transparent,
                     [&](QPainter &painter) { drawDiagonal(painter, size, 1.2, ink, true); });
}

} // namespace remat::studio
