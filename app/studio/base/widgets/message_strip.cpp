// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/widgets/message_strip.h"

#include <QHBoxLayout>
#include <QPainter>

namespace remat::studio {

NoticeLook lookOf(Notice::Kind kind)
{
    switch (kind) {
    case Notice::Kind::Error:
        return {"circle-x", Token::Error, Token::ErrorSoft};
    case Notice::Kind::Caveat:
        return {"triangle-alert", Token::Warn, Token::WarnSoft};
    case Notice::Kind::Done:
        break;
    }
    return {"circle-check", Token::Ok, Token::OkSoft};
}

MessageStrip::MessageStrip(QWidget *parent)
    : QWidget(parent),
      m_icon(new IconLabel(QStringLiteral("circle-x"), 15, Token::Error, this)),
      m_text(new TokenLabel({}, FontRole::Body, Token::Error, this)),
      m_action(new StudioButton({}, {}, ButtonKind::Plain, this)),
      m_close(new StudioButton({}, QStringLiteral("x"), ButtonKind::Quiet, this))
{
    setObjectName(QStringLiteral("messageStrip"));
    setFixedHeight(36);
    m_text->setObjectName(QStringLiteral("messageText"));
    m_action->setObjectName(QStringLiteral("messageAction"));
    m_action->setFixedHeight(28);
    m_close->setObjectName(QStringLiteral("messageClose"));
    m_close->setFixedSize(28, 28);
    m_close->setAccessibleName(tr("Close the message"));
    m_close->setToolTip(tr("Close the message"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(14, 0, 6, 0);
    row->setSpacing(8);
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addWidget(m_action);
    row->addWidget(m_close);
    connect(m_close, &QAbstractButton::clicked, this, &MessageStrip::clear);
    connect(m_action, &QAbstractButton::clicked, this, [this] {
        const auto action = m_notice.action;
        clear();
        if (action) action();
    });
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    hide();
}

void MessageStrip::say(const Notice &notice)
{
    m_notice = notice;
    const NoticeLook look = lookOf(notice.kind);
    m_icon->setIcon(QString::fromLatin1(look.icon), look.ink);
    m_text->setToken(look.ink);
    m_text->setText(notice.sentence);
    m_text->setToolTip(notice.sentence);
    m_action->setText(notice.actionText);
    m_action->setVisible(!notice.actionText.isEmpty());
    setAccessibleName(notice.sentence);
    show();
    update();
}

void MessageStrip::clear()
{
    m_notice = {};
    hide();
}

void MessageStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(lookOf(m_notice.kind).ground));
    painter.fillRect(0, height() - 1, width(), 1, Theme::instance().color(Token::Line));
}

} // namespace remat::studio
