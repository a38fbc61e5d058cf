// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/widgets/search_field.h"

#include "app/studio/base/style/theme.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>

namespace remat::studio {

namespace {

constexpr int kRoomForWords = 170; ///< narrower, only the glass

} // namespace

SearchField::SearchField(const QString &key, QWidget *parent) : QAbstractButton(parent), m_key(key)
{
    setObjectName(QStringLiteral("searchField"));
    setText(tr("Search ops, storages, commands"));
    setAccessibleName(text());
    setToolTip(tr("Runs any command, and goes to any op or storage (%1)").arg(key));
    setCursor(Qt::IBeamCursor);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(this, &QAbstractButton::clicked, this, [this] { Q_EMIT opened({}); });
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize SearchField::sizeHint() const
{
    return {window()->width() < kNarrowWindow ? kNarrow : kWide, kHeight};
}

void SearchField::takeRoom()
{
    constexpr int kTightWindow = 1100;
    setMinimumWidth(window()->width() < kTightWindow ? kLeast : sizeHint().width());
    setMaximumWidth(sizeHint().width());
}

void SearchField::showEvent(QShowEvent *event)
{
    window()->installEventFilter(this);
    takeRoom();
    QAbstractButton::showEvent(event);
}

bool SearchField::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize && watched == window()) takeRoom();
    return QAbstractButton::eventFilter(watched, event);
}

void SearchField::keyPressEvent(QKeyEvent *event)
{
    const QString typed = event->text();
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        Q_EMIT opened({});
    else if (!typed.isEmpty() && typed.front().isPrint() && event->key() != Qt::Key_Space)
        Q_EMIT opened(typed);
    else
        QAbstractButton::keyPressEvent(event);
}

void SearchField::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(hasFocus() ? Token::Accent : Token::LineStrong), 1));
    painter.setBrush(theme.color(Token::Panel));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.drawPixmap(12, (height() - 15) / 2,
                       theme.iconPixmap(QStringLiteral("search"), 15, Token::Text3, devicePixelRatioF()));
    if (width() < kRoomForWords) return;
    painter.setFont(theme.font(FontRole::Small));
    const int keyWidth = painter.fontMetrics().horizontalAdvance(m_key) + 12;
    const QRect key(width() - keyWidth - 7, (height() - 18) / 2, keyWidth, 18);
    painter.setFont(theme.font(FontRole::Body));
    painter.setPen(theme.color(Token::Text3));
    const QRect room(36, 0, key.left() - 8 - 36, height());
    const bool fits = painter.fontMetrics().horizontalAdvance(text()) <= room.width();
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, fits ? text() : tr("Search"));
    painter.setPen(QPen(theme.color(Token::Line), 1));
    painter.setBrush(theme.color(Token::Raised));
    painter.drawRoundedRect(QRectF(key).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setFont(theme.font(FontRole::Small));
    painter.setPen(theme.color(Token::Text3));
    painter.drawText(key, Qt::AlignCenter, m_key);
}

} // namespace remat::studio
