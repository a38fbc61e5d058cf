// SPDX-License-Identifier: Apache-2.0
// What moves over the memory view: budget, cursor, peak, selection, readout, brush.
#include "app/studio/base/plots/tags.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/views/memory/memory_painter.h"

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/text.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <optional>

namespace remat::studio {

namespace {

constexpr double kPopoverWidth = 230, kPopoverRow = 16, kPopoverHead = 24, kPopoverPad = 8;

void drawLabel(QPainter &painter, const QRectF &box, const QString &text, Token token,
               Qt::Alignment alignment = Qt::AlignLeft)
{
    painter.setPen(Theme::instance().color(token));
    painter.drawText(box, alignment | Qt::AlignVCenter, elided(painter, text, box.width() + 1));
}

void paintFloor(QPainter &painter, const MemoryLook &look)
{
    if (!look.scene.infeasible() && !look.dragging) return;
    const Theme &theme = Theme::instance();
    const QRectF &plot = look.layout.plot;
    const double top = look.layout.y.pixel(static_cast<double>(look.scene.floorBytes()));
    const QRectF region(QPointF(plot.left(), top), plot.bottomRight());
    QColor fill = theme.color(Token::Bound);
    fill.setAlphaF(0.1F);
    painter.fillRect(region, fill);
    painter.fillRect(region, theme.hatchBrush(Token::Bound, look.devicePixelRatio, 0.45));
    painter.setPen(QPen(theme.color(Token::Bound), 1.8));
    painter.drawLine(region.topLeft(), region.topRight());

    const QString text = MemoryText::tr("Floor %1").arg(memoryText(look.scene.floorBytes()));
    painter.setFont(theme.font(FontRole::Label));
    const double width = painter.fontMetrics().horizontalAdvance(text) + 12;
    const double budgetY = look.layout.budgetY(look.scene.budgetBytes());
    const bool crossed = budgetY < top && budgetY > top - 28;
    const QRectF tag(plot.right() - width - 6, crossed ? top + 3 : top - 20, width, 18);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Token::Plot));
    painter.drawRoundedRect(tag, 4, 4);
    drawLabel(painter, tag, text, Token::Bound, Qt::AlignHCenter);
}

/// A span on the axis as pixels, at least `least` wide; empty when it is out of sight.
QRectF spanBox(const MemoryLook &look, const Span &span, double top, double height, double least)
{
    const QRectF &plot = look.layout.plot;
    const double from = std::max(look.layout.x.pixel(span.from), plot.left());
    const double to = std::min(look.layout.x.pixel(span.to), plot.right());
    if (to < plot.left() || from > plot.right()) return {};
    const double width = std::max(to - from, least);
    const double x = std::clamp((from + to - width) / 2, plot.left(), plot.right() - width);
    return {x, top, width, height};
}

/// Where copies of a storage are alive: bars below the stack, and rules that carry their ends up into it.
void paintLife(QPainter &painter, const MemoryLook &look, StorageId storage, Token token, double height)
{
    const QColor color = Theme::instance().color(token);
    for (const Span &span : look.scene.storageSpans(storage)) {
        const QRectF bar = spanBox(look, span, look.layout.selectionY, height, 4);
        if (bar.isEmpty()) continue;
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(bar, 2, 2);
        QColor rule = color;
        rule.setAlphaF(0.55F);
        for (const double x : {bar.left(), bar.right() - 1})
            painter.fillRect(QRectF(x, look.layout.plot.top(), 1, look.layout.plot.height()), rule);
    }
}

void paintRuns(QPainter &painter, const MemoryLook &look, const std::vector<std::pair<Span, bool>> &runs, Token token)
{
    const Theme &theme = Theme::instance();
    const std::vector<Lane> lanes = look.scene.lanes();
    for (const auto &[span, recompute] : runs) {
        const auto lane = std::find(lanes.begin(), lanes.end(), recompute ? Lane::Recompute : Lane::Compute);
        const QRectF &box = look.layout.lanes[static_cast<std::size_t>(lane - lanes.begin())];
        const QRectF mark = spanBox(look, span, box.top() - 1, box.height() + 2, 4);
        if (mark.isEmpty()) continue;
        painter.setPen(QPen(theme.color(Token::Plot), 1));
        painter.setBrush(theme.color(token));
        painter.drawRoundedRect(mark.adjusted(-0.5, -0.5, 0.5, 0.5), 2, 2);
    }
}

/// What the selected module's storages take together, from the baseline up.
void paintModule(QPainter &painter, const MemoryLook &look)
{
    const std::vector<std::int64_t> &bytes = look.scene.moduleBytes();
    if (bytes.empty()) return;
    const QRectF &plot = look.layout.plot;
    const ColumnGrid grid = ColumnGrid::over(plot.left(), plot.right(), look.devicePixelRatio);
    const std::vector<double> tops = columnTops(largestPerColumn(grid, look.layout.x, look.scene.axis().edges(), bytes),
                                                bytes, look.layout.y, look.devicePixelRatio);
    const double baseline = snapped(look.layout.y.fromPixel, look.devicePixelRatio);
    // In the colour of text, which stands out from every band below it.
    QColor fill = Theme::instance().color(Token::Text);
    painter.save();
    painter.setClipRect(plot);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(fill, 1.5));
    fill.setAlphaF(0.2F);
    painter.setBrush(fill);
    painter.drawPolygon(barOutline(grid, tops, baseline, 0, grid.count));
    painter.restore();
    paintRuns(painter, look, look.scene.moduleRuns(), Token::Accent);
}

void paintSelection(QPainter &painter, const MemoryLook &look)
{
    paintModule(painter, look);
    const Selection selected = look.scene.selection(), hovered = look.scene.hover();
    const Theme &theme = Theme::instance();
    if (hovered.storage != selected.storage) {
        paintLife(painter, look, hovered.storage, Token::Text3, 2);
        paintBandOutline(painter, look, hovered.storage, QPen(theme.color(Token::Text), 1));
    }
    if (hovered.op != selected.op) paintRuns(painter, look, look.scene.opSpans(hovered.op), Token::LineStrong);
    paintLife(painter, look, selected.storage, Token::Accent, 4);
    paintBandOutline(painter, look, selected.storage, QPen(theme.color(Token::Accent), 2));
    paintRuns(painter, look, look.scene.opSpans(selected.op), Token::Accent);
}

void paintBudget(QPainter &painter, const MemoryLook &look)
{
    const Theme &theme = Theme::instance();
    const MemoryScene &scene = look.scene;
    if (scene.budgetBytes() <= 0) return;
    const Token token = scene.infeasible() ? Token::Error : Token::Budget;
    const double y =
        std::round(look.layout.budgetY(scene.budgetBytes()) * look.devicePixelRatio) / look.devicePixelRatio;
    const QRectF handle = look.layout.budgetHandle(scene.budgetBytes());

    if (look.hovered || look.dragging) {
        QColor glow = theme.color(token);
        glow.setAlphaF(0.18F);
        painter.fillRect(QRectF(look.layout.plot.left(), y - 3, handle.left() - look.layout.plot.left(), 6), glow);
    }
    painter.fillRect(QRectF(look.layout.plot.left(), y - 1, handle.left() + 4 - look.layout.plot.left(), 2),
                     theme.color(token));

    QPainterPath pennant(QPointF(handle.left(), handle.center().y()));
    const double neck = handle.left() + 9, radius = 4;
    pennant.lineTo(neck, handle.top());
    pennant.lineTo(handle.right() - radius, handle.top());
    pennant.quadTo(handle.topRight(), handle.topRight() + QPointF(0, radius));
    pennant.lineTo(handle.right(), handle.bottom() - radius);
    pennant.quadTo(handle.bottomRight(), handle.bottomRight() - QPointF(radius, 0));
    pennant.lineTo(neck, handle.bottom());
    pennant.closeSubpath();
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(token));
    painter.drawPath(pennant);
    if (look.focused) {
        painter.setPen(QPen(theme.color(Token::Focus), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(handle.adjusted(-2, -3, 3, 3), 6, 6);
    }
    QFont font = theme.font(FontRole::Label);
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    const QString budget = MemoryText::tr("Budget %1").arg(memoryText(scene.budgetBytes()));
    const bool beyond = static_cast<double>(scene.budgetBytes()) > scene.topBytes();
    drawLabel(painter, handle.adjusted(12, 0, -4, 0), beyond ? QStringLiteral("↑ ") + budget : budget, Token::Panel);
    painter.setFont(theme.font(FontRole::Label));
    const double share =
        static_cast<double>(scene.budgetBytes()) / static_cast<double>(std::max<std::int64_t>(scene.wholeBytes(), 1));
    drawLabel(painter, QRectF(handle.left() + 12, handle.bottom() + 2, handle.width(), 18),
              memoryShareText(share) + QStringLiteral(" · ") + MemoryText::tr("drag"), Token::Text2);
}

/// Names at the left, figures at the right, as many rows as fit.
void paintRangeRows(QPainter &painter, const QRectF &room, const Readout &readout)
{
    constexpr double kRowHeight = 16;
    painter.setFont(Theme::instance().font(FontRole::Label));
    double y = room.top();
    for (const auto &[name, value] : readout.range) {
        if (y + kRowHeight > room.bottom()) return;
        const QRectF row(room.left(), y, room.width(), kRowHeight);
        drawLabel(painter, row, name, Token::Text2);
        drawLabel(painter, row, value, Token::Text, Qt::AlignRight);
        y += kRowHeight;
    }
}

void paintReadout(QPainter &painter, const MemoryLook &look)
{
    if (look.layout.narrow) return;
    const Theme &theme = Theme::instance();
    const Readout readout = readoutOf(look.scene, look.range);
    const QRectF handle = look.layout.budgetHandle(look.scene.budgetBytes());
    const double left = look.layout.side.left() + 12;
    const double width = look.layout.size.width() - left - 10;
    constexpr double kBlock = 58, kLine = 16, kRoom = 40, kGap = 8;
    const double hintBottom = handle.bottom() + 20;
    const double top = std::max(look.layout.plot.top(), look.coveredTop + 6);
    if (!readout.range.empty()) {
        // On the side of the handle that has more room.
        const double above = handle.top() - kGap - top, below = look.layout.size.height() - hintBottom - kGap;
        paintRangeRows(painter,
                       above >= below ? QRectF(left, top, width, above) : QRectF(left, hintBottom + kGap, width, below),
                       readout);
        return;
    }
    painter.setFont(theme.font(FontRole::Label));
    const bool twoLines = painter.fontMetrics().horizontalAdvance(readout.where()) > width;
    const double block = twoLines ? kBlock + kLine : kBlock;
    const bool above = handle.top() - kGap >= top + block;
    double y = above ? top : hintBottom + kGap;

    drawLabel(painter, QRectF(left, y, width, 16), readout.title, Token::Text2);
    painter.setFont(theme.font(FontRole::SectionTitle));
    drawLabel(painter, QRectF(left, y + 16, width, 22), readout.bytes, Token::Text);
    painter.setFont(theme.font(FontRole::Label));
    drawLabel(painter, QRectF(left, y + 38, width, 18), twoLines ? readout.at : readout.where(), Token::Text2);
    if (twoLines) drawLabel(painter, QRectF(left, y + 38 + kLine, width, 18), readout.op, Token::Text2);

    y = above ? hintBottom + kGap : y + block + kGap;
    if (y + kRoom > look.layout.size.height()) return;
    drawLabel(painter, QRectF(left, y, width, 18), readout.roomTitle, Token::Text2);
    painter.setFont(theme.font(FontRole::Name));
    drawLabel(painter, QRectF(left, y + 18, width, 20), readout.room, readout.over ? Token::Error : Token::Text);
}

void paintPopover(QPainter &painter, const MemoryLook &look)
{
    const Theme &theme = Theme::instance();
    const MemoryScene &scene = look.scene;
    const QRectF box = peakPopover(look), marker = peakMarker(look);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.color(Token::Text3), 1));
    const double lineY = sharp(std::min(box.center().y(), marker.top() - 6), look.devicePixelRatio);
    const double lineX = sharp(marker.center().x(), look.devicePixelRatio);
    const double start = box.right() < marker.left() ? box.right() : box.left();
    if (lineY > box.top() && marker.top() > box.top()) {
        painter.save(); // the line stops before the name of keep-all and goes on behind it
        const QRect name = keepAllName(look).adjusted(-3, 0, 3, 0).toAlignedRect();
        painter.setClipRegion(QRegion(QRect(QPoint(), look.layout.size.toSize())) - QRegion(name));
        painter.drawPolyline(QPolygonF{{start, lineY}, {lineX, lineY}, {lineX, marker.top()}});
        painter.restore();
    }

    painter.setPen(theme.color(theme.scheme() == Scheme::HighContrast ? Token::LineStrong : Token::Line));
    painter.setBrush(theme.color(Token::Panel));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    const QRectF inner = box.adjusted(12, 0, -12, 0);
    painter.setFont(theme.font(FontRole::Name));
    const QRectF head(inner.left(), box.top() + kPopoverPad - 2, inner.width(), 18);
    drawLabel(painter, head, MemoryText::tr("Peak %1").arg(memoryText(scene.timeline().peakBytes)), Token::Text);
    painter.setFont(theme.font(FontRole::Label));
    drawLabel(painter, head,
              MemoryText::tr("step %1").arg(countText(scene.timeline().step[scene.timeline().peakSample])),
              Token::Text3, Qt::AlignRight);

    for (std::size_t i = 0; i < scene.peakRows().size(); ++i) {
        const PeakRow &entry = scene.peakRows()[i];
        const QRectF row = peakPopoverRow(look, static_cast<int>(i));
        if (row.bottom() > box.bottom()) break; // there was no place for all
        if (static_cast<int>(i) == look.hoveredRow && entry.category != Category::Workspace) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.color(Token::AccentSoft));
            painter.drawRoundedRect(row.adjusted(-6, 0, 6, 0), 4, 4);
        }
        const bool rest = !entry.storage && entry.category != Category::Workspace;
        if (!rest)
            paintSwatch(painter, QRectF(row.left(), row.center().y() - 4, 8, 8), entry.category, look.devicePixelRatio);
        const QString bytes = bytesText(entry.bytes);
        const double bytesWidth = painter.fontMetrics().horizontalAdvance(bytes) + 8;
        drawLabel(painter, row.adjusted(15, 0, -bytesWidth, 0), entry.name, rest ? Token::Text3 : Token::Text2);
        drawLabel(painter, row, bytes, Token::Text, Qt::AlignRight);
    }
}

void paintPeak(QPainter &painter, const MemoryLook &look)
{
    const QRectF marker = peakMarker(look);
    if (marker.isEmpty()) return;
    if (look.peakOpen && !peakPopover(look).isEmpty()) paintPopover(painter, look);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::instance().color(Token::Text));
    painter.drawPolygon(QPolygonF{marker.topLeft(), marker.topRight(), {marker.center().x(), marker.bottom()}});
}

} // namespace

QRectF peakMarker(const MemoryLook &look)
{
    const MemoryScene &scene = look.scene;
    if (!scene.hasPlan() || scene.axis().count() == 0) return {};
    const std::vector<double> &edges = scene.axis().edges();
    const std::size_t peak = scene.timeline().peakSample;
    const double x = look.layout.x.pixel((edges[peak] + edges[peak + 1]) / 2);
    if (x < look.layout.plot.left() || x > look.layout.plot.right()) return {};
    const double y = look.layout.y.pixel(static_cast<double>(scene.timeline().peakBytes));
    return {x - 6, std::max(y - 13, 2.0), 12, 9};
}

namespace {

double popoverHeight(std::size_t rows)
{
    return kPopoverHead + kPopoverPad * 1.5 + kPopoverRow * static_cast<double>(rows);
}

/// The highest pixel of stack and keep-all in each column of the plot.
std::vector<double> curveTops(const MemoryLook &look, const ColumnGrid &grid)
{
    std::vector<double> tops(static_cast<std::size_t>(grid.count), look.layout.plot.bottom());
    const auto take = [&](const MemoryTimeline &line, const SampleAxis &axis) {
        const auto samples = largestPerColumn(grid, look.layout.x, axis.edges(), line.totalBytes);
        for (std::size_t column = 0; column < tops.size(); ++column)
            if (samples[column] >= 0)
                tops[column] = std::min(tops[column], look.layout.y.pixel(static_cast<double>(
                                                          line.totalBytes[static_cast<std::size_t>(samples[column])])));
    };
    take(look.scene.timeline(), look.scene.axis());
    take(look.scene.keepAll(), look.scene.keepAllAxis());
    return tops;
}

/// The place nearest to the peak where the popover hides nothing, with fewer rows where there is none for all.
QRectF freePlace(const MemoryLook &look)
{
    constexpr double kAway = 8, kStep = 12;
    const QRectF &plot = look.layout.plot;
    const QRectF marker = peakMarker(look);
    const double first = plot.left() + kStep, last = plot.right() - kPopoverWidth - kStep;
    if (marker.isEmpty() || last < first) return {};
    const ColumnGrid grid = ColumnGrid::over(plot.left(), plot.right(), 1);
    const std::vector<double> tops = curveTops(look, grid);
    const double cursor =
        look.scene.cursorUs() < 0 ? -1 : look.layout.x.pixel(look.scene.axis().ofTime(look.scene.cursorUs()));
    const double top = std::max(plot.top(), look.coveredTop) + 2;
    const QRectF name = keepAllName(look);
    const auto isFree = [&](double left, double height) {
        const double right = left + kPopoverWidth;
        if (cursor >= left - kAway && cursor <= right + kAway) return false;
        if (marker.right() + 4 > left && marker.left() - 4 < right) return false;
        if (name.intersects(QRectF(left - kAway, top, kPopoverWidth + 2 * kAway, height))) return false;
        for (int column = 0; column < grid.count; ++column)
            if (grid.x(column) > left - kAway && grid.x(column) < right + kAway &&
                tops[static_cast<std::size_t>(column)] < top + height + kAway)
                return false;
        return true;
    };
    const auto away = [&](double left) { return std::abs(left + kPopoverWidth / 2 - marker.center().x()); };
    const std::size_t all = look.scene.peakRows().size();
    for (std::size_t rows = all + 1; rows-- > 0;) {
        std::optional<double> best;
        for (double left = first; left <= last; left += kStep)
            if ((!best || away(left) < away(*best)) && isFree(left, popoverHeight(rows))) best = left;
        if (best) return {*best, top, kPopoverWidth, popoverHeight(rows)};
    }
    return {};
}

} // namespace

QRectF peakPopover(const MemoryLook &look)
{
    std::optional<QRectF> &known = look.places->popover;
    if (!known) known = freePlace(look);
    return *known;
}

QRectF peakPopoverRow(const MemoryLook &look, int row)
{
    const QRectF box = peakPopover(look);
    return {box.left() + 12, box.top() + kPopoverPad + kPopoverHead - 4 + row * kPopoverRow, box.width() - 24,
            kPopoverRow};
}

namespace {

void addRange(Readout &readout, const MemoryScene &scene, Span range)
{
    const RangeFigures figures = scene.rangeFigures(range);
    if (figures.computations() == 0) return;
    const auto add = [&](const QString &name, const QString &value) { readout.range.emplace_back(name, value); };
    add(MemoryText::tr("Range"), timeText(figures.timeUs));
    add(MemoryText::tr("Steps"), countText(figures.steps));
    add(MemoryText::tr("Highest"), memoryText(figures.maxBytes));
    add(MemoryText::tr("Mean"), bytesText(static_cast<std::int64_t>(figures.meanBytes)));
    add(MemoryText::tr("Ops"), countText(figures.computations()));
    add(MemoryText::tr("Recomputing"), timeText(figures.recomputeUs));
    add(MemoryText::tr("Allocated"), bytesText(figures.allocatedBytes));
    add(MemoryText::tr("Freed"), bytesText(figures.freedBytes));
}

} // namespace

Readout readoutOf(const MemoryScene &scene, const std::optional<Span> &range)
{
    Readout readout;
    const MemoryTimeline &line = scene.timeline();
    readout.title = scene.cursorUs() < 0 ? MemoryText::tr("At the peak") : MemoryText::tr("At the cursor");
    if (scene.hasPlan() && scene.plan().quick) readout.title += QStringLiteral(" · ") + MemoryText::tr("quick plan");
    readout.roomTitle = MemoryText::tr("Room under budget");
    readout.bytes = readout.at = readout.room = dash();
    if (line.op.empty()) return readout;
    if (range) addRange(readout, scene, *range);
    const std::size_t sample = scene.readoutSample();
    const std::int64_t held = line.totalBytes[sample], room = scene.budgetBytes() - held;
    readout.bytes = memoryText(held);
    readout.at = scene.axisKind() == AxisKind::Time
                     ? timeText(scene.cursorUs() < 0 ? line.startUs[sample] : scene.cursorUs())
                     : MemoryText::tr("step %1").arg(countText(line.step[sample]));
    readout.op = scene.labels().op(scene.graph(), line.op[sample]);
    readout.over = room < 0;
    if (readout.over) readout.roomTitle = MemoryText::tr("Over the budget");
    readout.room = readout.over ? bytesText(-room, Rounding::Up) : bytesText(room, Rounding::Down);
    return readout;
}

void paintMemoryOverlay(QPainter &painter, const MemoryLook &look)
{
    if (!look.scene.hasModel()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    paintFloor(painter, look);
    if (look.range)
        paintRange(painter, QRectF(look.layout.plot.topLeft(), look.layout.timeLabels.topRight()), look.layout.x,
                   *look.range, look.devicePixelRatio);
    paintMeasuredPeak(painter, look);
    paintSelection(painter, look);
    const QRectF box(look.layout.plot.topLeft(), QPointF(look.layout.plot.right(), look.layout.lanes.back().bottom()));
    if (look.scene.cursorUs() >= 0)
        paintTimeCursor(painter, box, look.layout.x, look.scene.axis().ofTime(look.scene.cursorUs()),
                        look.devicePixelRatio);
    paintCut(painter, look);
    paintBudget(painter, look);
    paintReadout(painter, look);
    paintPeak(painter, look);
    paintBrush(painter, look.layout.time, look.view);
}

} // namespace remat::studio
