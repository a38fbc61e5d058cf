// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/shared/verdict.h"

#include "app/studio/base/text/text.h"
#include "app/studio/work/document/standing.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kBadgeHeight = 26;
constexpr int kBadgeIcon = 15;
constexpr int kBoxPadding = 10;
constexpr int kBoxIcon = 18;
constexpr int kTitleHeight = 18;

struct VerdictText {
    Q_DECLARE_TR_FUNCTIONS(Verdict)
};

} // namespace

VerdictLook verdictLook(const Document &document, const PlanEntry &entry, const QString &running)
{
    if (!running.isEmpty())
        return {QStringLiteral("circle-dashed"), VerdictText::tr("Validating…"), running, Token::Text2, Token::Sunken};
    const PlanVerdict verdict = verdictOf(entry, document.budgetBytes());
    QString title = toQString(verdict.title), sentence = toQString(verdict.sentence);
    const PlanStanding standing = standingOf(document, entry);
    if (verdict.level == VerdictLevel::Ok) {
        if (!verdict.wasRun) title = standing.title;
        sentence = standing.sentence + QLatin1Char(' ') + sentence;
    }
    switch (verdict.level) {
    case VerdictLevel::Unproven:
        return {QStringLiteral("circle-dashed"), title, sentence, Token::Text2, Token::Sunken};
    case VerdictLevel::Ok:
        if (verdict.wasRun) return {QStringLiteral("shield-check"), title, sentence, Token::Ok, Token::OkSoft};
        if (standing.standing < Standing::Solved)
            return {QStringLiteral("circle-dashed"), title, sentence, Token::Text2, Token::Sunken};
        return {QStringLiteral("circle-check"), title, sentence, Token::Ok, Token::Raised};
    case VerdictLevel::OverBudget:
        return {QStringLiteral("triangle-alert"), title, sentence, Token::Warn, Token::WarnSoft};
    case VerdictLevel::Failed:
        break;
    }
    return {QStringLiteral("circle-x"), title, sentence, Token::Error, Token::ErrorSoft};
}

VerdictBadge::VerdictBadge(QWidget *parent) : QWidget(parent)
{
    setFixedHeight(kBadgeHeight);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setFont(Theme::instance().font(FontRole::Name));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void VerdictBadge::setLook(const VerdictLook &look)
{
    m_look = look;
    setToolTip(look.sentence);
    setAccessibleName(look.title);
    setAccessibleDescription(look.sentence);
    updateGeometry();
    update();
}

void VerdictBadge::setCompact(bool compact)
{
    if (compact == m_compact) return;
    m_compact = compact;
    updateGeometry();
    update();
}

QSize VerdictBadge::sizeHint() const
{
    if (m_compact) return {kBadgeIcon + 24, kBadgeHeight};
    return {fontMetrics().horizontalAdvance(m_look.title) + kBadgeIcon + 6 + 24, kBadgeHeight};
}

void VerdictBadge::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(m_look.back));
    painter.drawRoundedRect(rect(), kBadgeHeight / 2.0, kBadgeHeight / 2.0);
    painter.drawPixmap(12, (height() - kBadgeIcon) / 2,
                       theme.iconPixmap(m_look.icon, kBadgeIcon, m_look.ink, devicePixelRatioF()));
    if (m_compact) return;
    painter.setFont(font());
    painter.setPen(theme.color(m_look.ink));
    painter.drawText(rect().adjusted(12 + kBadgeIcon + 6, 0, -8, 0), Qt::AlignVCenter | Qt::TextSingleLine,
                     m_look.title);
}

VerdictBox::VerdictBox(QWidget *parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void VerdictBox::setLook(const VerdictLook &look)
{
    m_look = look;
    setAccessibleName(look.title);
    setAccessibleDescription(look.sentence);
    setMinimumHeight(heightForWidth(width()));
    updateGeometry();
    update();
}

void VerdictBox::resizeEvent(QResizeEvent *)
{
    setMinimumHeight(heightForWidth(width())); // no sentence is ever cut
}

int VerdictBox::heightForWidth(int width) const
{
    const QFontMetrics metrics(Theme::instance().font(FontRole::Body));
    const QRect text = metrics.boundingRect(QRect(0, 0, std::max(width - 2 * kBoxPadding, 40), 4000), Qt::TextWordWrap,
                                            m_look.sentence);
    return 2 * kBoxPadding + kTitleHeight + 4 + text.height();
}

QSize VerdictBox::sizeHint() const
{
    return {200, heightForWidth(width() > 0 ? width() : 299)};
}

void VerdictBox::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(m_look.back));
    painter.drawRoundedRect(rect(), 8, 8);
    const QRect inner = rect().adjusted(kBoxPadding, kBoxPadding, -kBoxPadding, -kBoxPadding);
    painter.drawPixmap(inner.left(), inner.top(),
                       theme.iconPixmap(m_look.icon, kBoxIcon, m_look.ink, devicePixelRatioF()));
    painter.setFont(theme.font(FontRole::Name));
    painter.setPen(theme.color(m_look.ink));
    painter.drawText(QRect(inner.left() + kBoxIcon + 8, inner.top(), inner.width() - kBoxIcon - 8, kTitleHeight),
                     Qt::AlignVCenter | Qt::TextSingleLine, m_look.title);
    painter.setFont(theme.font(FontRole::Body));
    painter.setPen(theme.color(m_look.ink));
    painter.drawText(inner.adjusted(0, kTitleHeight + 4, 0, 0), Qt::TextWordWrap, m_look.sentence);
}

} // namespace remat::studio
