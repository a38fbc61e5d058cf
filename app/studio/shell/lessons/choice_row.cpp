// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/lessons/choice_row.h"

#include "app/studio/base/style/shown_focus.h"
#include "app/studio/base/widgets/building_blocks.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kBadge = 20, kPadding = 10, kGap = 10, kLeast = 40;

} // namespace

ChoiceRow::ChoiceRow(int number, const QString &text, QWidget *parent) : QAbstractButton(parent), m_number(number)
{
    setProperty(kOwnRing, true);
    setText(text);
    setObjectName(QStringLiteral("lessonChoice.%1").arg(number));
    setFont(Theme::instance().font(FontRole::Body));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setLook(Look::Open);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ChoiceRow::setLook(Look look)
{
    m_look = look;
    setEnabled(look == Look::Open);
    setAccessibleName(look == Look::Right   ? tr("Right: %1").arg(text())
                      : look == Look::Wrong ? tr("Wrong: %1").arg(text())
                                            : text());
    update();
}

int ChoiceRow::heightForWidth(int width) const
{
    const int room = std::max(width - 2 * kPadding - kBadge - kGap, 40);
    const QRect needed = fontMetrics().boundingRect(QRect(0, 0, room, 10000), Qt::TextWordWrap, text());
    return std::max(kLeast, needed.height() + 2 * kPadding);
}

QSize ChoiceRow::sizeHint() const
{
    constexpr int kUsual = 300;
    return {kUsual, heightForWidth(width() > kBadge ? width() : kUsual)};
}

void ChoiceRow::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    const bool right = m_look == Look::Right;
    const bool wrong = m_look == Look::Wrong;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool over = isEnabled() && (underMouse() || isDown());
    painter.setPen(QPen(theme.color(right   ? Token::Ok
                                    : wrong ? Token::Error
                                    : over  ? Token::Accent
                                            : Token::LineStrong),
                        1));
    painter.setBrush(theme.color(right   ? Token::OkSoft
                                 : wrong ? Token::ErrorSoft
                                 : over  ? Token::Raised
                                         : Token::Panel));
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawRoundedRect(frame, 6, 6);
    const QRectF badge(kPadding, (height() - kBadge) / 2.0, kBadge, kBadge);
    if (right || wrong) {
        painter.drawPixmap(badge.topLeft() + QPointF(1, 1),
                           theme.iconPixmap(right ? QStringLiteral("circle-check") : QStringLiteral("circle-x"), 18,
                                            right ? Token::Ok : Token::Error, devicePixelRatioF()));
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(Token::Sunken));
        painter.drawEllipse(badge);
        painter.setFont(theme.font(FontRole::Label));
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(badge, Qt::AlignCenter, QString::number(m_number));
    }
    painter.setFont(font());
    painter.setPen(theme.color(m_look == Look::Other ? Token::Text3 : Token::Text));
    painter.drawText(rect().adjusted(kPadding + kBadge + kGap, kPadding / 2, -kPadding, -kPadding / 2),
                     static_cast<int>(Qt::AlignVCenter) | Qt::TextWordWrap, text());
    if (hasFocus()) paintFocusRing(painter, frame.adjusted(2, 2, -2, -2), 5);
}

void ChoiceRow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

} // namespace remat::studio
