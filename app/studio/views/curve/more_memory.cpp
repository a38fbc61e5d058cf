// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/curve/more_memory.h"

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "core/views/memory_step.h"
#include "solvers/uses/fit.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

constexpr int kWidth = 288;
constexpr double kGlyph = 15;
constexpr double kSide = 14, kRow = 24;
constexpr std::size_t kMostDevices = 6;
constexpr std::int64_t kGiB = std::int64_t(1) << 30;

/// `−5.00 pp`, `0`.
QString changeText(double change)
{
    if (std::abs(change) < 5e-5) return QStringLiteral("0");
    QString number = shareText(std::abs(change));
    number.replace(QLatin1Char('%'), QStringLiteral("pp"));
    return (change < 0 ? QStringLiteral("−") : QStringLiteral("+")) + number;
}

} // namespace

std::vector<MemoryStep> memorySteps(const CurveScene &scene)
{
    std::vector<MemoryStep> steps;
    if (scene.empty()) return steps;
    const std::int64_t step = memoryStepBytes(scene.keepAllPeakBytes);
    for (std::int64_t budget = scene.budgetBytes; steps.size() < 5; budget += step) {
        const std::int64_t capped = std::min(budget, scene.keepAllPeakBytes);
        MemoryStep row{capped, scene.bestWithin(capped), std::nullopt};
        if (!steps.empty() && row.overhead && steps.back().overhead)
            row.change = *row.overhead - *steps.back().overhead;
        steps.push_back(row);
        if (capped >= scene.keepAllPeakBytes) break;
    }
    return steps;
}

MoreMemory::MoreMemory(QWidget *parent) : QWidget(parent)
{
    setAccessibleName(tr("What more memory buys"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void MoreMemory::setScene(const CurveScene &scene)
{
    m_scene = scene;
    m_steps = memorySteps(scene);
    QStringList spoken;
    for (const MemoryStep &step : m_steps)
        if (step.overhead) spoken << tr("%1: %2").arg(memoryText(step.budgetBytes), shareText(*step.overhead));
    if (const CurvePoint *current = scene.find(scene.currentPlan))
        for (const DeviceRoom &device : scene.devices)
            spoken << (current->peakBytes <= device.roomBytes ? tr("fits on %1") : tr("does not fit on %1"))
                          .arg(device.title);
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    update();
}

QSize MoreMemory::sizeHint() const
{
    return {kWidth, 320};
}

void MoreMemory::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Token::Panel));
    painter.fillRect(0, 0, 1, height(), theme.color(Token::Line));
    if (m_scene.empty()) return;
    double y = 10;
    paintSteps(painter, y);
    paintDevices(painter, y);
}

void MoreMemory::paintSteps(QPainter &painter, double &y) const
{
    const Theme &theme = Theme::instance();
    const double right = width() - kSide;
    painter.setFont(theme.font(FontRole::Name));
    painter.setPen(theme.color(Token::Text));
    painter.drawText(QRectF(kSide, y, right - kSide, 20), Qt::AlignVCenter,
                     memoryStepBytes(m_scene.keepAllPeakBytes) == kGiB
                         ? tr("What one more GiB buys")
                         : tr("What %1 more buys").arg(bytesText(memoryStepBytes(m_scene.keepAllPeakBytes))));
    y += 26;
    double largest = 1e-9;
    for (const MemoryStep &step : m_steps)
        largest = std::max(largest, step.overhead.value_or(0));
    for (const MemoryStep &step : m_steps) {
        painter.setFont(theme.font(FontRole::Label));
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(kSide, y, 62, kRow), Qt::AlignRight | Qt::AlignVCenter, memoryText(step.budgetBytes));
        const double barLeft = kSide + 70, barRoom = right - barLeft - 110;
        painter.setFont(theme.font(FontRole::Name));
        painter.setPen(theme.color(Token::Text));
        if (step.overhead) {
            const double length = std::max(2.0, barRoom * *step.overhead / largest);
            painter.fillRect(QRectF(barLeft, y + kRow / 2 - 5, length, 10), theme.color(Token::Kept));
            painter.drawText(QRectF(barLeft + barRoom, y, 48, kRow), Qt::AlignRight | Qt::AlignVCenter,
                             shareText(*step.overhead));
        } else {
            painter.drawText(QRectF(barLeft + barRoom, y, 48, kRow), Qt::AlignRight | Qt::AlignVCenter, dash());
        }
        if (step.change) {
            painter.setFont(theme.font(FontRole::Label));
            painter.setPen(theme.color(*step.change < 0 ? Token::Ok : Token::Text3));
            painter.drawText(QRectF(right - 60, y, 60, kRow), Qt::AlignRight | Qt::AlignVCenter,
                             changeText(*step.change));
        }
        y += kRow;
    }
    y += 4;
    painter.setFont(theme.font(FontRole::Label));
    painter.setPen(theme.color(Token::Text3));
    const QRectF note(kSide, y, right - kSide, 34);
    painter.drawText(note, Qt::TextWordWrap,
                     tr("The best plan found within each so far, quick plans included. A sweep finds better ones."));
    y += 46;
}

void MoreMemory::paintDevices(QPainter &painter, double &y) const
{
    if (m_scene.devices.empty()) return;
    const Theme &theme = Theme::instance();
    const double right = width() - kSide;
    painter.setFont(theme.font(FontRole::Name));
    painter.setPen(theme.color(Token::Text));
    const CurvePoint *current = m_scene.find(m_scene.currentPlan);
    painter.drawText(
        QRectF(kSide, y, right - kSide, 20), Qt::AlignVCenter,
        current
            ? elided(painter, tr("%1, %2, fits on").arg(current->title, memoryText(current->peakBytes)), right - kSide)
            : tr("Fits on"));
    y += 22;
    // These figures are not of the plan that is named above.
    painter.setFont(theme.font(FontRole::Small));
    painter.setPen(theme.color(Token::Text3));
    painter.drawText(QRectF(right - 164, y, 110, 16), Qt::AlignRight | Qt::AlignVCenter, tr("Room"));
    painter.drawText(QRectF(right - 50, y, 50, 16), Qt::AlignRight | Qt::AlignVCenter, tr("Best plan"));
    y += 18;
    for (std::size_t d = 0; d < std::min(m_scene.devices.size(), kMostDevices) && y + kRow < height(); ++d) {
        const DeviceRoom &device = m_scene.devices[d];
        painter.setPen(theme.color(Token::Line));
        painter.drawLine(QPointF(kSide, y), QPointF(right, y));
        const std::optional<double> overhead = m_scene.bestWithin(device.roomBytes);
        double left = kSide;
        if (current) {
            const bool fits = current->peakBytes <= device.roomBytes;
            painter.drawPixmap(QPointF(left, y + (kRow - kGlyph) / 2),
                               theme.iconPixmap(fits ? QStringLiteral("circle-check") : QStringLiteral("circle-x"),
                                                static_cast<int>(kGlyph), fits ? Token::Ok : Token::Text3,
                                                devicePixelRatioF()));
            left += kGlyph + 6;
        }
        painter.setFont(theme.font(FontRole::Label));
        painter.setPen(theme.color(Token::Text));
        const double room = right - left - 118;
        painter.drawText(QRectF(left, y, room, kRow), Qt::AlignVCenter, elided(painter, device.title, room));
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(right - 114, y, 60, kRow), Qt::AlignRight | Qt::AlignVCenter,
                         bytesText(device.roomBytes, Rounding::Down));
        painter.setFont(theme.font(FontRole::Name));
        painter.setPen(theme.color(Token::Text));
        painter.drawText(QRectF(right - 50, y, 50, kRow), Qt::AlignRight | Qt::AlignVCenter,
                         overhead ? shareText(*overhead) : dash());
        y += kRow;
    }
    if (y + 56 > height()) return;
    painter.setFont(theme.font(FontRole::Label));
    painter.setPen(theme.color(Token::Text3));
    painter.drawText(
        QRectF(kSide, y + 6, right - kSide, 50), Qt::TextWordWrap,
        tr("What is left for the step beside parameters, states of the optimizer and a reserve of %1, and the best "
           "overhead found in it.")
            .arg(shareText(kFitReserve)));
}

} // namespace remat::studio
