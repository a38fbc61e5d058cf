// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/curve/curve_painter.h"

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/views/curve/name_places.h"
#include "app/studio/views/curve/planner_look.h"

#include <QCoreApplication>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

struct CurveText {
    Q_DECLARE_TR_FUNCTIONS(CurveView)
};

constexpr double kFloorLabelWidth = 94; ///< [pixels]
constexpr int kWrapped = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

/// Whole percents in steps that leave room for their labels.
double shareStep(double top, int most)
{
    for (const double step : {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0})
        if (top / step <= most) return step;
    return std::ceil(top / most);
}

/// `5 %`, `0.5 %`: as many decimals as the step has.
QString tickText(double share, double step)
{
    const int decimals = step >= 0.01 ? 0 : step >= 0.001 ? 1 : 2;
    return QString::number(100 * share, 'f', decimals) + QChar(0x2009) + QLatin1Char('%');
}

class CurvePainter
{
public:
    CurvePainter(QPainter &painter, const CurveScene &scene, const CurveLayout &layout, const CurveMarks &marks)
        : m_painter(painter),
          m_scene(scene),
          m_layout(layout),
          m_plot(layout.plot),
          m_marks(marks),
          m_ratio(painter.device()->devicePixelRatioF())
    {
    }

    void paint()
    {
        paintAxes();
        m_painter.save();
        m_painter.setClipRect(m_plot.adjusted(-7, -m_plot.top(), 24, 8));
        m_painter.setRenderHint(QPainter::Antialiasing);
        paintImpossible();
        paintFloorInChunks();
        paintDevices();
        paintBudget();
        paintMisses();
        paintFronts();
        paintReferences();
        paintPoints();
        paintNames();
        paintKnee();
        m_painter.restore();
    }

private:
    QColor ink(Token token, double opacity = 1) const
    {
        QColor colour = m_theme.color(token);
        colour.setAlphaF(static_cast<float>(opacity));
        return colour;
    }

    PlannerLook look(const std::string &planner) const
    {
        return lookOf(
            static_cast<std::size_t>(std::find(m_planners.begin(), m_planners.end(), planner) - m_planners.begin()));
    }

    void paintAxes()
    {
        m_painter.fillRect(m_painter.viewport(), m_theme.color(Token::Plot));
        m_painter.setFont(m_theme.font(FontRole::Label));
        const double step = shareStep(m_layout.y.toValue, 8);
        for (int i = 0; i * step <= m_layout.y.toValue; ++i) {
            const double y = sharp(m_layout.y.pixel(i * step), m_ratio);
            m_painter.setPen(QPen(ink(i == 0 ? Token::LineStrong : Token::Line), 1));
            m_painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
            m_painter.setPen(ink(Token::Text2));
            m_painter.drawText(QRectF(0, y - 9, m_plot.left() - 8, 18), Qt::AlignRight | Qt::AlignVCenter,
                               tickText(i * step, step));
        }
        const std::vector<Tick> bytes =
            bytesTicks(m_layout.x.toValue, std::max(2, static_cast<int>(m_plot.width() / 90)));
        paintTimeAxis(m_painter, m_plot, m_plot.bottom(), QRectF(0, m_plot.bottom() + 5, 0, 16), m_layout.x, bytes);
        paintShares();
        m_painter.setPen(ink(Token::Text2));
        m_painter.drawText(QRectF(m_plot.left(), m_plot.bottom() + 25, m_plot.width(), 18), Qt::AlignCenter,
                           CurveText::tr("Peak of dynamic memory"));
        m_painter.drawText(QRectF(m_plot.left(), 6, m_plot.width(), 18), Qt::AlignCenter,
                           CurveText::tr("share of the keep-all peak"));
        m_painter.save();
        m_painter.translate(13, m_plot.center().y());
        m_painter.rotate(-90);
        m_painter.drawText(QRectF(-90, -9, 180, 18), Qt::AlignCenter, CurveText::tr("Time overhead"));
        m_painter.restore();
    }

    /// Tens of percent of the keep-all peak, above the plot.
    void paintShares()
    {
        const double all = static_cast<double>(m_scene.keepAllPeakBytes);
        for (int percent = 10; percent <= 100; percent += 10) {
            const double x = m_layout.x.pixel(all * percent / 100);
            if (x < m_plot.left() || x > m_plot.right()) continue;
            m_painter.setPen(QPen(ink(Token::LineStrong), 1));
            m_painter.drawLine(QPointF(sharp(x, m_ratio), 43), QPointF(sharp(x, m_ratio), 47));
            m_painter.setPen(ink(Token::Text2));
            m_painter.drawText(QRectF(x - 30, 24, 60, 18), Qt::AlignCenter, tickText(percent / 100.0, 0.1));
        }
    }

    /// Under the bound, and left of the floor, no plan can be.
    void paintImpossible()
    {
        QPainterPath line;
        const double floorX = m_layout.x.pixel(static_cast<double>(m_scene.floorBytes));
        bool begun = false;
        for (const BoundPoint &point : m_scene.bound) {
            const QPointF at = m_layout.place(point.budgetBytes, std::min(point.overhead, m_layout.y.toValue));
            // Between two budgets the bound of the larger one holds, and no more is known: steps.
            if (!begun) line.moveTo(floorX, m_plot.top());
            line.lineTo(begun ? line.currentPosition().x() : floorX, at.y());
            begun = true;
            line.lineTo(at);
        }
        QPainterPath area;
        if (begun) {
            area = line;
            area.lineTo(area.currentPosition().x(), m_plot.bottom());
        } else {
            area.moveTo(floorX, m_plot.top());
            area.lineTo(floorX, m_plot.bottom());
        }
        area.lineTo(m_plot.bottomLeft());
        area.lineTo(m_plot.topLeft());
        area.closeSubpath();
        m_around.hatched = area;
        m_painter.fillPath(area, ink(Token::Bound, 0.10));
        m_painter.fillPath(area, m_theme.hatchBrush(Token::Bound, m_ratio, 0.45));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(ink(Token::Bound), 1.8));
        if (begun) m_painter.drawPath(line);
        if (m_plot.width() < 380 || m_plot.height() < 200) return;
        const QRectF label(m_plot.left() + 12, m_plot.bottom() - 58, 156, 42);
        if (m_layout.x.pixel(0.5 * static_cast<double>(m_scene.keepAllPeakBytes)) < label.right()) return;
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(ink(Token::Plot, 0.92));
        m_painter.drawRoundedRect(label, 6, 6);
        m_around.taken.push_back(label);
        m_painter.setPen(ink(Token::Text));
        m_painter.setFont(m_theme.font(FontRole::Name));
        m_painter.drawText(label.adjusted(10, 3, -6, -20), Qt::AlignVCenter,
                           m_scene.leastInChunksBytes > 0 ? CurveText::tr("No plan of these ops")
                                                          : CurveText::tr("No plan can be here"));
        m_painter.setPen(ink(Token::Text2));
        m_painter.setFont(m_theme.font(FontRole::Label));
        m_painter.drawText(label.adjusted(10, 20, -6, -3), Qt::AlignVCenter, CurveText::tr("lower bound on time"));
    }

    /// Left of it no chunking has a plan; between it and the floor one in chunks may be.
    void paintFloorInChunks()
    {
        if (m_scene.leastInChunksBytes <= 0) return;
        const double x = m_layout.x.pixel(static_cast<double>(m_scene.leastInChunksBytes));
        m_painter.fillRect(QRectF(QPointF(m_plot.left(), m_plot.top()), QPointF(x, m_plot.bottom())),
                           ink(Token::Bound, 0.25));
        m_painter.setPen(QPen(ink(Token::Bound), 1.4, Qt::DashLine));
        m_painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
        m_around.lines.push_back({QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom())});
        m_painter.setFont(m_theme.font(FontRole::Label));
        const QString text = CurveText::tr("Floor in chunks %1").arg(memoryText(m_scene.leastInChunksBytes));
        // Narrow, and where no curve comes from the left: points are to the right of the floor, and high near it.
        const QRectF around(x + 6, m_plot.top() + 0.3 * m_plot.height(), kFloorLabelWidth, 40);
        const QRectF label = m_painter.boundingRect(around, kWrapped, text).adjusted(-4, -3, 4, 3);
        if (label.right() > m_plot.right()) return;
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(ink(Token::Plot, 0.92));
        m_painter.drawRoundedRect(label, 6, 6);
        m_around.taken.push_back(label);
        m_painter.setPen(ink(Token::Text2));
        m_painter.drawText(around, kWrapped, text);
    }

    void paintDevices()
    {
        m_painter.setFont(m_theme.font(FontRole::Label));
        double free = m_plot.left() - 6;
        for (const DeviceRoom &device : m_scene.devices) {
            const double x = m_layout.x.pixel(static_cast<double>(device.roomBytes));
            if (x < m_plot.left()) continue;
            const bool off = x > m_plot.right();
            const QString title = off ? device.title + QStringLiteral(" →") : device.title;
            const double width = m_painter.fontMetrics().horizontalAdvance(title) + 18;
            QRectF pill(off ? m_plot.right() + 6 - width : x - width / 2, m_plot.top() - 24, width, 20);
            if (!off) {
                m_painter.setPen(QPen(ink(Token::Text3), 1.2, Qt::DashLine));
                m_painter.drawLine(QPointF(x, m_plot.top() - 4), QPointF(x, m_plot.bottom()));
                m_around.lines.push_back({QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom())});
                pill.moveLeft(std::min(pill.left(), m_plot.right() + 6 - width));
            }
            if (pill.left() >= free) {
                m_painter.setPen(QPen(ink(Token::Line), 1));
                m_painter.setBrush(ink(Token::Plot));
                m_painter.drawRoundedRect(pill, 10, 10);
                m_painter.setPen(ink(Token::Text2));
                m_painter.drawText(pill, Qt::AlignCenter, title);
                free = pill.right() + 6;
            }
            if (off) break; // one that is out of the picture says that there is room
        }
    }

    void paintBudget()
    {
        const double x = m_layout.x.pixel(static_cast<double>(m_scene.budgetBytes));
        if (x < m_plot.left() - 1 || x > m_plot.right() + 1) return;
        m_painter.setPen(QPen(ink(Token::Budget), 2));
        m_painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
        m_around.lines.push_back({QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom())});
        m_painter.setFont(m_theme.font(FontRole::Name));
        const QString amount = memoryText(m_scene.budgetBytes);
        const QString text = m_scene.infeasible() ? CurveText::tr("%1: no plan fits").arg(amount) : amount;
        const double width = m_painter.fontMetrics().horizontalAdvance(text) + 20;
        const QRectF tag(std::clamp(x - width / 2, m_plot.left(), m_plot.right() - width), m_plot.bottom() - 22, width,
                         20);
        m_around.taken.push_back(tag);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(ink(m_scene.infeasible() ? Token::Error : Token::Budget));
        m_painter.drawRoundedRect(tag, 4, 4);
        m_painter.setPen(ink(Token::Panel));
        m_painter.drawText(tag, Qt::AlignCenter, text);
    }

    void paintFronts()
    {
        m_painter.setBrush(Qt::NoBrush);
        for (const std::string &planner : m_planners) {
            QPolygonF front;
            for (const CurvePoint &point : m_scene.points)
                if (point.planner == planner && !point.dominated)
                    front << m_layout.place(point.peakBytes, point.overhead);
            if (front.size() < 2) continue;
            m_around.lines.push_back(front);
            const PlannerLook style = look(planner);
            m_painter.setPen(QPen(ink(style.colour), 1.8, style.dash));
            m_painter.drawPolyline(front);
        }
    }

    /// A cross at the upper edge for each budget that left a planner without a plan.
    void paintMisses()
    {
        m_painter.setPen(QPen(ink(Token::Text3), 1.6, Qt::SolidLine, Qt::RoundCap));
        for (const SweepMiss &miss : m_scene.misses) {
            const QRectF mark = missMark(m_layout, miss.budgetBytes);
            if (mark.left() < m_plot.left() || mark.right() > m_plot.right()) continue;
            m_painter.drawLine(mark.topLeft(), mark.bottomRight());
            m_painter.drawLine(mark.topRight(), mark.bottomLeft());
            m_around.taken.push_back(mark.adjusted(-2, -2, 2, 2));
        }
    }

    /// Rings in the colour of keep-all, named like fronts.
    void paintReferences()
    {
        for (const CurvePoint &point : m_scene.references) {
            const QPointF at = m_layout.place(point.peakBytes, point.overhead);
            paintMarker(m_painter, at, Marker::Ring, ink(Token::Ghost));
            paintRings(point, at);
        }
    }

    void paintRings(const CurvePoint &point, const QPointF &at)
    {
        m_painter.setBrush(Qt::NoBrush);
        if (point.planId == m_scene.currentPlan || point.planId == m_marks.hovered) {
            m_painter.setPen(QPen(ink(point.planId == m_scene.currentPlan ? Token::Text : Token::LineStrong), 1.6));
            m_painter.drawEllipse(at, 8.5, 8.5);
        }
        if (point.planId == m_marks.keys) {
            m_painter.setPen(QPen(ink(Token::Focus), 2));
            m_painter.drawEllipse(at, 11.5, 11.5);
        }
    }

    void paintPoints()
    {
        for (const CurvePoint &point : m_scene.points) {
            const PlannerLook style = look(point.planner);
            const QPointF at = m_layout.place(point.peakBytes, point.overhead);
            const bool strong =
                point.planId == m_scene.currentPlan || point.planId == m_marks.hovered || point.planId == m_marks.keys;
            if (point.measuredPeakBytes) paintMeasured(point, at);
            paintMarker(m_painter, at, style.marker, ink(style.colour, point.dominated && !strong ? 0.45 : 1));
            paintRings(point, at);
        }
    }

    /// A ring where a real run was, joined to its prediction.
    void paintMeasured(const CurvePoint &point, const QPointF &predicted)
    {
        const QPointF at = m_layout.place(*point.measuredPeakBytes, point.measuredOverhead.value_or(point.overhead));
        m_painter.setPen(QPen(ink(Token::Text), 1.2));
        m_painter.drawLine(predicted, at);
        m_painter.setBrush(ink(Token::Plot));
        m_painter.setPen(QPen(ink(Token::Text), 1.5));
        m_painter.drawEllipse(at, 7.5, 7.5);
        m_painter.setBrush(ink(look(point.planner).colour));
        m_painter.setPen(Qt::NoPen);
        m_painter.drawEllipse(at, 2.5, 2.5);
    }

    /// Each front, and each reference, is named beside the first of its points that leaves room for the name.
    void paintNames()
    {
        m_painter.setFont(m_theme.font(FontRole::Name));
        m_around.plot = m_plot.adjusted(0, 0, 22, 0);
        for (const CurvePoint *point : pointsByPeak(m_scene)) {
            const QPointF at = m_layout.place(point->peakBytes, point->overhead);
            m_around.taken.emplace_back(at.x() - 7, at.y() - 7, 14, 14);
            if (!point->measuredPeakBytes) continue;
            const QPointF run =
                m_layout.place(*point->measuredPeakBytes, point->measuredOverhead.value_or(point->overhead));
            m_around.taken.emplace_back(run.x() - 8, run.y() - 8, 16, 16);
        }
        for (const std::string &planner : m_planners) {
            QPolygonF front;
            QString title;
            for (const CurvePoint &point : m_scene.points) {
                if (point.planner != planner || point.dominated) continue;
                front << m_layout.place(point.peakBytes, point.overhead);
                title = point.title;
            }
            paintName(front, title, Token::Text, ink(look(planner).colour));
        }
        for (const CurvePoint &point : m_scene.references)
            paintName({m_layout.place(point.peakBytes, point.overhead)}, point.title, Token::Text2, ink(Token::Ghost));
    }

    /// Where less memory begins to cost much more.
    void paintKnee()
    {
        const CurvePoint *knee = kneeOf(m_scene.points);
        if (!knee) return;
        const QPointF at = m_layout.place(knee->peakBytes, knee->overhead);
        m_painter.setPen(QPen(ink(Token::Text), 1.5));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPolygon(
            QPolygonF{at + QPointF(0, -11), at + QPointF(11, 0), at + QPointF(0, 11), at + QPointF(-11, 0)});
        m_painter.setFont(m_theme.font(FontRole::Label));
        const double share = static_cast<double>(knee->peakBytes) / static_cast<double>(m_scene.keepAllPeakBytes);
        paintName({at}, CurveText::tr("Knee: %1 at %2").arg(memoryShareText(share), shareText(knee->overhead)),
                  Token::Text, ink(Token::Text));
    }

    /// A bar in the colour of the front says which points a name belongs to where several are near.
    void paintName(const QPolygonF &points, const QString &title, Token token, const QColor &colour)
    {
        constexpr double kBar = 3, kBarRoom = 8;
        const QSizeF size(m_painter.fontMetrics().horizontalAdvance(title) + kBarRoom + 2, 16);
        const QRectF box = placeForName(m_around, points, size);
        if (box.isEmpty()) return;
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(colour);
        m_painter.drawRoundedRect(QRectF(box.left(), box.top() + 2, kBar, box.height() - 4), 1, 1);
        m_painter.setPen(ink(token));
        m_painter.drawText(box.adjusted(kBarRoom, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, title);
        m_around.taken.push_back(box);
    }

    QPainter &m_painter;
    const CurveScene &m_scene;
    const CurveLayout &m_layout;
    const QRectF m_plot;
    const std::vector<std::string> m_planners = plannersOf(m_scene.points);
    const CurveMarks m_marks;
    NamesAround m_around;
    const double m_ratio;
    const Theme &m_theme = Theme::instance();
};

} // namespace

void paintCurve(QPainter &painter, const CurveScene &scene, const CurveLayout &layout, const CurveMarks &marks)
{
    CurvePainter(painter, scene, layout, marks).paint();
}

} // namespace remat::studio
