// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/widgets/segmented_control.h"

#include "app/studio/base/style/shown_focus.h"
#include "app/studio/base/style/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace remat::studio {

namespace {
constexpr int kHeight = 24;
constexpr int kPadding = 12;
constexpr int kTrough = 2;
constexpr int kIcon = 15, kIconGap = 6;
} // namespace

SegmentedControl::SegmentedControl(const QStringList &labels, QWidget *parent) : QWidget(parent), m_labels(labels)
{
    setFont(Theme::instance().font(FontRole::Label));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(m_labels.join(QStringLiteral(", ")));
    setAccessibleDescription(m_labels.value(m_current));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void SegmentedControl::setCurrent(int index)
{
    index = std::clamp(index, 0, static_cast<int>(m_labels.size()) - 1);
    if (index == m_current) return;
    m_current = index;
    setAccessibleDescription(m_labels.value(m_current));
    update();
    Q_EMIT currentChanged(index);
}

void SegmentedControl::setIcons(const QStringList &icons)
{
    m_icons = icons;
    updateGeometry();
    update();
}

void SegmentedControl::setCompact(bool compact)
{
    if (compact == m_compact) return;
    m_compact = compact;
    updateGeometry();
    update();
}

int SegmentedControl::widthOf(int index) const
{
    if (m_compact && !m_icons.value(index).isEmpty()) return kIcon + 2 * kPadding;
    return fontMetrics().horizontalAdvance(m_labels[index]) + 2 * kPadding +
           (m_icons.value(index).isEmpty() ? 0 : kIcon + kIconGap);
}

QRect SegmentedControl::segment(int index) const
{
    int x = kTrough;
    for (int i = 0;; ++i) {
        const int width = widthOf(i);
        if (i == index) return {x, kTrough, width, height() - 2 * kTrough};
        x += width;
    }
}

QSize SegmentedControl::sizeHint() const
{
    return {segment(static_cast<int>(m_labels.size()) - 1).right() + 1 + kTrough, kHeight};
}

void SegmentedControl::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!isEnabled()) painter.setOpacity(0.4);
    painter.setPen(theme.scheme() == Scheme::HighContrast ? QPen(theme.color(Token::Line)) : QPen(Qt::NoPen));
    painter.setBrush(theme.color(Token::Sunken));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);

    for (int i = 0; i < m_labels.size(); ++i) {
        const bool chosen = i == m_current;
        QRect box = segment(i);
        if (chosen) {
            painter.setPen(QPen(theme.color(m_focusShown ? Token::Focus : Token::LineStrong), m_focusShown ? 2 : 1));
            painter.setBrush(theme.color(Token::Panel));
            painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
        }
        QFont face = font();
        face.setWeight(QFont::Medium);
        painter.setFont(face);
        painter.setPen(theme.color(chosen ? Token::Text : Token::Text2));
        if (!m_icons.value(i).isEmpty()) {
            painter.drawPixmap(box.left() + kPadding, box.center().y() - kIcon / 2,
                               theme.iconPixmap(m_icons[i], kIcon, chosen ? Token::Text : Token::Text2,
                                                painter.device()->devicePixelRatioF()));
            if (m_compact) continue;
            box.setLeft(box.left() + kIcon + kIconGap);
        }
        painter.drawText(box, Qt::AlignCenter, m_labels[i]);
    }
}

void SegmentedControl::mousePressEvent(QMouseEvent *event)
{
    for (int i = 0; i < m_labels.size(); ++i) {
        if (!segment(i).contains(event->pos())) continue;
        if (i == m_current) Q_EMIT chosenAgain();
        setCurrent(i);
        Q_EMIT picked(i);
    }
}

void SegmentedControl::keyPressEvent(QKeyEvent *event)
{
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (step == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    const int before = m_current;
    setCurrent(m_current + step);
    if (m_current != before) Q_EMIT picked(m_current);
}

void SegmentedControl::focusInEvent(QFocusEvent *event)
{
    m_focusShown = shownFocus(*event);
    update();
}

void SegmentedControl::focusOutEvent(QFocusEvent *)
{
    m_focusShown = false;
    update();
}

} // namespace remat::studio
