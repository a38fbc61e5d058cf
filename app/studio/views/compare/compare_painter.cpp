// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/compare/compare_painter.h"

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/style/letters.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/memory_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

constexpr double kLeft = 76, kRight = 28, kTop = 26;
constexpr double kStrip = 76, kTitle = 26, kTimeLabels = 20, kBottom = 6, kLive = 9;
constexpr double kFill = 0.13;
constexpr double kMarker = 12;

struct PainterText {
    Q_DECLARE_TR_FUNCTIONS(CompareView)
};

QColor faded(Token token, double opacity)
{
    QColor color = Theme::instance().color(token);
    color.setAlphaF(static_cast<float>(opacity));
    return color;
}

class ComparePainter
{
public:
    ComparePainter(QPainter &painter, const CompareLook &look)
        : m_painter(painter),
          m_scene(look.scene),
          m_layout(look.layout),
          m_plot(look.layout.plot),
          m_view(look.view),
          m_ratio(look.devicePixelRatio),
          m_grid(ColumnGrid::over(m_plot.left(), m_plot.right(), m_ratio))
    {
    }

    void paintBase()
    {
        paintPhases();
        const int lines = std::clamp(static_cast<int>(m_plot.height() / 34), 2, 6);
        paintBytesAxis(m_painter, m_plot, m_layout.y, bytesTicks(m_scene.topBytes(), lines));
        m_painter.save();
        m_painter.setClipRect(m_plot.adjusted(0, -3, 0, 2));
        paintKeepAll();
        for (std::size_t i = m_scene.plans.size(); i-- > 0;)
            paintPlan(static_cast<int>(i));
        m_painter.restore();
        paintKeepAllName();
        paintPeaks();
        paintStrip();
        const int ticks = std::max(2, static_cast<int>(m_plot.width() / 110));
        paintTimeAxis(m_painter, m_plot, m_layout.strip.bottom(), m_layout.timeLabels, m_layout.x,
                      m_scene.kind == CompareAxis::Time ? timeTicks(m_view.from, m_view.to, ticks)
                                                        : countTicks(m_view.from, m_view.to, ticks));
    }

    void paintOverlay(const std::optional<Span> &range)
    {
        const QRectF all(m_plot.topLeft(), m_layout.strip.bottomRight());
        m_painter.save();
        m_painter.setClipRect(all.adjusted(0, -2, 0, 2));
        if (range) {
            const double from = m_layout.x.pixel(range->from), to = m_layout.x.pixel(range->to);
            m_painter.fillRect(QRectF(QPointF(from, all.top()), QPointF(to, all.bottom())), faded(Token::Accent, 0.1));
        }
        if (m_scene.selection.storage)
            for (std::size_t i = 0; i < std::min<std::size_t>(m_scene.plans.size(), 2); ++i) {
                const std::size_t plan = i == 0 ? 0 : m_scene.other;
                for (const Span &span : m_scene.spansOf(plan, m_scene.selection.storage)) {
                    const double from = m_layout.x.pixel(span.from), to = m_layout.x.pixel(span.to);
                    m_painter.fillRect(
                        QRectF(from, m_layout.liveY + 4.0 * static_cast<double>(i), std::max(to - from, 1.5), 3),
                        m_theme.color(letterToken(static_cast<int>(plan))));
                }
            }
        if (m_scene.cursorUs >= 0) {
            const double x = sharp(m_layout.x.pixel(m_scene.axis.ofTime(m_scene.cursorUs)), m_ratio);
            QPen pen(m_theme.color(Token::Text), 1);
            pen.setDashPattern({2, 2});
            m_painter.setPen(pen);
            m_painter.drawLine(QPointF(x, all.top()), QPointF(x, all.bottom()));
        }
        m_painter.restore();
    }

private:
    void paintPhases()
    {
        m_painter.setFont(m_theme.font(FontRole::Label));
        const double end = m_scene.axis.length();
        for (const auto &[name, from, to] : {std::tuple{PainterText::tr("forward"), 0.0, m_scene.backwardFrom},
                                             std::tuple{PainterText::tr("backward"), m_scene.backwardFrom, end}}) {
            const double left = std::max(m_layout.x.pixel(from), m_plot.left());
            const double right = std::min(m_layout.x.pixel(to), m_plot.right());
            if (right - left <= 8) continue;
            const double y = sharp(m_layout.phaseY, m_ratio);
            m_painter.setPen(QPen(m_theme.color(Token::Line), 2));
            m_painter.drawLine(QPointF(left + 2, y), QPointF(right - 2, y));
            if (m_painter.fontMetrics().horizontalAdvance(name) + 4 > right - left) continue;
            m_painter.setPen(m_theme.color(Token::Text2));
            m_painter.drawText(QRectF(left, 0, right - left, m_layout.phaseY - 1), Qt::AlignCenter, name);
        }
    }

    /// The outline of a timeline over the columns; empty when it is out of sight.
    QPolygonF outline(const std::vector<double> &edges, const std::vector<std::int64_t> &values)
    {
        const auto samples = largestPerColumn(m_grid, m_layout.x, edges, values);
        QPolygonF line;
        for (int column = 0; column < m_grid.count; ++column) {
            const std::int32_t sample = samples[static_cast<std::size_t>(column)];
            if (sample < 0) {
                if (!line.empty()) break;
                continue;
            }
            const double top = m_layout.y.pixel(static_cast<double>(values[static_cast<std::size_t>(sample)]));
            if (line.empty())
                line << QPointF(m_grid.x(column), top);
            else if (line.last().y() != top)
                line << QPointF(m_grid.x(column), line.last().y()) << QPointF(m_grid.x(column), top);
            if (column + 1 == m_grid.count || samples[static_cast<std::size_t>(column) + 1] < 0)
                line << QPointF(m_grid.x(column + 1), top);
        }
        return line;
    }

    void paintKeepAll()
    {
        m_keepAll = outline(m_scene.keepAllEdges, m_scene.model->keepAll->totalBytes);
        QPen pen(m_theme.color(Token::Ghost), 1.5, Qt::CustomDashLine, Qt::FlatCap);
        pen.setDashPattern({1, 1.6});
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPolyline(m_keepAll);
    }

    void paintPlan(int place)
    {
        const ComparedPlan &plan = m_scene.plans[static_cast<std::size_t>(place)];
        const QPolygonF line = outline(plan.edges, plan.timeline().totalBytes);
        if (line.empty()) return;
        if (place < 2) {
            QPolygonF area = line;
            area << QPointF(line.last().x(), m_plot.bottom()) << QPointF(line.first().x(), m_plot.bottom());
            m_painter.setPen(Qt::NoPen);
            m_painter.setBrush(faded(letterToken(place), kFill));
            m_painter.drawPolygon(area);
        }
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(letterPen(place, place < 2 ? 1.8 : 1.4));
        m_painter.drawPolyline(line);
    }

    /// Right of the peak, where the outline has come down; nothing where there is no room.
    void paintKeepAllName()
    {
        const MemoryTimeline &keepAll = *m_scene.model->keepAll;
        const QString name = PainterText::tr("Keep-all %1").arg(memoryText(keepAll.peakBytes));
        m_painter.setFont(m_theme.font(FontRole::Label));
        const double width = m_painter.fontMetrics().horizontalAdvance(name) + 4;
        const double peakX = m_layout.x.pixel(m_scene.keepAllEdges[keepAll.peakSample]);
        const double peakY = m_layout.y.pixel(static_cast<double>(keepAll.peakBytes));
        if (peakX < m_plot.left() || peakX > m_plot.right()) return;
        double x = m_plot.right();
        for (const QPointF &point : m_keepAll)
            if (point.x() > peakX && point.y() > peakY + 22) {
                x = point.x() + 8;
                break;
            }
        const QRectF box(x, peakY + 2, width, 18);
        if (box.right() > m_plot.right()) return;
        m_taken.push_back(box);
        m_painter.setPen(m_theme.color(Token::Text2));
        m_painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, name);
    }

    void paintPeaks()
    {
        m_painter.setFont(m_theme.font(FontRole::Name));
        std::vector<QPointF> tips;
        for (const ComparedPlan &plan : m_scene.plans) {
            const MemoryTimeline &line = plan.timeline();
            tips.emplace_back(
                (m_layout.x.pixel(plan.edges[line.peakSample]) + m_layout.x.pixel(plan.edges[line.peakSample + 1])) / 2,
                m_layout.y.pixel(static_cast<double>(line.peakBytes)) - 2);
            m_taken.emplace_back(tips.back().x() - kMarker / 2, tips.back().y() - 10, kMarker, 10);
        }
        for (std::size_t i = 0; i < tips.size(); ++i) {
            const QPointF &tip = tips[i];
            if (tip.x() < m_plot.left() || tip.x() > m_plot.right()) continue;
            m_painter.setPen(Qt::NoPen);
            m_painter.setBrush(m_theme.color(letterToken(static_cast<int>(i))));
            m_painter.drawPolygon(QPolygonF{tip, tip + QPointF(-kMarker / 2, -9), tip + QPointF(kMarker / 2, -9)});
            const QString text =
                PainterText::tr("%1 peak %2")
                    .arg(letterOf(static_cast<int>(i)), memoryText(m_scene.plans[i].timeline().peakBytes));
            placeName(tip, text, i % 2 == 0);
        }
    }

    /// Beside the marker, or a line higher, where nothing else stands.
    void placeName(const QPointF &tip, const QString &text, bool leftFirst)
    {
        const double width = m_painter.fontMetrics().horizontalAdvance(text) + 6;
        for (const double up : {5.0, 22.0, 39.0, -14.0, 56.0})
            for (const bool left : {leftFirst, !leftFirst}) {
                const QRectF box(left ? tip.x() - 10 - width : tip.x() + 10, tip.y() - up - 8, width, 16);
                const bool isFree =
                    box.left() >= m_plot.left() && box.right() <= m_plot.right() + 20 && box.top() >= m_layout.phaseY &&
                    std::none_of(m_taken.begin(), m_taken.end(), [&](const QRectF &r) { return r.intersects(box); });
                if (!isFree) continue;
                m_taken.push_back(box);
                m_painter.setPen(Qt::NoPen);
                m_painter.setBrush(faded(Token::Plot, 0.8));
                m_painter.drawRoundedRect(box, 3, 3);
                m_painter.setPen(m_theme.color(Token::Text));
                m_painter.drawText(box, Qt::AlignCenter, text);
                return;
            }
    }

    void paintStrip()
    {
        const QRectF &strip = m_layout.strip;
        m_painter.fillRect(strip, m_theme.color(Token::Raised));
        const QString letters = QStringLiteral("A − %1").arg(letterOf(static_cast<int>(m_scene.other)));
        m_painter.setFont(m_theme.font(FontRole::Name));
        m_painter.setPen(m_theme.color(Token::Text));
        const QRectF title(m_plot.left(), m_layout.titleY, m_plot.width(), 18);
        m_painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, letters);
        const double after = m_painter.fontMetrics().horizontalAdvance(letters) + 10;
        m_painter.setFont(m_theme.font(FontRole::Label));
        m_painter.setPen(m_theme.color(Token::Text2));
        m_painter.drawText(
            title.adjusted(after, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            elided(m_painter, PainterText::tr("A holds less below the line, more above"), title.width() - after));
        const Tick tick = bytesTicks(m_layout.stripTop, 4).back();
        for (const int sign : {1, 0, -1}) {
            const double y = sharp(m_layout.difference.pixel(sign * tick.value), m_ratio);
            m_painter.setPen(QPen(m_theme.color(sign == 0 ? Token::LineStrong : Token::Line), 1));
            m_painter.drawLine(QPointF(strip.left(), y), QPointF(strip.right(), y));
            m_painter.setPen(m_theme.color(Token::Text2));
            m_painter.drawText(QRectF(0, y - 9, strip.left() - 8, 18), Qt::AlignRight | Qt::AlignVCenter,
                               sign == 0  ? QStringLiteral("0")
                               : sign > 0 ? QStringLiteral("+") + tick.label
                                          : QStringLiteral("−") + tick.label);
        }
        paintDifference(1);
        paintDifference(-1);
    }

    /// One side of the zero line: per column the largest of that sign.
    void paintDifference(int sign)
    {
        std::vector<std::int64_t> values;
        values.reserve(m_scene.difference.values.size());
        for (const std::int64_t value : m_scene.difference.values)
            values.push_back(std::max<std::int64_t>(sign * value, 0));
        const auto samples = largestPerColumn(m_grid, m_layout.x, m_scene.difference.edges, values);
        const double zero = m_layout.difference.pixel(0);
        std::vector<double> tops(samples.size(), zero);
        for (std::size_t column = 0; column < samples.size(); ++column)
            if (samples[column] >= 0)
                tops[column] = m_layout.difference.pixel(
                    sign * static_cast<double>(values[static_cast<std::size_t>(samples[column])]));
        m_painter.save();
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_painter.setClipRect(m_layout.strip);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_theme.color(sign < 0 ? Token::PlanA : letterToken(static_cast<int>(m_scene.other))));
        m_painter.drawPolygon(barOutline(m_grid, tops, zero, 0, m_grid.count));
        m_painter.restore();
    }

    QPainter &m_painter;
    const CompareScene &m_scene;
    const CompareLayout &m_layout;
    const QRectF m_plot;
    const Viewport m_view;
    const double m_ratio;
    const ColumnGrid m_grid;
    const Theme &m_theme = Theme::instance();
    QPolygonF m_keepAll;
    std::vector<QRectF> m_taken;
};

} // namespace

CompareLayout CompareLayout::make(const CompareScene &scene, const Viewport &view, QSizeF size)
{
    CompareLayout layout;
    layout.size = size;
    const double right = std::max(size.width() - kRight, kLeft + 40);
    const double below = kLive + kTitle + kStrip + kTimeLabels + kBottom;
    const double bottom = std::max(size.height() - below, kTop + 40);
    layout.plot = QRectF(QPointF(kLeft, kTop), QPointF(right, bottom));
    layout.phaseY = kTop - 4;
    layout.liveY = bottom + 2;
    layout.titleY = bottom + kLive + 4;
    layout.strip = QRectF(kLeft, bottom + kLive + kTitle, right - kLeft, kStrip);
    layout.timeLabels = QRectF(kLeft, layout.strip.bottom() + 4, right - kLeft, kTimeLabels - 4);
    layout.x = {view.from, view.to, kLeft, right};
    layout.y = {0, scene.topBytes(), bottom, kTop};
    // The scale of the overlay would flatten small differences; one of its own shows them.
    layout.stripTop = 1.15 * static_cast<double>(std::max<std::int64_t>(scene.difference.largest, 1));
    layout.difference = {-layout.stripTop, layout.stripTop, layout.strip.bottom(), layout.strip.top()};
    return layout;
}

void paintCompareBase(QPainter &painter, const CompareLook &look)
{
    painter.fillRect(QRectF(QPointF(), look.layout.size), Theme::instance().color(Token::Plot));
    if (!look.scene.ready()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    ComparePainter(painter, look).paintBase();
}

void paintCompareOverlay(QPainter &painter, const CompareLook &look, const std::optional<Span> &range)
{
    if (!look.scene.ready()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    ComparePainter(painter, look).paintOverlay(range);
}

} // namespace remat::studio
