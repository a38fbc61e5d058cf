// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/lessons/lit_frame.h"

#include "app/studio/base/style/theme.h"

#include <QEvent>
#include <QPainter>
#include <QTimer>

namespace remat::studio {

namespace {

constexpr int kShownMs = 4000;

} // namespace

LitFrame::LitFrame(QWidget *place) : QWidget(place)
{
    setObjectName(QStringLiteral("litFrame"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    place->installEventFilter(this);
    resize(place->size());
    raise();
    show();
    QTimer::singleShot(kShownMs, this, &QObject::deleteLater);
}

bool LitFrame::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == parent() && event->type() == QEvent::Resize) resize(parentWidget()->size());
    return QWidget::eventFilter(watched, event);
}

void LitFrame::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::instance().color(Token::Accent), 3));
    painter.drawRoundedRect(QRectF(rect()).adjusted(2, 2, -2, -2), 6, 6);
}

} // namespace remat::studio
