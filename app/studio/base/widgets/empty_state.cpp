// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/widgets/empty_state.h"

#include "app/studio/base/style/theme.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace remat::studio {

EmptyState::EmptyState(QWidget *parent)
    : QWidget(parent), m_icon(new QLabel(this)), m_sentence(new QLabel(this)), m_button(new QPushButton(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(20, 12, 20, 14);
    column->setSpacing(8);
    column->addWidget(m_icon, 0, Qt::AlignHCenter);
    column->addWidget(m_sentence, 0, Qt::AlignHCenter);
    column->addWidget(m_button, 0, Qt::AlignHCenter);
    m_sentence->setProperty("tone", QStringLiteral("text2"));
    connect(m_button, &QPushButton::clicked, this, &EmptyState::clicked);
    connect(&Theme::instance(), &Theme::changed, this, &EmptyState::takeTheme);
}

void EmptyState::say(const QString &icon, const QString &sentence, const QString &button)
{
    m_iconName = icon;
    m_sentence->setText(sentence);
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
    takeTheme();
    adjustSize();
}

void EmptyState::paintEvent(QPaintEvent *)
{
    // Its own ground, since lines of the view may run behind it.
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::instance().color(Token::Plot));
    painter.drawRoundedRect(rect(), 8, 8);
}

void EmptyState::takeTheme()
{
    m_icon->setPixmap(Theme::instance().iconPixmap(m_iconName, 28, Token::Text3, devicePixelRatioF()));
}

} // namespace remat::studio
