// SPDX-License-Identifier: Apache-2.0
// Lucide icons in the colours of the theme.
#include "app/studio/base/style/theme.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <cmath>

namespace remat::studio {

namespace {

QPixmap renderIcon(const QString &name, const QSize &pixels, const QColor &color, qreal stroke)
{
    const QString key = QStringLiteral("remat-icon:%1:%2x%3:%4:%5")
                            .arg(name)
                            .arg(pixels.width())
                            .arg(pixels.height())
                            .arg(color.name(QColor::HexArgb))
                            .arg(stroke);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    pixmap = QPixmap(pixels);
    pixmap.fill(Qt::transparent);
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (file.open(QIODevice::ReadOnly)) {
        QByteArray svg = file.readAll();
        svg.replace("currentColor", color.name().toLatin1());
        svg.replace("stroke-width=\"1.75\"", "stroke-width=\"" + QByteArray::number(stroke) + "\"");
        QSvgRenderer renderer(svg);
        QPainter painter(&pixmap);
        painter.setOpacity(color.alphaF());
        renderer.render(&painter, QRectF(QPointF(), QSizeF(pixels)));
    }
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

/// Asks the theme at each painting, so that icons handed out before a change of scheme follow it.
class IconEngine : public QIconEngine
{
public:
    IconEngine(QString name, Token token) : m_name(std::move(name)), m_token(token) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device()->devicePixelRatioF();
        QPixmap drawn = pixmap((QSizeF(rect.size()) * ratio).toSize(), mode, state);
        drawn.setDevicePixelRatio(ratio);
        painter->drawPixmap(rect, drawn);
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State) override
    {
        QColor color = Theme::instance().color(m_token);
        if (mode == QIcon::Disabled) color.setAlphaF(0.4f);
        const int side = std::min(size.width(), size.height());
        return renderIcon(m_name, QSize(side, side), color, 1.75);
    }

    QIconEngine *clone() const override { return new IconEngine(m_name, m_token); }

private:
    QString m_name;
    Token m_token;
};

} // namespace

QIcon Theme::icon(const QString &name, Token token) const
{
    return QIcon(new IconEngine(name, token));
}

QPixmap Theme::iconPixmap(const QString &name, int size, Token token, qreal devicePixelRatio, qreal stroke) const
{
    const int side = static_cast<int>(std::lround(size * devicePixelRatio));
    QPixmap pixmap = renderIcon(name, QSize(side, side), color(token), stroke);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

} // namespace remat::studio
