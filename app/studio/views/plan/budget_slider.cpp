// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/plan/budget_slider.h"

#include "app/studio/base/plots/scale.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

constexpr int kKnob = 16;
constexpr double kTroughY = 14;
constexpr double kTrough = 6;
constexpr int kHundred = 1000;

} // namespace

BudgetSlider::BudgetSlider(QWidget *parent) : QAbstractSlider(parent)
{
    setRange(0, kHundred);
    setSingleStep(10);
    setPageStep(50);
    setFocusPolicy(Qt::StrongFocus);
    setFixedHeight(46);
    setAccessibleName(tr("Budget, share of the keep-all peak"));
    setToolTip(tr("Drag to set the budget; no plan can reach into the hatched part. Arrow keys: 1 %, with Shift 0.1 %; "
                  "Home: the smallest; End: 100 %."));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void BudgetSlider::setScale(std::int64_t keepAllPeakBytes, std::int64_t floorBytes)
{
    m_peakBytes = keepAllPeakBytes;
    m_floorBytes = floorBytes;
    update();
}

double BudgetSlider::xOf(double share) const
{
    return kKnob / 2.0 + std::clamp(share, 0.0, 1.0) * (width() - kKnob);
}

int BudgetSlider::valueAt(double x) const
{
    const double share = (x - kKnob / 2.0) / std::max(width() - kKnob, 1);
    return std::clamp(static_cast<int>(std::lround(share * kHundred)), 1, kHundred);
}

void BudgetSlider::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || m_peakBytes <= 0) return;
    setSliderDown(true);
    setSliderPosition(valueAt(event->position().x()));
}

void BudgetSlider::mouseMoveEvent(QMouseEvent *event)
{
    if (isSliderDown()) setSliderPosition(valueAt(event->position().x()));
}

void BudgetSlider::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && isSliderDown()) setSliderDown(false);
}

void BudgetSlider::keyPressEvent(QKeyEvent *event)
{
    if (m_peakBytes <= 0) return;
    const int step = event->modifiers() & Qt::ShiftModifier ? 1 : singleStep();
    const int floor =
        static_cast<int>(std::ceil(static_cast<double>(m_floorBytes) / static_cast<double>(m_peakBytes) * kHundred));
    int target = value();
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down:
        target -= step;
        break;
    case Qt::Key_Right:
    case Qt::Key_Up:
        target += step;
        break;
    case Qt::Key_PageDown:
        target -= pageStep();
        break;
    case Qt::Key_PageUp:
        target += pageStep();
        break;
    case Qt::Key_Home:
        target = floor;
        break;
    case Qt::Key_End:
        target = kHundred;
        break;
    default:
        QAbstractSlider::keyPressEvent(event);
        return;
    }
    target = std::clamp(target, 1, kHundred);
    if (target != value()) Q_EMIT steppedTo(target);
}

/// Turning the wheel scrolls the panel; a budget that changes under the pointer by accident would be a surprise.
void BudgetSlider::wheelEvent(QWheelEvent *event)
{
    event->ignore();
}

void BudgetSlider::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!isEnabled()) painter.setOpacity(0.4);

    const double left = xOf(0);
    const double right = xOf(1);
    const double knobX = xOf(static_cast<double>(value()) / kHundred);
    const double floorX =
        m_peakBytes > 0 ? xOf(static_cast<double>(m_floorBytes) / static_cast<double>(m_peakBytes)) : left;
    QPainterPath trough;
    trough.addRoundedRect(QRectF(left - kTrough / 2, kTroughY - kTrough / 2, right - left + kTrough, kTrough), 3, 3);
    painter.fillPath(trough, theme.color(Token::Sunken));
    painter.save();
    painter.setClipPath(trough);
    painter.fillRect(QRectF(floorX, 0, std::max(knobX - floorX, 0.0), height()), theme.color(Token::Accent));
    QColor hatch = theme.color(Token::Bound);
    painter.setPen(QPen(hatch, 1.5));
    painter.setClipRect(QRectF(left - kTrough, 0, floorX - left + kTrough, kTroughY + kTrough), Qt::IntersectClip);
    for (double x = left - 2 * kTrough; x < floorX + kTrough; x += 5)
        painter.drawLine(QPointF(x, kTroughY + kTrough), QPointF(x + 2 * kTrough, kTroughY - kTrough));
    painter.restore();

    paintTicks(painter);

    const bool belowFloor = value() > 0 && knobX < floorX - 0.5;
    painter.setBrush(theme.color(Token::Panel));
    painter.setPen(QPen(theme.color(belowFloor ? Token::Error : Token::Accent), 2));
    painter.drawEllipse(QPointF(knobX, kTroughY), kKnob / 2.0 - 1, kKnob / 2.0 - 1);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.color(Token::Focus), 2));
        painter.drawEllipse(QPointF(knobX, kTroughY), kKnob / 2.0 + 2, kKnob / 2.0 + 2);
    }
}

void BudgetSlider::paintTicks(QPainter &painter) const
{
    if (m_peakBytes <= 0) return;
    const Theme &theme = Theme::instance();
    painter.setFont(theme.font(FontRole::Small));
    const QFontMetrics metrics = painter.fontMetrics();
    const int baseline = height() - 4;
    const QString floorText =
        tr("floor %1").arg(memoryShareText(static_cast<double>(m_floorBytes) / static_cast<double>(m_peakBytes)));
    const QString fullText = shareText(1);
    const int floorEnd = metrics.horizontalAdvance(floorText);
    const int fullStart = width() - metrics.horizontalAdvance(fullText);
    painter.setPen(theme.color(Token::Bound));
    painter.drawText(0, baseline, floorText);
    painter.setPen(theme.color(Token::Text3));
    painter.drawText(fullStart, baseline, fullText);

    for (const Tick &tick : bytesTicks(static_cast<double>(m_peakBytes), 5)) {
        const double x = xOf(tick.value / static_cast<double>(m_peakBytes));
        const int width = metrics.horizontalAdvance(tick.label);
        const int start = static_cast<int>(x) - width / 2;
        if (start < floorEnd + 8 || start + width > fullStart - 8) continue;
        painter.setPen(QPen(theme.color(Token::LineStrong), 1));
        painter.drawLine(QPointF(x, kTroughY + 9), QPointF(x, kTroughY + 13));
        painter.setPen(theme.color(Token::Text3));
        painter.drawText(start, baseline, tick.label);
    }
}

} // namespace remat::studio
