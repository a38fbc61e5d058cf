// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/graph_canvas.h"

#include "app/studio/base/style/state_glyph.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/views/graph/card_text.h"
#include "app/studio/views/graph/graph_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

constexpr double kMargin = PictureMetrics::kMargin;
constexpr int kMoveMs = 200;
constexpr double kFadeFrom = 0.6; // what is new fades in over the last 80 ms

QRectF lerp(const QRectF &a, const QRectF &b, double t)
{
    const auto mix = [t](double x, double y) { return x + (y - x) * t; };
    return {mix(a.x(), b.x()), mix(a.y(), b.y()), mix(a.width(), b.width()), mix(a.height(), b.height())};
}

} // namespace

GraphCanvas::GraphCanvas(const GraphScene &scene, QWidget *parent)
    : QWidget(parent),
      m_scene(scene),
      m_stop(new StudioButton(tr("Stop"), QStringLiteral("square"), ButtonKind::Plain, this))
{
    m_stop->setObjectName(QStringLiteral("stopLayout"));
    m_stop->setFixedHeight(28);
    m_stop->setToolTip(tr("Shows plain order instead of waiting for the layout"));
    m_stop->hide();
    connect(m_stop, &QAbstractButton::clicked, this, &GraphCanvas::stopWanted);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Graph"));
    setMinimumSize(200, 120);
    m_animation.setDuration(kMoveMs);
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this, QOverload<>::of(&QWidget::update));
    connect(&m_animation, &QVariantAnimation::finished, this, [this] {
        m_from.clear();
        update();
    });
    connect(&Theme::instance(), &Theme::changed, this, QOverload<>::of(&QWidget::update));
}

QRectF GraphCanvas::sight() const
{
    return {toPicture(QPointF(0, kHeader)), toPicture(QPointF(width(), height()))};
}

QRectF GraphCanvas::toWidget(const QRectF &rect) const
{
    return {rect.topLeft() * m_scale + m_origin, rect.size() * m_scale};
}

void GraphCanvas::pictureChanged(std::vector<QRectF> from)
{
    m_animation.stop();
    m_from = std::move(from);
    moveTo(m_origin);
    if (!m_from.empty()) m_animation.start();
    update();
}

void GraphCanvas::keepInPlace(QPointF before, QPointF after)
{
    moveTo(m_origin + (before - after) * m_scale);
}

void GraphCanvas::moveTo(QPointF origin)
{
    // What is smaller than the view stands in the middle, and at the top; what is larger cannot leave it.
    const QSizeF size = m_scene.picture.bounds.size() * m_scale;
    const double room = width() - size.width();
    if (room >= 0)
        origin.setX(room / 2);
    else
        origin.setX(std::clamp(origin.x(), std::min(room - kMargin, kMargin), kMargin));
    const double top = kHeader + 1, lowest = height() - m_covered - size.height() - kMargin;
    origin.setY(std::clamp(origin.y(), std::min(lowest, top), top));
    if (origin == m_origin) return;
    m_origin = origin;
    update();
    Q_EMIT sightChanged();
}

void GraphCanvas::zoomAround(QPointF position, double factor)
{
    const double scale = std::clamp(m_scale * factor, kSmallest, kLargest);
    if (scale == m_scale) return;
    const QPointF fixed = toPicture(position);
    m_scale = scale;
    m_origin = QPointF(-1e9, -1e9); // so that the move below always tells
    moveTo(position - fixed * m_scale);
}

void GraphCanvas::fit()
{
    const QSizeF size = m_scene.picture.bounds.size();
    if (size.isEmpty()) return;
    const double across = (width() - 2 * kMargin) / size.width();
    const double down = (height() - kHeader - kMargin) / size.height();
    m_scale = std::clamp(std::min(across, down), kSmallestFit, 1.0);
    m_origin = QPointF(-1e9, -1e9);
    moveTo(QPointF(kMargin, kHeader + 1));
}

void GraphCanvas::showActualSize()
{
    zoomAround(QPointF(width() / 2.0, height() / 2.0), 1 / m_scale);
}

void GraphCanvas::ensureVisible(const QRectF &rect)
{
    constexpr double kAround = 48; // something of what is before and after stays in sight
    const QRectF at = toWidget(rect).adjusted(-8, -kAround, 8, kAround);
    QPointF by;
    const double bottom = height() - m_covered;
    if (at.bottom() > bottom) by.setY(bottom - at.bottom());
    if (at.top() + by.y() < kHeader) by.setY(kHeader - at.top());
    if (at.right() > width()) by.setX(width() - at.right());
    if (at.left() + by.x() < 0) by.setX(-at.left());
    if (!by.isNull()) moveTo(m_origin + by);
}

void GraphCanvas::centreOn(QPointF point)
{
    moveTo(QPointF(width() / 2.0, (height() - m_covered + kHeader) / 2.0) - point * m_scale);
}

void GraphCanvas::setSight(double scale, QPointF origin)
{
    m_scale = std::clamp(scale, kSmallest, kLargest);
    m_origin = QPointF(-1e9, -1e9);
    moveTo(origin);
}

void GraphCanvas::setCovered(int height)
{
    m_covered = height;
}

void GraphCanvas::setProgress(double share, const QString &text)
{
    m_progress = share;
    m_progressText = text;
    m_stop->setVisible(share >= 0 && !text.isEmpty());
    if (m_stop->isVisible()) {
        m_stop->resize(m_stop->sizeHint().width(), 28);
        m_stop->move(static_cast<int>(progressPill().right()) + 8, static_cast<int>(progressPill().center().y()) - 14);
    }
    update();
}

void GraphCanvas::setEmptyText(const QString &text)
{
    m_emptyText = text;
    update();
}

GraphPicture GraphCanvas::between(double share) const
{
    GraphPicture picture = m_scene.picture;
    for (std::size_t i = 0; i < picture.items.size(); ++i)
        if (!m_from[i].isNull()) picture.items[i].rect = lerp(m_from[i], picture.items[i].rect, share);
    return picture;
}

void GraphCanvas::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Token::Window));
    if (!m_emptyText.isEmpty()) {
        paintEmpty(painter);
        return;
    }
    painter.save();
    painter.translate(m_origin);
    painter.scale(m_scale, m_scale);
    if (m_from.size() == m_scene.picture.items.size() && !m_from.empty()) {
        const double share = m_animation.currentValue().toDouble();
        std::vector<char> isNew;
        isNew.reserve(m_from.size());
        for (const QRectF &from : m_from)
            isNew.push_back(from.isNull());
        GraphPainter(painter, m_scene, between(share), sight(), m_scale)
            .paint(isNew, std::max(0.0, (share - kFadeFrom) / (1 - kFadeFrom)));
    } else {
        GraphPainter(painter, m_scene, m_scene.picture, sight(), m_scale).paint();
    }
    painter.restore();
    paintHeader(painter);
    paintProgress(painter);
}

void GraphCanvas::paintHeader(QPainter &painter)
{
    if (!m_scene.model) return;
    const Theme &theme = Theme::instance();
    painter.fillRect(QRectF(0, 0, width(), kHeader), theme.color(Token::Window));
    QFont name = theme.font(FontRole::Name), label = theme.font(FontRole::Label);
    name.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(name);
    const double middle = 17;
    const bool numbers = detailAt(m_scale) == Detail::Full;
    for (const Side side : {Side::Forward, Side::Backward}) {
        const bool forward = side == Side::Forward;
        const double left = m_scene.picture.columnLeft(side) * m_scale + m_origin.x();
        const double right = m_scene.picture.columnRight(side) * m_scale + m_origin.x();
        const double x = left + 8;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.color(Token::Text2), 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const double tip = forward ? 5 : -5;
        painter.drawLine(QPointF(x, middle - tip), QPointF(x, middle + tip));
        painter.drawPolyline(QPolygonF() << QPointF(x - 4, middle + tip * 0.2) << QPointF(x, middle + tip)
                                         << QPointF(x + 4, middle + tip * 0.2));

        const QString title = forward ? tr("Forward") : tr("Backward");
        painter.setFont(name);
        painter.setPen(theme.color(Token::Text));
        if (right - left - 20 < metrics.horizontalAdvance(title)) continue;
        painter.drawText(QRectF(left + 20, 7, right - left - 20, 20), Qt::AlignLeft | Qt::AlignVCenter, title);
        const GraphTotals &totals = m_scene.figures.totals;
        const double after = left + 20 + metrics.horizontalAdvance(title) + 9;
        painter.setFont(label);
        painter.setPen(theme.color(Token::Text3));
        const double end = numbers ? right - 175 * m_scale : right;
        const QString time = timeText(forward ? totals.forwardUs : totals.backwardUs);
        if (end - after >= painter.fontMetrics().horizontalAdvance(time))
            painter.drawText(QRectF(after, 7, end - after, 20), Qt::AlignLeft | Qt::AlignVCenter, time);
        if (!numbers) continue;
        painter.drawText(QRectF(right - (bytesColumn(m_scene.picture).right + 60) * m_scale, 7, 60 * m_scale, 20),
                         Qt::AlignRight | Qt::AlignVCenter, forward ? tr("kept") : tr("made"));
        painter.drawText(QRectF(right - 98 * m_scale, 7, 60 * m_scale, 20), Qt::AlignRight | Qt::AlignVCenter,
                         tr("time"));
    }
}

void GraphCanvas::paintEmpty(QPainter &painter)
{
    const Theme &theme = Theme::instance();
    const double middle = height() / 2.0;
    const QPixmap icon = theme.iconPixmap(QStringLiteral("workflow"), 28, Token::Text3, devicePixelRatioF());
    painter.drawPixmap(QPointF(width() / 2.0 - 14, middle - 58), icon);
    painter.setFont(theme.font(FontRole::Body));
    painter.setPen(theme.color(Token::Text2));
    painter.drawText(QRectF(0, middle - 22, width(), 22), Qt::AlignCenter, m_emptyText);
}

QRectF GraphCanvas::progressPill() const
{
    const QFontMetricsF metrics(Theme::instance().font(FontRole::Body));
    const QRectF box = QRectF(metrics.boundingRect(m_progressText)).adjusted(-14, -6, 14, 6);
    return {QPointF((width() - box.width()) / 2, kHeader + 6), box.size()};
}

void GraphCanvas::paintProgress(QPainter &painter)
{
    if (m_progress < 0) return;
    const Theme &theme = Theme::instance();
    painter.fillRect(QRectF(0, 0, width(), 2), theme.color(Token::Sunken));
    painter.fillRect(QRectF(0, 0, width() * m_progress, 2), theme.color(Token::Accent));
    if (m_progressText.isEmpty()) return;
    painter.setFont(theme.font(FontRole::Body));
    const QRectF pill = progressPill();
    painter.setPen(theme.color(Token::LineStrong));
    painter.setBrush(theme.color(Token::Panel));
    painter.drawRoundedRect(pill, 6, 6);
    painter.setPen(theme.color(Token::Text2));
    painter.drawText(pill, Qt::AlignCenter, m_progressText);
}

void GraphCanvas::resizeEvent(QResizeEvent *)
{
    Q_EMIT resized();
    moveTo(m_origin);
    Q_EMIT sightChanged();
}

} // namespace remat::studio
