// SPDX-License-Identifier: Apache-2.0
// The memory view's background, stack, lanes and minimap.
#include "app/studio/base/text/lane_text.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/views/memory/memory_painter.h"

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/plots/time_frame.h"
#include "app/studio/base/style/theme.h"

#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace remat::studio {

namespace {

QColor faded(Token token, double opacity)
{
    QColor color = Theme::instance().color(token);
    color.setAlphaF(static_cast<float>(opacity));
    return color;
}

void paintStack(QPainter &painter, const MemoryLook &look, const ColumnGrid &grid)
{
    const Theme &theme = Theme::instance();
    const MemoryTimeline &line = look.scene.timeline();
    const double ratio = look.devicePixelRatio;
    const auto samples = largestPerColumn(grid, look.layout.x, look.scene.axis().edges(), line.totalBytes);
    const double baseline = snapped(look.layout.y.fromPixel, ratio);

    // Running sums per sample would cost by the length of the plan; per column they do not.
    std::array<std::vector<double>, kCategoryCount> tops;
    std::vector<std::int64_t> sums(samples.size(), 0);
    for (std::size_t category = 0; category < kCategoryCount; ++category) {
        tops[category].assign(samples.size(), baseline);
        for (std::size_t column = 0; column < samples.size(); ++column) {
            if (samples[column] < 0) continue;
            sums[column] += line.bytes[category][static_cast<std::size_t>(samples[column])];
            tops[category][column] = snapped(look.layout.y.pixel(static_cast<double>(sums[column])), ratio);
        }
    }

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    if (look.scene.infeasible()) painter.setOpacity(kUnfitOpacity);
    // From the top band down; each is painted to the baseline and the bands below cover what is theirs.
    for (std::size_t category = kCategoryCount; category-- > 0;) {
        const auto below = [&](std::size_t column) { return category ? tops[category - 1][column] : baseline; };
        const auto bandHeight = [&](std::size_t column) { return below(column) - tops[category][column]; };
        const auto which = static_cast<Category>(category);
        const QBrush pattern = theme.categoryBrush(which, ratio);
        const std::size_t columns = samples.size();
        for (std::size_t first = 0; first < columns;) {
            if (bandHeight(first) <= 0) {
                ++first;
                continue;
            }
            const bool thick = bandHeight(first) >= kPatternHeight;
            std::size_t last = first + 1;
            while (last < columns && bandHeight(last) > 0 && (bandHeight(last) >= kPatternHeight) == thick)
                ++last;
            painter.setBrush(thick ? pattern : QBrush(theme.categoryColor(which)));
            painter.drawPolygon(
                barOutline(grid, tops[category], baseline, static_cast<int>(first), static_cast<int>(last)));
            first = last;
        }
    }
    painter.restore();
}

QString keepAllText(const MemoryScene &scene)
{
    const QString peak = memoryText(scene.keepAll().peakBytes);
    return scene.countsWeights() ? MemoryText::tr("Keep-all peak %1, with weights").arg(peak)
                                 : MemoryText::tr("Keep-all peak %1").arg(peak);
}

/// Keep-all: a fill behind the stack, or its outline and name in front.
void paintKeepAll(QPainter &painter, const MemoryLook &look, const ColumnGrid &grid, bool outline)
{
    const MemoryScene &scene = look.scene;
    const Theme &theme = Theme::instance();
    const auto samples = largestPerColumn(grid, look.layout.x, scene.keepAllAxis().edges(), scene.keepAll().totalBytes);
    const std::vector<double> tops =
        columnTops(samples, scene.keepAll().totalBytes, look.layout.y, look.devicePixelRatio);
    const double baseline = snapped(look.layout.y.fromPixel, look.devicePixelRatio);
    if (!outline) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(Qt::NoPen);
        painter.setBrush(faded(Token::Ghost, 0.09));
        painter.drawPolygon(barOutline(grid, tops, baseline, 0, grid.count));
        painter.restore();
        return;
    }

    QPen pen(theme.color(Token::Ghost), 1.5);
    pen.setDashPattern({4 / 1.5, 3 / 1.5});
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    QPolygonF edge;
    for (int column = 0; column < grid.count; ++column) {
        if (samples[static_cast<std::size_t>(column)] < 0) break;
        const double top = tops[static_cast<std::size_t>(column)];
        if (edge.empty())
            edge << QPointF(grid.x(column), top);
        else if (edge.last().y() != top)
            edge << QPointF(grid.x(column), edge.last().y()) << QPointF(grid.x(column), top);
        if (column + 1 == grid.count || samples[static_cast<std::size_t>(column) + 1] < 0)
            edge << QPointF(grid.x(column + 1), top);
    }
    painter.drawPolyline(edge);

    const QRectF box = keepAllName(look);
    if (box.isEmpty()) return;
    painter.setFont(theme.font(FontRole::Label));
    painter.setPen(theme.color(Token::Text2));
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, keepAllText(scene));
}

void paintLanes(QPainter &painter, const MemoryLook &look, const ColumnGrid &grid)
{
    const Theme &theme = Theme::instance();
    const std::vector<Lane> lanes = look.scene.lanes();
    painter.setFont(theme.font(FontRole::Label));
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const QRectF &box = look.layout.lanes[i];
        painter.fillRect(box, theme.color(Token::Sunken));
        if (theme.scheme() == Scheme::HighContrast) {
            painter.setPen(theme.color(Token::Line));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        const bool recompute = lanes[i] == Lane::Recompute;
        const bool compute = lanes[i] == Lane::Compute;
        const QString name = laneText(lanes[i]);
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(0, box.center().y() - 8, box.left() - 8, 16), Qt::AlignRight | Qt::AlignVCenter, name);

        // A column that is busy only in part is paler; eight shades, so that equal neighbours join.
        if (look.scene.infeasible()) painter.setOpacity(kUnfitOpacity);
        const std::vector<float> busy = coverage(grid, look.layout.x, look.scene.laneSpans(lanes[i]));
        const Token token = compute                  ? Token::Text3
                            : recompute              ? Token::Recomputed
                            : lanes[i] == Lane::Host ? Token::States
                                                     : Token::Offloaded;
        const auto shade = [&](std::size_t column) { return static_cast<int>(std::ceil(busy[column] * 8 - 1e-3)); };
        for (std::size_t first = 0; first < busy.size();) {
            std::size_t last = first + 1;
            while (last < busy.size() && shade(last) == shade(first))
                ++last;
            if (shade(first) > 0)
                painter.fillRect(QRectF(QPointF(grid.x(static_cast<int>(first)), box.top()),
                                        QPointF(grid.x(static_cast<int>(last)), box.bottom())),
                                 faded(token, shade(first) / 8.0));
            first = last;
        }
        painter.setOpacity(1);
    }
}

void paintMinimap(QPainter &painter, const MemoryLook &look)
{
    const QRectF &box = look.layout.minimap;
    if (box.isEmpty()) return;
    paintMinimapFrame(painter, box);
    const ColumnGrid grid = ColumnGrid::over(box.left(), box.right(), look.devicePixelRatio);
    const MemoryTimeline &line = look.scene.timeline();
    const auto samples = largestPerColumn(grid, look.layout.whole, look.scene.axis().edges(), line.totalBytes);
    const Scale y{0, look.scene.topBytes(), box.bottom() - 1, box.top() + 2};
    painter.setPen(Qt::NoPen);
    painter.setBrush(faded(Token::Text3, 0.45));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawPolygon(barOutline(grid, columnTops(samples, line.totalBytes, y, look.devicePixelRatio),
                                   box.bottom() - 1, 0, grid.count));
    painter.setRenderHint(QPainter::Antialiasing);
}

} // namespace

std::vector<double> columnTops(const std::vector<std::int32_t> &samples, const std::vector<std::int64_t> &values,
                               const Scale &y, double ratio)
{
    std::vector<double> tops(samples.size(), snapped(y.fromPixel, ratio));
    for (std::size_t column = 0; column < samples.size(); ++column)
        if (samples[column] >= 0)
            tops[column] =
                snapped(y.pixel(static_cast<double>(values[static_cast<std::size_t>(samples[column])])), ratio);
    return tops;
}

namespace {

QRectF placeOfKeepAllName(const MemoryLook &look)
{
    const MemoryScene &scene = look.scene;
    const ColumnGrid grid = ColumnGrid::over(look.layout.plot.left(), look.layout.plot.right(), look.devicePixelRatio);
    if (grid.count <= 0 || scene.axis().count() == 0) return {};
    const auto samples = largestPerColumn(grid, look.layout.x, scene.keepAllAxis().edges(), scene.keepAll().totalBytes);
    const std::vector<double> tops =
        columnTops(samples, scene.keepAll().totalBytes, look.layout.y, look.devicePixelRatio);
    // Behind the shoulder right of the peak, where the outline has come down.
    const double peakY = look.layout.y.pixel(static_cast<double>(scene.keepAll().peakBytes));
    const QFontMetrics metrics(Theme::instance().font(FontRole::Label));
    const double width = metrics.horizontalAdvance(keepAllText(scene)) + 2;
    const double peakX = look.layout.x.pixel(scene.keepAllAxis().edges()[scene.keepAll().peakSample]);
    double x = look.layout.plot.right() + 1;
    for (int column = 0; column < grid.count; ++column)
        if (grid.x(column) > peakX && tops[static_cast<std::size_t>(column)] > peakY + 26) {
            x = grid.x(column) + 10;
            break;
        }
    if (peakX < look.layout.plot.left() || x + width > look.layout.plot.right()) return {};
    return {x, peakY + 5, width, 18};
}

} // namespace

QRectF keepAllName(const MemoryLook &look)
{
    std::optional<QRectF> &known = look.places->keepAllName;
    if (!known) known = placeOfKeepAllName(look);
    return *known;
}

bool MemoryPlaces::isFor(const MemoryPlaces &other) const
{
    const auto all = [](const MemoryPlaces &places) {
        return std::tuple(places.size.width(), places.size.height(), places.devicePixelRatio, places.fromUnit,
                          places.toUnit, places.topBytes, places.coveredTop, places.cursorUs);
    };
    return all(*this) == all(other);
}

void paintMemoryBase(QPainter &painter, const MemoryLook &look)
{
    const Theme &theme = Theme::instance();
    const MemoryLayout &layout = look.layout;
    painter.fillRect(QRectF(QPointF(), layout.size), theme.color(Token::Plot));
    if (!look.scene.hasModel()) return;
    painter.setRenderHint(QPainter::Antialiasing);

    const int lines = std::clamp(static_cast<int>(layout.plot.height() / 15), 1, 6);
    paintPhases(painter, look.scene.phases(), layout.plot, layout.x, layout.phaseRuleY, look.devicePixelRatio);
    paintBytesAxis(painter, layout.plot, layout.y, bytesTicks(look.scene.topBytes(), lines));
    const ColumnGrid grid = ColumnGrid::over(layout.plot.left(), layout.plot.right(), look.devicePixelRatio);
    if (grid.count > 0 && look.scene.axis().count() > 0) {
        paintKeepAll(painter, look, grid, false);
        if (look.scene.hasPlan())
            look.scene.grouping() == Grouping::Storage ? paintStorageStack(painter, look, grid)
                                                       : paintStack(painter, look, grid);
        paintKeepAll(painter, look, grid, true);
        paintMeasuredLine(painter, look, grid);
        paintLanes(painter, look, grid);
        paintMinimap(painter, look);
    }
    const int ticks = std::max(2, static_cast<int>(layout.plot.width() / 110));
    paintTimeAxis(painter, layout.plot, layout.plot.bottom(), layout.timeLabels, layout.x,
                  look.scene.axisKind() == AxisKind::Time ? timeTicks(look.view.from, look.view.to, ticks)
                                                          : countTicks(look.view.from, look.view.to, ticks));
}

} // namespace remat::studio
