// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/shared/step_chart.h"

#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/text.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <limits>

namespace remat::studio {

namespace {

constexpr int kValues = 54; ///< room for the values at the right end
constexpr int kTimes = 15;  ///< room for the times below

} // namespace

StepChart::StepChart(QWidget *parent) : QWidget(parent)
{
    setFixedHeight(92);
    setAccessibleName(tr("Best plan and lower bound over time"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void StepChart::setSamples(const std::vector<SolveSample> &samples, double keepAllTimeUs, double seconds)
{
    m_samples = samples;
    m_keepAllTimeUs = keepAllTimeUs;
    m_seconds = seconds;
    update();
}

StepChart::Line StepChart::line(double SolveSample::*value) const
{
    Line line;
    for (const SolveSample &sample : m_samples)
        if (sample.*value >= 0) line.points.emplace_back(sample.seconds, sample.*value / m_keepAllTimeUs - 1);
    return line;
}

void StepChart::paintLine(QPainter &painter, const Line &line, bool hatched, const QRectF &plot, double low,
                          double high) const
{
    if (line.points.empty()) return;
    const Theme &theme = Theme::instance();
    const double seconds = std::max(m_seconds, 1e-3);
    const auto place = [&](const QPointF &point) {
        return QPointF(plot.left() + std::clamp(point.x() / seconds, 0.0, 1.0) * plot.width(),
                       plot.bottom() - (point.y() - low) / (high - low) * plot.height());
    };
    // A bound that came with the end has held all the time; a line from there on would have no length.
    const bool cameAtTheEnd = hatched && line.points.size() == 1;
    QPainterPath path(cameAtTheEnd ? QPointF(plot.left(), place(line.points.front()).y()) : place(line.points.front()));
    for (const QPointF &point : line.points) {
        path.lineTo(place(point).x(), path.currentPosition().y());
        path.lineTo(place(point));
    }
    path.lineTo(plot.right(), path.currentPosition().y());
    if (hatched) {
        QPainterPath area = path;
        area.lineTo(plot.bottomRight());
        area.lineTo(path.elementAt(0).x, plot.bottom());
        area.closeSubpath();
        painter.save();
        QColor fill = theme.color(Token::Bound);
        fill.setAlphaF(0.10F);
        painter.fillPath(area, fill);
        painter.setClipPath(area);
        QColor stripes = theme.color(Token::Bound);
        stripes.setAlphaF(0.30F);
        painter.setPen(QPen(stripes, 1));
        for (double x = plot.left() - plot.height(); x < plot.right(); x += 6)
            painter.drawLine(QPointF(x, plot.bottom()), QPointF(x + plot.height(), plot.top()));
        painter.restore();
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.color(hatched ? Token::Bound : Token::Accent), hatched ? 1.8 : 2));
    painter.drawPath(path);
}

void StepChart::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF plot(0.5, 5, width() - kValues - 1, height() - kTimes - 5);
    painter.setPen(QPen(theme.color(Token::Line), 1));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    if (m_keepAllTimeUs <= 0) return;
    const Line best = line(&SolveSample::incumbentTimeUs);
    const Line bound = line(&SolveSample::boundTimeUs);
    if (best.points.empty() && bound.points.empty()) return;

    double high = 0;
    for (const Line *each : {&best, &bound})
        for (const QPointF &point : each->points)
            high = std::max(high, point.y());
    high = high > 0 ? high * 1.05 : 0.01;
    paintLine(painter, bound, true, plot, 0, high);
    paintLine(painter, best, false, plot, 0, high);

    painter.setFont(theme.font(FontRole::Small));
    const QFontMetrics metrics = painter.fontMetrics();
    painter.setPen(theme.color(Token::Text3));
    painter.drawText(QPointF(0, height() - 2), QStringLiteral("0 s"));
    const QString end = timeText(m_seconds * 1e6);
    painter.drawText(QPointF(plot.right() - metrics.horizontalAdvance(end), height() - 2), end);

    // The two values at the right keep a line's distance, in their order, whatever they are.
    const auto yOf = [&](const Line &each) { return plot.bottom() - each.last() / high * plot.height(); };
    const double lineHeight = metrics.height();
    double bestY = best.points.empty() ? plot.top() : yOf(best);
    double boundY = bound.points.empty() ? plot.bottom() : yOf(bound);
    bestY = std::clamp(bestY, plot.top() + lineHeight / 2, plot.bottom() - lineHeight * 1.5);
    boundY = std::clamp(std::max(boundY, bestY + lineHeight), plot.top(), plot.bottom() - lineHeight / 2 + 2);
    const auto value = [&](double y, const QString &text, Token token) {
        painter.setPen(theme.color(token));
        painter.drawText(QRectF(plot.right() + 6, y - lineHeight / 2, kValues - 6, lineHeight),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    if (!best.points.empty()) value(bestY, shareText(best.last()), Token::Accent);
    const double bestOverhead = best.points.empty() ? std::numeric_limits<double>::infinity() : best.last();
    if (!bound.points.empty()) value(boundY, boundShareText(bound.last(), bestOverhead), Token::Bound);

    const auto name = [&](const QString &text, double y) {
        const QRectF box(plot.center().x() - metrics.horizontalAdvance(text) / 2.0 - 4, y,
                         metrics.horizontalAdvance(text) + 8, lineHeight);
        QColor back = theme.color(Token::Panel);
        back.setAlphaF(0.8F);
        painter.fillRect(box, back);
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(box, Qt::AlignCenter, text);
    };
    if (!best.points.empty()) {
        // Over the line where there is room, else under its lowest part that the name would touch.
        const double half = metrics.horizontalAdvance(tr("best plan")) / 2.0 + 4, top = plot.top() - 4;
        double highest = plot.bottom(), lowest = plot.top();
        for (std::size_t i = 0; i < best.points.size(); ++i) {
            const auto xAt = [&](std::size_t point) {
                return point < best.points.size()
                           ? plot.left() + best.points[point].x() / std::max(m_seconds, 1e-3) * plot.width()
                           : plot.right();
            };
            if (xAt(i) > plot.center().x() + half || xAt(i + 1) < plot.center().x() - half) continue;
            const double y = plot.bottom() - best.points[i].y() / high * plot.height();
            highest = std::min(highest, y);
            lowest = std::max(lowest, y);
        }
        const bool over = top + lineHeight < highest, under = lowest + lineHeight + 3 < plot.bottom();
        name(tr("best plan"), over || !under ? top : lowest + 3);
    }
    // Known at the end only, it is a point and needs no name.
    const bool boundIsLine = !bound.points.empty() && bound.points.front().x() < m_seconds * 0.7;
    if (boundIsLine) name(tr("lower bound"), plot.bottom() - lineHeight - 3);
}

} // namespace remat::studio
