// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/widgets/building_blocks.h"

#include "app/studio/base/style/shown_focus.h"

#include <QAction>
#include <QEvent>
#include <QFontMetrics>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kButtonIcon = 15;
constexpr int kButtonPadding = 12;
constexpr int kButtonGap = 8;
constexpr int kButtonArrow = 13;

} // namespace

TokenLabel::TokenLabel(const QString &text, FontRole role, Token token, QWidget *parent)
    : QLabel(text, parent), m_token(token)
{
    setFont(Theme::instance().font(role));
    setTextFormat(Qt::PlainText);
    setTextInteractionFlags(Qt::NoTextInteraction);
    takeColor();
    connect(&Theme::instance(), &Theme::changed, this, &TokenLabel::takeColor);
}

void TokenLabel::setToken(Token token)
{
    if (m_token == token) return;
    m_token = token;
    takeColor();
}

void TokenLabel::takeColor()
{
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, Theme::instance().color(m_token));
    setPalette(colors);
    update();
}

void TokenLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange) updateGeometry();
}

QSize TokenLabel::minimumSizeHint() const
{
    QSize size = QLabel::minimumSizeHint();
    if (!wordWrap()) size.setWidth(std::min(size.width(), 24));
    return size;
}

void TokenLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(Theme::instance().color(m_token));
    if (wordWrap()) {
        painter.drawText(contentsRect(), static_cast<int>(alignment()) | Qt::TextWordWrap, text());
        return;
    }
    constexpr qsizetype kLeastLetters = 5; // less says nothing
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
    if (shown != text() && shown.size() < kLeastLetters) return;
    painter.drawText(contentsRect(), static_cast<int>(alignment()) | Qt::TextSingleLine, shown);
}

IconLabel::IconLabel(const QString &icon, int size, Token token, QWidget *parent)
    : QWidget(parent), m_icon(icon), m_size(size), m_token(token)
{
    setFixedSize(size, size);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void IconLabel::setIcon(const QString &icon, Token token)
{
    m_icon = icon;
    m_token = token;
    update();
}

void IconLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.drawPixmap(0, 0, Theme::instance().iconPixmap(m_icon, m_size, m_token, devicePixelRatioF()));
}

Rule::Rule(QWidget *parent) : QWidget(parent)
{
    setFixedHeight(1);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Rule::paintEvent(QPaintEvent *)
{
    QPainter(this).fillRect(rect(), Theme::instance().color(Token::Line));
}

void paintFocusRing(QPainter &painter, const QRectF &rect, qreal radius)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Theme::instance().color(Token::Focus), 2));
    painter.drawRoundedRect(rect, radius, radius);
}

StudioButton::StudioButton(const QString &text, const QString &icon, ButtonKind kind, QWidget *parent)
    : QAbstractButton(parent), m_icon(icon), m_kind(kind)
{
    setProperty(kOwnRing, true);
    setText(text);
    setFont(Theme::instance().font(kind == ButtonKind::Quiet ? FontRole::Body : FontRole::Name));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::ArrowCursor);
    setFixedHeight(32);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void StudioButton::setKeyText(const QString &key)
{
    m_key = key;
    updateGeometry();
    update();
}

void StudioButton::followAction(QAction *action)
{
    const auto take = [this, action] {
        setEnabled(action->isEnabled());
        setToolTip(action->toolTip());
    };
    take();
    connect(action, &QAction::changed, this, take);
    connect(this, &QAbstractButton::clicked, action, &QAction::trigger);
}

void StudioButton::setMenuArrow(bool arrow)
{
    m_arrow = arrow;
    updateGeometry();
}

void StudioButton::setIconName(const QString &icon)
{
    m_icon = icon;
    updateGeometry();
    update();
}

void StudioButton::setFlush(bool flush)
{
    m_flush = flush;
    updateGeometry();
}

void StudioButton::setElided(bool elided)
{
    m_elided = elided;
    updateGeometry();
}

QString StudioButton::shownText() const
{
    const int over = sizeHint().width() - width();
    if (!m_elided || over <= 0 || text().isEmpty()) return text();
    const int room = fontMetrics().horizontalAdvance(text()) - over;
    constexpr int kLeastWord = 28; // less says nothing
    return room < kLeastWord ? QString() : fontMetrics().elidedText(text(), Qt::ElideRight, room);
}

int StudioButton::contentWidth() const
{
    const QFontMetrics metrics(font());
    int width = 0;
    const auto add = [&width](int part) { width += (width > 0 ? kButtonGap : 0) + part; };
    if (!m_icon.isEmpty()) add(kButtonIcon);
    if (!text().isEmpty()) add(metrics.horizontalAdvance(text()));
    if (!m_key.isEmpty()) add(QFontMetrics(Theme::instance().font(FontRole::Label)).horizontalAdvance(m_key));
    if (m_arrow) add(kButtonArrow);
    return width;
}

QSize StudioButton::sizeHint() const
{
    return {contentWidth() + (m_flush ? 8 : 2 * kButtonPadding), 32};
}

QSize StudioButton::minimumSizeHint() const
{
    if (!m_elided || m_icon.isEmpty()) return sizeHint();
    const int arrow = m_arrow ? kButtonGap + kButtonArrow : 0;
    return {kButtonIcon + arrow + (m_flush ? 8 : 2 * kButtonPadding), 32};
}

bool StudioButton::event(QEvent *event)
{
    switch (event->type()) {
    case QEvent::Enter:
    case QEvent::Leave:
    case QEvent::EnabledChange:
        update();
        break;
    default:
        break;
    }
    return QAbstractButton::event(event);
}

void StudioButton::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!isEnabled()) painter.setOpacity(0.4);
    const bool primary = m_kind == ButtonKind::Primary;
    const bool hovered = isEnabled() && underMouse();
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    QColor fill = theme.color(primary ? Token::Accent : Token::Panel);
    if (primary && (hovered || isDown())) fill = isDown() ? fill.darker(115) : fill.lighter(108);
    if (!primary && (hovered || isDown())) fill = theme.color(Token::Sunken);
    if (m_flush || (m_kind == ButtonKind::Quiet && !hovered && !isDown())) fill = Qt::transparent;
    painter.setBrush(fill);
    painter.setPen(m_kind == ButtonKind::Plain ? QPen(theme.color(Token::LineStrong), 1) : QPen(Qt::NoPen));
    painter.drawRoundedRect(frame, 6, 6);

    const Token ink = primary ? Token::OnAccent : Token::Text;
    const QString shown = shownText();
    int content = contentWidth();
    if (shown != text())
        content -= QFontMetrics(font()).horizontalAdvance(text()) - QFontMetrics(font()).horizontalAdvance(shown) +
                   (shown.isEmpty() && !m_icon.isEmpty() ? kButtonGap : 0);
    int x = m_flush ? 0 : std::max((width() - content) / 2, 4);
    const auto gap = [&x](int part) { x += part + kButtonGap; };
    if (!m_icon.isEmpty()) {
        painter.drawPixmap(
            x, (height() - kButtonIcon) / 2,
            theme.iconPixmap(m_icon, kButtonIcon, primary ? Token::OnAccent : Token::Text2, devicePixelRatioF()));
        gap(kButtonIcon);
    }
    painter.setPen(theme.color(ink));
    if (!shown.isEmpty()) {
        painter.setFont(font());
        const int textWidth = painter.fontMetrics().horizontalAdvance(shown);
        painter.drawText(QRect(x, 0, textWidth + 1, height()), Qt::AlignVCenter | Qt::TextSingleLine, shown);
        gap(textWidth);
    }
    if (!m_key.isEmpty()) {
        painter.setFont(theme.font(FontRole::Label));
        const int keyWidth = painter.fontMetrics().horizontalAdvance(m_key);
        if (!primary) painter.setPen(theme.color(Token::Text3));
        painter.drawText(QRect(x, 0, keyWidth + 1, height()), Qt::AlignVCenter | Qt::TextSingleLine, m_key);
        gap(keyWidth);
    }
    if (m_arrow)
        painter.drawPixmap(x, (height() - kButtonArrow) / 2,
                           theme.iconPixmap(QStringLiteral("chevron-down"), kButtonArrow,
                                            primary ? Token::OnAccent : Token::Text3, devicePixelRatioF()));
    if (hasFocus() && isEnabled()) {
        // On the accent colour a ring of the same colour would vanish: it sits inside, in the colour of the text.
        if (primary) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme.color(Token::OnAccent), 2));
            painter.drawRoundedRect(frame.adjusted(2.5, 2.5, -2.5, -2.5), 4, 4);
        } else {
            paintFocusRing(painter, frame.adjusted(0.5, 0.5, -0.5, -0.5), 6);
        }
    }
}

} // namespace remat::studio
