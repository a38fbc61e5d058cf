// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/explain/explanation_card.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

namespace remat::studio {

namespace {

constexpr int kBar = 3;
constexpr int kPadding = 10;
constexpr std::size_t kMostLinks = 2;

} // namespace

ExplanationCard::ExplanationCard(QWidget *parent)
    : QWidget(parent),
      m_icon(new IconLabel({}, 15, Token::Text2, this)),
      m_question(new TokenLabel({}, FontRole::Name, Token::Text, this)),
      m_text(new TokenLabel({}, FontRole::Body, Token::Text2, this)),
      m_linkRow(new QWidget(this))
{
    m_question->setObjectName(QStringLiteral("explainQuestion"));
    m_question->setWordWrap(true);
    m_text->setObjectName(QStringLiteral("explainText"));
    m_text->setWordWrap(true);
    auto *head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_icon, 0, Qt::AlignTop);
    head->addWidget(m_question, 1);
    auto *links = new QHBoxLayout(m_linkRow);
    links->setContentsMargins(0, 0, 0, 0);
    links->setSpacing(12);
    for (std::size_t i = 0; i < kMostLinks; ++i) {
        auto *button = new StudioButton({}, i == 0 ? QStringLiteral("crosshair") : QStringLiteral("arrow-right"),
                                        ButtonKind::Quiet, m_linkRow);
        button->setFixedHeight(24);
        button->setFlush(true);
        button->setObjectName(QStringLiteral("explainLink%1").arg(i));
        button->setElided(true);
        button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        connect(button, &QAbstractButton::clicked, this, [this, i] { Q_EMIT followed(m_explanation.links[i]); });
        links->addWidget(button);
        m_links.push_back(button);
    }
    links->addStretch(1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kBar + kPadding, kPadding, kPadding, kPadding - 2);
    column->setSpacing(6);
    column->addLayout(head);
    column->addWidget(m_text);
    column->addWidget(m_linkRow);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    setExplanation({});
}

void ExplanationCard::setExplanation(const Explanation &explanation)
{
    m_explanation = explanation;
    setVisible(!explanation.empty());
    if (explanation.empty()) return;
    const bool category = explanation.bar == Token::Recomputed || explanation.bar == Token::Kept;
    m_icon->setIcon(explanation.icon, category ? explanation.bar : Token::Text2);
    m_question->setText(explanation.question);
    m_question->setToolTip(explanation.question);
    m_text->setText(explanation.sentences.join(QLatin1Char(' ')));
    for (std::size_t i = 0; i < m_links.size(); ++i) {
        const bool there = i < explanation.links.size();
        m_links[i]->setVisible(there);
        if (!there) continue;
        const ExplanationLink &link = explanation.links[i];
        constexpr int kRoom = 150;
        m_links[i]->setText(m_links[i]->fontMetrics().elidedText(link.text, Qt::ElideLeft, kRoom));
        m_links[i]->setAccessibleName(link.text);
        m_links[i]->setToolTip(link.step >= 0 ? tr("Moves the cursor to this step") : tr("Selects %1").arg(link.text));
        m_links[i]->setIconName(link.step >= 0 ? QStringLiteral("crosshair") : QStringLiteral("arrow-right"));
        m_links[i]->updateGeometry();
    }
    m_linkRow->setVisible(!explanation.links.empty());
    setAccessibleName(explanation.question);
    setAccessibleDescription(m_text->text());
    updateGeometry();
    update();
}

void ExplanationCard::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath frame;
    frame.addRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    painter.fillPath(frame, theme.color(Token::Panel));
    painter.save();
    painter.setClipPath(frame);
    painter.fillRect(0, 0, kBar, height(), theme.color(m_explanation.bar));
    painter.restore();
    painter.setPen(theme.color(Token::Line));
    painter.drawPath(frame);
}

} // namespace remat::studio
