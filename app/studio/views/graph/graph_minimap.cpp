// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/graph_minimap.h"

#include "app/studio/base/style/state_glyph.h"
#include "app/studio/views/graph/card_text.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace remat::studio {

namespace {
constexpr double kPadding = 6;
}

GraphMinimap::GraphMinimap(const GraphScene &scene, QWidget *parent) : QWidget(parent), m_scene(scene)
{
    setFixedSize(110, 112);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Overview of the graph"));
    connect(&Theme::instance(), &Theme::changed, this, &GraphMinimap::refresh);
}

void GraphMinimap::refresh()
{
    m_picture = {};
    update();
}

void GraphMinimap::setSight(const QRectF &sight)
{
    m_sight = sight;
    update();
}

QRectF GraphMinimap::toMap(const QRectF &rect) const
{
    const QRectF &bounds = m_scene.picture.bounds;
    if (bounds.isEmpty()) return {};
    // Long pictures are pressed together, so that the columns stay apart.
    const double across = (width() - 2 * kPadding) / bounds.width();
    const double down = std::min(across, (height() - 2 * kPadding) / bounds.height());
    return {kPadding + rect.x() * across, kPadding + rect.y() * down, rect.width() * across, rect.height() * down};
}

QRectF GraphMinimap::frame() const
{
    const QRectF border = QRectF(rect()).adjusted(2, 2, -2, -2);
    return toMap(m_sight.intersected(m_scene.picture.bounds)).adjusted(-3, -3, 3, 3).intersected(border);
}

void GraphMinimap::paintPicture()
{
    const Theme &theme = Theme::instance();
    const double ratio = devicePixelRatioF();
    m_picture = QPixmap(size() * ratio);
    m_picture.setDevicePixelRatio(ratio);
    m_picture.fill(Qt::transparent);
    QPainter painter(&m_picture);
    double filledTo[2] = {-1, -1};
    for (const GraphItem &item : m_scene.picture.items) {
        QRectF box = toMap(item.rect);
        if (item.shape == ItemShape::Frame) {
            if (box.height() < 3) continue;
            painter.setPen(theme.color(Token::LineStrong));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
            continue;
        }
        box.setHeight(std::max(box.height(), 1.0));
        double &filled = filledTo[static_cast<int>(item.side)];
        if (!item.narrow && box.bottom() < filled + 0.5) continue; // under a pixel after what is there
        filled = std::max(filled, box.bottom());
        painter.fillRect(
            box, theme.color(item.shape == ItemShape::LossCard ? Token::Text3 : stateToken(cardState(m_scene, item))));
    }
}

void GraphMinimap::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.color(Token::Line));
    painter.setBrush(theme.color(Token::Panel));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    if (m_scene.picture.items.empty()) return;
    if (m_picture.isNull()) paintPicture();
    painter.drawPixmap(0, 0, m_picture);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.color(Token::Accent), 2));
    painter.drawRoundedRect(frame(), 3, 3);
}

void GraphMinimap::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) return;
    const QRectF box = frame();
    m_grabbed = box.contains(event->position()) ? event->position() - box.center() : QPointF();
    mouseMoveEvent(event);
}

void GraphMinimap::mouseMoveEvent(QMouseEvent *event)
{
    const QRectF unit = toMap(QRectF(0, 0, 1, 1));
    if (!(event->buttons() & Qt::LeftButton) || unit.isEmpty()) return;
    const QPointF at = event->position() - m_grabbed - QPointF(kPadding, kPadding);
    Q_EMIT centred(QPointF(at.x() / unit.width(), at.y() / unit.height()));
}

} // namespace remat::studio
