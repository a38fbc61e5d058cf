// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/widgets/toast.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kWidest = 720, kEdge = 14, kRadius = 8;
/// As long as one takes to read two lines.
constexpr int kShownMs = 8000;

} // namespace

Toast::Toast(QWidget *parent) : MessageStrip(parent)
{
    setFixedHeight(QWIDGETSIZE_MAX);
    setMinimumHeight(0);
    text()->setWordWrap(true);
    parent->installEventFilter(this);
    m_end.setSingleShot(true);
    m_end.setInterval(kShownMs);
    connect(&m_end, &QTimer::timeout, this, &Toast::clear);
}

void Toast::say(const Notice &notice)
{
    MessageStrip::say(notice);
    m_endsItself = !notice.isError() && !notice.action;
    m_endsItself && !underMouse() ? m_end.start() : m_end.stop();
    place();
    raise();
}

void Toast::clear()
{
    m_end.stop();
    MessageStrip::clear();
}

void Toast::place()
{
    const int room = std::max(parentWidget()->width() - 2 * kEdge, 0);
    const int around = sizeHint().width() - text()->sizeHint().width();
    const int words = text()->fontMetrics().horizontalAdvance(text()->text()) + 4;
    const int width = std::min({room, kWidest, around + words});
    const int height = std::max(44, text()->heightForWidth(std::max(width - around, 40)) + 20);
    setFixedSize(width, height);
    move((parentWidget()->width() - width) / 2, parentWidget()->height() - height - kEdge);
}

bool Toast::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize && isVisible()) place();
    return MessageStrip::eventFilter(watched, event);
}

void Toast::enterEvent(QEnterEvent *event)
{
    m_end.stop();
    MessageStrip::enterEvent(event);
}

void Toast::leaveEvent(QEvent *event)
{
    if (m_endsItself) m_end.start();
    MessageStrip::leaveEvent(event);
}

void Toast::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    // Under a soft colour that may be translucent nothing shines through.
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Token::Panel));
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawRoundedRect(box, kRadius, kRadius);
    painter.setPen(QPen(theme.color(notice().isError() ? Token::Error : Token::Line), 1));
    painter.setBrush(theme.color(lookOf(notice().kind).ground));
    painter.drawRoundedRect(box, kRadius, kRadius);
}

} // namespace remat::studio
