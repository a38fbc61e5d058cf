// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/stories/story_chart.h"

#include "app/studio/base/plots/scale.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/text.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>

namespace remat::studio {

namespace {

constexpr int kLeft = 76, kRight = 16, kTop = 56, kBottom = 44, kTicks = 5;
constexpr std::array kColours = {Token::Accent, Token::Bound, Token::Ghost, Token::Warn};

std::vector<Tick> ticksOf(StoryUnit unit, double from, double to, int most)
{
    if (unit == StoryUnit::Bytes) return bytesTicks(to, most);
    return unit == StoryUnit::Microseconds ? timeTicks(from, to, most) : countTicks(from, to, most);
}

QPen penOf(std::size_t series)
{
    QPen pen(Theme::instance().color(kColours[series % kColours.size()]), 2);
    if (series == 1) pen.setDashPattern({4, 2});
    if (series >= 2) pen.setDashPattern({1, 2});
    return pen;
}

} // namespace

StoryChartView::StoryChartView(QWidget *parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("storyChart"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void StoryChartView::setChart(const std::optional<StoryChart> &chart)
{
    m_chart = chart;
    QStringList names;
    if (chart)
        for (const StorySeries &series : chart->series)
            names << toQString(series.name);
    setAccessibleName(chart ? toQString(chart->title) : tr("No chart"));
    setAccessibleDescription(names.join(QStringLiteral(", ")));
    update();
}

void StoryChartView::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.color(Token::Plot));
    if (!m_chart) return;
    double right = 0, top = 0;
    for (const StorySeries &series : m_chart->series)
        for (const auto &[x, y] : series.points) {
            right = std::max(right, x);
            top = std::max(top, y);
        }
    if (right <= 0) right = 1;
    if (top <= 0) top = 1;
    const Scale across{0, right * 1.04, double(kLeft), double(width() - kRight)};
    const Scale up{0, top * 1.08, double(height() - kBottom), double(kTop)};

    painter.setFont(theme.font(FontRole::Name));
    painter.setPen(theme.color(Token::Text));
    painter.drawText(QRect(12, 8, width() - 24, 18), Qt::AlignLeft | Qt::AlignVCenter, toQString(m_chart->title));
    painter.setFont(theme.font(FontRole::Label));
    for (const Tick &tick : ticksOf(m_chart->yUnit, 0, up.toValue, kTicks)) {
        const double y = up.pixel(tick.value);
        painter.setPen(theme.color(Token::Line));
        painter.drawLine(QPointF(kLeft, y), QPointF(width() - kRight, y));
        painter.setPen(theme.color(Token::Text3));
        painter.drawText(QRectF(0, y - 9, kLeft - 8, 18), Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    painter.setPen(theme.color(Token::Text3));
    for (const Tick &tick : ticksOf(m_chart->xUnit, 0, across.toValue, kTicks))
        painter.drawText(QRectF(across.pixel(tick.value) - 50, height() - kBottom + 4, 100, 18), Qt::AlignCenter,
                         tick.label);
    painter.drawText(QRectF(kLeft, height() - 20, width() - kLeft - kRight, 18), Qt::AlignCenter,
                     toQString(m_chart->x));

    double legend = 12;
    for (std::size_t i = 0; i < m_chart->series.size(); ++i) {
        const StorySeries &series = m_chart->series[i];
        const QString name = toQString(series.name);
        painter.setPen(penOf(i));
        painter.drawLine(QPointF(legend, 38), QPointF(legend + 20, 38));
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QPointF(legend + 26, 42), name);
        legend += 44 + painter.fontMetrics().horizontalAdvance(name);
        QPolygonF line;
        for (const auto &[x, y] : series.points)
            line << QPointF(across.pixel(x), up.pixel(y));
        painter.setPen(penOf(i));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(line);
        if (line.isEmpty()) continue;
        painter.setBrush(theme.color(kColours[i % kColours.size()]));
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(line.back(), 3.5, 3.5);
    }
}

} // namespace remat::studio
