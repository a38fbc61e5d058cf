// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/lanes/lanes_canvas.h"

#include "app/studio/base/plots/phase_spans.h"
#include "app/studio/base/style/plain_tooltip.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/lane_text.h"
#include "app/studio/base/text/text.h"

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

constexpr double kTop = 24, kRow = 18, kGap = 8, kBottom = 9;
constexpr double kFold = 3;        ///< blocks narrower than this fold into a mark
constexpr double kMeasured = 2;    ///< height of a bar below a row
constexpr double kName = 36;       ///< a name stands in blocks from this width on
constexpr double kModuleName = 14; ///< a module's name does so where it fits, from this width on
constexpr double kBelow = kTimeLabelHeight + 4 + kMinimapHeight + kBottom;

Token laneToken(Lane lane)
{
    if (lane == Lane::Host) return Token::States;
    return lane == Lane::Compute ? Token::Text3 : lane == Lane::Recompute ? Token::Recomputed : Token::Offloaded;
}

QColor faded(Token token, double opacity)
{
    QColor color = Theme::instance().color(token);
    color.setAlphaF(static_cast<float>(opacity));
    return color;
}

/// As much of the end of a path as fits, from a dot on: it says most. A number alone says nothing.
QString nameWithin(const QPainter &painter, QString name, double width)
{
    while (painter.fontMetrics().horizontalAdvance(name) > width) {
        const QString shorter = name.section(QLatin1Char('.'), 1);
        bool isNumber = false;
        shorter.toInt(&isNumber);
        if (shorter.isEmpty() || isNumber) return isNumber ? QString() : elided(painter, name, width);
        name = shorter;
    }
    return name;
}

} // namespace

LanesCanvas::LanesCanvas(Document *document, QWidget *parent) : TimePlot(document, parent)
{
    setAccessibleName(tr("Lanes over time"));
    connect(this, &TimePlot::sceneChanged, this, [this] {
        if (isVisible()) describe();
    });
}

void LanesCanvas::rebuild() const
{
    m_scene = LanesScene(document()->model(), document()->currentPlan(), document()->time().axes(),
                         document()->time().kind());
}

const LanesScene &LanesCanvas::scene() const
{
    ensure();
    return m_scene;
}

void LanesCanvas::describe()
{
    if (!scene().hasModel()) {
        setAccessibleDescription(tr("No model is open."));
        return;
    }
    QStringList parts;
    for (const LaneRow &row : m_scene.rows())
        parts << tr("%1 busy for %2").arg(laneText(row.lane), timeText(m_scene.lanes().busyUs(row.lane)));
    setAccessibleDescription(parts.join(QStringLiteral(", ")) +
                             tr(". Left and Right step, Enter selects, W and S zoom, A and D pan."));
}

TimeArea LanesCanvas::areaAt(QSizeF size) const
{
    return TimeArea::make(size, document()->time().view(), kTop, std::max(size.height() - kBelow, kTop + 30));
}

LanesCanvas::Rows LanesCanvas::rowsAt(QSizeF size) const
{
    Rows rows;
    rows.area = areaAt(size);
    const QRectF &plot = rows.area.plot;
    const double lanesHeight = static_cast<double>(m_scene.rows().size()) * (kRow + kGap);
    // Modules get the room that the lanes leave.
    const auto fitting = static_cast<std::size_t>(std::max(0.0, (plot.height() - lanesHeight - 6) / (kRow + 2)));
    double y = plot.top() + 6;
    for (std::size_t i = 0; i < std::min(fitting, m_scene.moduleRows().size()); ++i, y += kRow + 2)
        rows.rows.emplace_back(&m_scene.moduleRows()[i], QRectF(plot.left(), y, plot.width(), kRow));
    if (!rows.rows.empty()) y += kGap;
    const double pitch =
        std::min(kRow + kGap * 2, std::max(kRow + 2, (plot.bottom() - y) / static_cast<double>(m_scene.rows().size())));
    for (const LaneRow &row : m_scene.rows()) {
        rows.rows.emplace_back(&row, QRectF(plot.left(), y, plot.width(), kRow));
        y += pitch;
    }
    return rows;
}

QRectF LanesCanvas::rowRect(Lane lane) const
{
    ensure();
    for (const auto &[row, box] : rowsAt(size()).rows)
        if (!row->isModule && row->lane == lane) return box;
    return {};
}

void LanesCanvas::paintRow(QPainter &painter, const LaneRow &row, const QRectF &box, const Scale &x, double ratio) const
{
    const Theme &theme = Theme::instance();
    if (!row.isModule) {
        painter.setPen(theme.scheme() == Scheme::HighContrast ? QPen(theme.color(Token::Line)) : QPen(Qt::NoPen));
        painter.setBrush(theme.color(Token::Sunken));
        painter.drawRect(box);
    }
    if (row.lane == Lane::Compute && !row.isModule)
        for (const Span &wait : m_scene.waits()) {
            const double from = std::max(x.pixel(wait.from), box.left()), to = std::min(x.pixel(wait.to), box.right());
            if (to - from >= 1)
                painter.fillRect(QRectF(QPointF(from, box.top()), QPointF(to, box.bottom())),
                                 theme.hatchBrush(Token::LineStrong, ratio, 0.7));
        }
    const QColor ground = row.isModule ? theme.color(Token::Raised) : theme.color(laneToken(row.lane));
    painter.setFont(theme.font(FontRole::Small));
    for (const FoldedBlock &mark : foldBlocks(row.blocks, x, box.left(), box.right(), kFold)) {
        QRectF block(QPointF(mark.left, box.top()), QPointF(mark.right, box.bottom()));
        const bool several = mark.count > 1;
        if (several) {
            // As busy as what is in it, with a wave that says there is more.
            const double share = std::clamp(mark.covered / std::max(block.width(), 1.0), 0.2, 1.0);
            painter.fillRect(block, row.isModule ? ground : faded(laneToken(row.lane), 0.35 + 0.5 * share));
            if (block.width() >= 9) {
                QPolygonF wave;
                const double middle = block.center().y();
                for (double at = block.left() + 1.5; at <= block.right() - 1.5; at += 3)
                    wave << QPointF(at, middle + (wave.size() % 2 ? 1.5 : -1.5));
                painter.setPen(QPen(theme.color(row.isModule ? Token::LineStrong : Token::Plot), 1));
                painter.drawPolyline(wave);
            }
            continue;
        }
        if (block.width() > 4) block.adjust(0, 0, -1, 0); // neighbours stay apart
        if (row.isModule) {
            painter.setPen(QPen(theme.color(Token::Line), 1));
            painter.setBrush(ground);
            painter.drawRect(block.adjusted(0.5, 0.5, -0.5, -0.5));
        } else {
            painter.fillRect(block, ground);
        }
        const double least = row.isModule ? kModuleName : kName;
        if (block.width() < least) continue;
        const QString name = m_scene.nameOf(row, row.blocks[static_cast<std::size_t>(mark.first)].id);
        if (block.width() < kName && painter.fontMetrics().horizontalAdvance(name) > block.width() - 7) continue;
        painter.setPen(theme.color(row.isModule ? Token::Text2 : Token::Plot));
        const QRectF room = block.adjusted(4, 0, -3, 0);
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, nameWithin(painter, name, room.width()));
    }
}

/// Below its row, thin: what a real run took.
void LanesCanvas::paintMeasured(QPainter &painter, const LaneRow &row, const QRectF &box, const Scale &x)
{
    for (const FoldedBlock &mark : foldBlocks(row.measured, x, box.left(), box.right(), kFold)) {
        QRectF block(QPointF(mark.left, box.bottom()), QPointF(mark.right, box.bottom() + kMeasured));
        if (block.width() > 4) block.adjust(0, 0, -1, 0);
        painter.fillRect(block, Theme::instance().color(Token::Ok));
    }
}

void LanesCanvas::paintCritical(QPainter &painter, const Rows &rows) const
{
    // What compute and recompute share is one engine: their rows are shaded as one.
    std::map<Lane, QRectF> bands;
    for (const auto &[row, box] : rows.rows) {
        if (row->isModule) continue;
        const Lane engine = row->lane == Lane::Recompute ? Lane::Compute : row->lane;
        QRectF &band = bands[engine];
        band = band.isNull() ? box : band.united(box);
    }
    const QColor shade = faded(Token::Accent, Theme::instance().scheme() == Scheme::Light ? 0.16 : 0.3);
    for (const CriticalStretch &stretch : m_scene.critical()) {
        const QRectF band = bands[stretch.lane].adjusted(0, -3, 0, 3);
        const double from = std::max(rows.area.x.pixel(stretch.time.from), band.left());
        const double to = std::min(rows.area.x.pixel(stretch.time.to), band.right());
        if (to > from) painter.fillRect(QRectF(QPointF(from, band.top()), QPointF(to, band.bottom())), shade);
    }
}

void LanesCanvas::paintFigures(QPainter &painter, const Rows &rows, QSizeF size) const
{
    const Theme &theme = Theme::instance();
    const double right = size.width() - 12;
    painter.setFont(theme.font(FontRole::Label));
    painter.setPen(theme.color(Token::Text3));
    painter.drawText(QRectF(rows.area.plot.right() + 8, 4, right - rows.area.plot.right() - 8, 18),
                     Qt::AlignRight | Qt::AlignVCenter, tr("busy · sets the pace"));
    const QFontMetricsF metrics(theme.font(FontRole::Label));
    const double share = metrics.horizontalAdvance(QStringLiteral("00.0 %")) + 10;
    for (const auto &[row, box] : rows.rows) {
        painter.setPen(theme.color(Token::Text2));
        if (!row->isModule)
            painter.drawText(QRectF(0, box.top(), box.left() - 8, box.height()), Qt::AlignRight | Qt::AlignVCenter,
                             laneText(row->lane));
        if (row->isModule) continue;
        const double busy = m_scene.lanes().busyUs(row->lane);
        painter.setPen(theme.color(Token::Text));
        painter.drawText(QRectF(box.right() + 8, box.top(), right - share - box.right() - 8, box.height()),
                         Qt::AlignRight | Qt::AlignVCenter, busy > 0 ? timeText(busy) : dash());
        // Recomputing is part of what compute does.
        if (row->lane == Lane::Recompute || busy <= 0) continue;
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(right - share, box.top(), share, box.height()), Qt::AlignRight | Qt::AlignVCenter,
                         shareText(m_scene.criticalShare(row->lane)));
    }
    const bool modules = !rows.rows.empty() && rows.rows.front().first->isModule;
    if (modules) {
        const QRectF &box = rows.rows.front().second;
        painter.setPen(theme.color(Token::Text3));
        painter.drawText(QRectF(0, box.top(), box.left() - 8, box.height()), Qt::AlignRight | Qt::AlignVCenter,
                         tr("Modules"));
    }
}

void LanesCanvas::paintMinimap(QPainter &painter, const TimeArea &area, double ratio) const
{
    paintMinimapFrame(painter, area.minimap);
    const ColumnGrid grid = ColumnGrid::over(area.minimap.left(), area.minimap.right(), ratio);
    double y = area.minimap.top() + 4;
    for (const LaneRow &row : m_scene.rows()) {
        std::vector<Span> spans;
        spans.reserve(row.blocks.size());
        for (const Block &block : row.blocks)
            spans.push_back({block.from, block.to});
        const std::vector<float> busy = coverage(grid, area.whole, spans);
        const auto shade = [&](std::size_t column) { return static_cast<int>(std::ceil(busy[column] * 4 - 1e-3)); };
        for (std::size_t first = 0; first < busy.size();) {
            std::size_t last = first + 1;
            while (last < busy.size() && shade(last) == shade(first))
                ++last;
            if (shade(first) > 0)
                painter.fillRect(
                    QRectF(QPointF(grid.x(static_cast<int>(first)), y), QPointF(grid.x(static_cast<int>(last)), y + 3)),
                    faded(laneToken(row.lane), shade(first) / 4.0));
            first = last;
        }
        y += 4.3;
    }
}

void LanesCanvas::paintBase(QPainter &painter, QSizeF size, double ratio) const
{
    const Theme &theme = Theme::instance();
    painter.fillRect(QRectF(QPointF(), size), theme.color(Token::Plot));
    if (!m_scene.hasModel() || m_scene.timeline().op.empty()) return;
    const Rows rows = rowsAt(size);
    const TimeArea &area = rows.area;
    painter.setRenderHint(QPainter::Antialiasing);
    paintPhases(painter, phaseSpans(m_scene.graph(), m_scene.timeline(), document()->time().axes().plan), area.plot,
                area.x, kTop - 4, ratio);
    painter.save();
    painter.setClipRect(area.plot.adjusted(-0.5, 0, 0.5, 0));
    paintCritical(painter, rows);
    for (const auto &[row, box] : rows.rows)
        paintRow(painter, *row, box, area.x, ratio);
    for (const auto &[row, box] : rows.rows)
        paintMeasured(painter, *row, box, area.x);
    painter.restore();
    paintFigures(painter, rows, size);
    painter.setPen(QPen(theme.color(Token::LineStrong), 1));
    const double base = sharp(area.plot.bottom(), ratio);
    painter.drawLine(QPointF(area.plot.left(), base), QPointF(area.plot.right(), base));
    const Viewport &view = document()->time().view();
    const int ticks = std::max(2, static_cast<int>(area.plot.width() / 110));
    paintTimeAxis(painter, area.plot, area.plot.bottom(), area.labels, area.x,
                  document()->time().kind() == AxisKind::Time ? timeTicks(view.from, view.to, ticks)
                                                              : countTicks(view.from, view.to, ticks));
    paintMinimap(painter, area, ratio);
}

void LanesCanvas::paintOutlines(QPainter &painter, const Rows &rows,
                                const std::function<bool(OpId, StorageId)> &isMeant, const QPen &pen) const
{
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    for (const auto &[row, box] : rows.rows) {
        if (row->isModule) continue;
        for (const Block &block : row->blocks) {
            const LaneEvent &event = m_scene.event(*row, block.id);
            if (!isMeant(event.op, event.storage)) continue;
            const double from = std::max(rows.area.x.pixel(block.from), box.left());
            const double to = std::min(rows.area.x.pixel(block.to), box.right());
            if (to < box.left() || from > box.right()) continue;
            painter.drawRoundedRect(QRectF(QPointF(from, box.top()), QPointF(std::max(to, from + 3), box.bottom()))
                                        .adjusted(-1.5, -1.5, 1.5, 1.5),
                                    2, 2);
        }
    }
}

void LanesCanvas::paintMarks(QPainter &painter, QSizeF size, double) const
{
    if (!m_scene.hasModel()) return;
    const Rows rows = rowsAt(size);
    const Selection hover = document()->hover();
    if (hover != Selection{})
        paintOutlines(
            painter, rows,
            [&hover](OpId op, StorageId storage) { return op ? op == hover.op : storage == hover.storage; },
            QPen(Theme::instance().color(Token::LineStrong), 1));
    if (document()->selection() != Selection{} || document()->selectedModule())
        paintOutlines(
            painter, rows,
            [this](OpId op, StorageId storage) { return op ? document()->selects(op) : document()->selects(storage); },
            QPen(Theme::instance().color(Token::Accent), 2));
}

std::pair<const LaneRow *, FoldedBlock> LanesCanvas::markAt(const QPointF &position) const
{
    if (!m_scene.hasModel()) return {nullptr, {}};
    const Rows rows = rowsAt(size());
    for (const auto &[row, box] : rows.rows) {
        if (!box.contains(position)) continue;
        for (const FoldedBlock &mark : foldBlocks(row->blocks, rows.area.x, box.left(), box.right(), kFold))
            if (position.x() >= mark.left - 1 && position.x() <= mark.right + 1) return {row, mark};
    }
    return {nullptr, {}};
}

Selection LanesCanvas::selectionAt(const QPointF &position) const
{
    const auto [row, mark] = markAt(position);
    if (!row || row->isModule) return {};
    const double at = area().x.value(position.x());
    const int block = blockAt(row->blocks, at, std::abs(area().x.value(position.x() + 3) - at));
    return block < 0 ? Selection{} : m_scene.selectionOf(*row, row->blocks[static_cast<std::size_t>(block)].id);
}

QString LanesCanvas::waitTooltip(const QPointF &position) const
{
    if (!m_scene.hasModel()) return {};
    const Rows rows = rowsAt(size());
    for (const auto &[row, box] : rows.rows) {
        if (row->isModule || row->lane != Lane::Compute || !box.contains(position)) continue;
        const auto wait = m_scene.waitAt(rows.area.x.value(position.x()));
        if (!wait) continue;
        if (!wait->second) return plainTooltip(tr("Compute waits %1.").arg(timeText(wait->first)));
        return plainTooltip(tr("Compute waits %1 for the copy of %2.")
                                .arg(timeText(wait->first), m_scene.labels().storage(m_scene.graph(), wait->second)));
    }
    return {};
}

QString LanesCanvas::markTooltip(const QPointF &position) const
{
    const auto [row, mark] = markAt(position);
    if (!row) return waitTooltip(position);
    const QString line = QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td></tr>");
    const auto title = [](const QString &text) { return QStringLiteral("<b>%1</b><table>").arg(text.toHtmlEscaped()); };
    if (mark.count > 1) {
        const QString text = row->isModule ? tr("%n module(s). Zoom in to see them.", nullptr, mark.count)
                             : row->lane == Lane::CopyIn || row->lane == Lane::CopyOut
                                 ? tr("%n copies. Zoom in to see them.", nullptr, mark.count)
                                 : tr("%n op(s). Zoom in to see them.", nullptr, mark.count);
        return text;
    }
    const Block &block = row->blocks[static_cast<std::size_t>(mark.first)];
    if (row->isModule) return plainTooltip(m_scene.nameOf(*row, block.id));
    const LaneEvent &event = m_scene.event(*row, block.id);
    const Graph &graph = m_scene.graph();
    QString text = title(m_scene.nameOf(*row, block.id));
    if (event.op) {
        text += line.arg(tr("Node"), toQString(graph.op(event.op).name).toHtmlEscaped());
    } else {
        text += line.arg(tr("Storage"), toQString(graph.storage(event.storage).name).toHtmlEscaped());
        text += line.arg(tr("Size"), bytesText(graph.storage(event.storage).bytes));
    }
    text += line.arg(laneText(row->lane), timeText(event.toUs - event.fromUs));
    if (const auto *measured = m_scene.measured()) {
        const StepMeasurement &took = (*measured)[static_cast<std::size_t>(event.step)];
        text += line.arg(tr("Measured"), timeText(took.endUs - took.startUs));
    }
    text += line.arg(tr("Starts"), timeText(event.fromUs));
    text += line.arg(tr("Step"), countText(event.step));
    return text + QStringLiteral("</table>");
}

} // namespace remat::studio
