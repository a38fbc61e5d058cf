// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/addresses/address_canvas.h"

#include "app/studio/base/plots/phase_spans.h"
#include "app/studio/base/plots/tags.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/category_text.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/work/document/time_window.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace remat::studio {

namespace {

constexpr double kTop = 24, kBottom = 9;
constexpr double kBelow = kTimeLabelHeight + 4 + kMinimapHeight + kBottom;
constexpr double kGreyed = 0.45;
constexpr double kPatternSize = 4; ///< smaller rectangles are drawn flat
constexpr double kNameWidth = 56, kNameHeight = 15;

} // namespace

AddressCanvas::AddressCanvas(Document *document, QWidget *parent) : TimePlot(document, parent)
{
    setAccessibleName(tr("Address map over time"));
}

void AddressCanvas::setScene(const AddressScene &scene)
{
    m_scene = scene;
    if (m_labelsOf != scene.model) {
        m_labelsOf = scene.model;
        m_labels = scene.model ? OpLabels(scene.model->graph()) : OpLabels();
    }
    rebuild();
    describe();
    refresh();
}

void AddressCanvas::rebuild() const
{
    m_axis = m_scene.timeline ? SampleAxis(*m_scene.timeline, document()->time().kind()) : SampleAxis();
}

void AddressCanvas::describe()
{
    setAccessibleDescription(
        m_scene.map ? tr("%n blocks of memory over time, %1 in one piece. Space plays the plan, Left and Right step.",
                         nullptr, static_cast<int>(m_scene.map->blocks.size()))
                          .arg(memoryText(m_scene.map->heightBytes))
                    : tr("No addresses yet: they come with a plan."));
}

TimeArea AddressCanvas::areaAt(QSizeF size) const
{
    return TimeArea::make(size, document()->time().view(), kTop, std::max(size.height() - kBelow, kTop + 30));
}

Scale AddressCanvas::offsets(QSizeF size) const
{
    const QRectF plot = areaAt(size).plot;
    const std::int64_t height = m_scene.map ? m_scene.map->heightBytes : 0;
    const auto top = static_cast<double>(std::max<std::int64_t>({height, document()->budgetBytes(), 1}));
    // The budget's name stands above its line, also in a low plot.
    const double room = std::max(0.07 * plot.height(), kNameHeight + 3);
    return {0, top * plot.height() / std::max(plot.height() - room, 1.0), plot.bottom(), plot.top()};
}

AddressCanvas::Extent AddressCanvas::extentOf(const AddressBlock &block) const
{
    const std::vector<std::int32_t> &steps = m_scene.timeline->step;
    const auto at = [&](std::int32_t step) {
        return m_axis
            .edges()[static_cast<std::size_t>(std::lower_bound(steps.begin(), steps.end(), step) - steps.begin())];
    };
    return {at(block.firstStep), at(block.endStep)};
}

QRectF AddressCanvas::rectOf(const AddressBlock &block, const TimeArea &area, const Scale &y) const
{
    const Extent extent = extentOf(block);
    const double from = area.x.pixel(extent.from), to = area.x.pixel(extent.to);
    if (to < area.plot.left() || from > area.plot.right() || to <= from) return {};
    const double left = std::max(from, area.plot.left()), right = std::min(to, area.plot.right());
    return {QPointF(left, y.pixel(static_cast<double>(block.offset + block.bytes))),
            QPointF(right, y.pixel(static_cast<double>(block.offset)))};
}

void AddressCanvas::paintBlocks(QPainter &painter, const TimeArea &area, const Scale &y, double ratio) const
{
    const Theme &theme = Theme::instance();
    const auto snapped = [ratio](double value) { return std::round(value * ratio) / ratio; };
    // What is thinner than a pixel is drawn as one, and once where many lie in the same.
    std::unordered_set<std::uint64_t> drawn;
    painter.setFont(theme.font(FontRole::Small));
    for (const AddressBlock &block : m_scene.map->blocks) {
        QRectF box = rectOf(block, area, y);
        if (box.isNull()) continue;
        const double top = snapped(box.top()), left = snapped(box.left());
        const double height = std::max(snapped(box.bottom()) - top, 1 / ratio);
        const double width = std::max(snapped(box.right()) - left, 1 / ratio);
        if (std::min(width, height) * ratio < 1.5) {
            constexpr int kBits = 16;
            std::uint64_t key = 0;
            for (const double edge : {left, top, width, height})
                key = (key << kBits) | (static_cast<std::uint64_t>(std::lround(edge * ratio)) & 0xffff);
            if (!drawn.insert(key).second) continue;
        }
        box = {left, top, width, height};
        const bool large = width >= kPatternSize && height >= kPatternSize;
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.fillRect(box, large ? theme.categoryBrush(block.category, ratio)
                                    : QBrush(theme.categoryColor(block.category)));
        if (!large) continue;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.color(Token::Plot), 0.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box);
        if (width >= kNameWidth && height >= kNameHeight) paintTag(painter, box, nameOf(block));
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

void AddressCanvas::paintMinimap(QPainter &painter, const TimeArea &area, double ratio) const
{
    const QRectF &box = area.minimap;
    paintMinimapFrame(painter, box);
    const ColumnGrid grid = ColumnGrid::over(box.left(), box.right(), ratio);
    const MemoryTimeline &line = *m_scene.timeline;
    const auto samples = largestPerColumn(grid, area.whole, m_axis.edges(), line.totalBytes);
    const Scale y{0, offsets(size()).toValue, box.bottom() - 1, box.top() + 2};
    std::vector<double> tops(samples.size(), box.bottom() - 1);
    for (std::size_t column = 0; column < samples.size(); ++column)
        if (samples[column] >= 0)
            tops[column] = y.pixel(static_cast<double>(line.totalBytes[static_cast<std::size_t>(samples[column])]));
    QColor fill = Theme::instance().color(Token::Text3);
    fill.setAlphaF(0.45F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawPolygon(barOutline(grid, tops, box.bottom() - 1, 0, grid.count));
    painter.setRenderHint(QPainter::Antialiasing);
}

void AddressCanvas::paintBase(QPainter &painter, QSizeF size, double ratio) const
{
    const Theme &theme = Theme::instance();
    painter.fillRect(QRectF(QPointF(), size), theme.color(Token::Plot));
    if (!document()->model()) return;
    const TimeArea area = areaAt(size);
    const Scale y = offsets(size);
    painter.setRenderHint(QPainter::Antialiasing);
    const int lines = std::clamp(static_cast<int>(area.plot.height() / 15), 1, 6);
    paintBytesAxis(painter, area.plot, y, bytesTicks(y.toValue, lines));
    if (m_scene.map && m_scene.timeline && !m_scene.timeline->op.empty()) {
        if (!m_scene.current) painter.setOpacity(kGreyed);
        paintPhases(painter, phaseSpans(m_scene.model->graph(), *m_scene.timeline, m_axis), area.plot, area.x, kTop - 4,
                    ratio);
        // Addresses that nothing uses at the time.
        const double end = std::min(area.x.pixel(m_axis.length()), area.plot.right());
        const double begin = std::max(area.x.pixel(0), area.plot.left());
        const double top = y.pixel(static_cast<double>(m_scene.map->heightBytes));
        if (end > begin)
            painter.fillRect(QRectF(QPointF(begin, top), QPointF(end, area.plot.bottom())), theme.color(Token::Sunken));
        paintBlocks(painter, area, y, ratio);
        painter.setOpacity(1);
        painter.setPen(QPen(theme.color(Token::Text), 1));
        const double line = sharp(top, ratio);
        painter.drawLine(QPointF(area.plot.left(), line), QPointF(area.plot.right(), line));
        paintMinimap(painter, area, ratio);
    } else {
        painter.fillRect(area.plot, theme.hatchBrush(Token::Line, ratio, 0.6));
    }
    const Viewport &view = document()->time().view();
    const int ticks = std::max(2, static_cast<int>(area.plot.width() / 110));
    paintTimeAxis(painter, area.plot, area.plot.bottom(), area.labels, area.x,
                  document()->time().kind() == AxisKind::Time ? timeTicks(view.from, view.to, ticks)
                                                              : countTicks(view.from, view.to, ticks));
}

void AddressCanvas::paintOutlines(QPainter &painter, const TimeArea &area, const Scale &y, const Selection &selection,
                                  const QPen &pen) const
{
    if (selection == Selection{}) return;
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    for (const AddressBlock &block : m_scene.map->blocks) {
        const bool meant =
            block.storage ? block.storage == selection.storage : selection.op && block.op == selection.op;
        if (!meant) continue;
        const QRectF box = rectOf(block, area, y);
        if (!box.isNull()) painter.drawRect(box.adjusted(-0.5, -0.5, std::max(0.0, 3 - box.width()), 0.5));
    }
}

void AddressCanvas::paintModule(QPainter &painter, const TimeArea &area, const Scale &y) const
{
    if (!document()->selectedModule()) return;
    painter.setPen(QPen(Theme::instance().color(Token::Accent), 2));
    painter.setBrush(Qt::NoBrush);
    for (const AddressBlock &block : m_scene.map->blocks) {
        if (!(block.storage ? document()->selects(block.storage) : document()->selects(block.op))) continue;
        const QRectF box = rectOf(block, area, y);
        if (!box.isNull()) painter.drawRect(box.adjusted(-0.5, -0.5, std::max(0.0, 3 - box.width()), 0.5));
    }
}

void AddressCanvas::paintColumn(QPainter &painter, const TimeArea &area, const Scale &y, QSizeF size,
                                double ratio) const
{
    const Theme &theme = Theme::instance();
    const MemoryTimeline &line = *m_scene.timeline;
    const double left = area.plot.right() + 14;
    const QRectF bar(left, area.plot.top(), 28, area.plot.height());
    const bool atCursor = document()->cursorUs() >= 0;
    const std::size_t sample = atCursor ? m_axis.sampleAt(m_axis.ofTime(document()->cursorUs())) : line.peakSample;
    const std::int32_t step = line.step[sample];
    painter.fillRect(
        QRectF(QPointF(bar.left(), y.pixel(static_cast<double>(m_scene.map->heightBytes))), bar.bottomRight()),
        theme.color(Token::Sunken));
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const AddressBlock &block : m_scene.map->blocks) {
        if (block.firstStep > step) break;
        if (block.endStep <= step) continue;
        QRectF box(QPointF(bar.left(), y.pixel(static_cast<double>(block.offset + block.bytes))),
                   QPointF(bar.right(), y.pixel(static_cast<double>(block.offset))));
        box.setHeight(std::max(box.height(), 1 / ratio));
        painter.fillRect(box, box.height() >= kPatternSize ? theme.categoryBrush(block.category, ratio)
                                                           : QBrush(theme.categoryColor(block.category)));
        if (box.height() >= 2)
            painter.fillRect(QRectF(box.left(), box.top(), box.width(), 0.5), theme.color(Token::Plot));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const double textLeft = bar.right() + 10, width = size.width() - textLeft - 8;
    double top = area.plot.top();
    const auto say = [&](const QString &text, FontRole role, Token token, double height) {
        painter.setFont(theme.font(role));
        painter.setPen(theme.color(token));
        painter.drawText(QRectF(textLeft, top, width, height), Qt::AlignLeft | Qt::AlignVCenter,
                         elided(painter, text, width));
        top += height;
    };
    say(atCursor ? tr("At the cursor") : tr("At the peak"), FontRole::Label, Token::Text2, 16);
    say(memoryText(line.totalBytes[sample]), FontRole::Name, Token::Text, 20);
    say(tr("step %1").arg(countText(step)), FontRole::Label, Token::Text2, 18);
    top += 8;
    say(tr("Gaps below"), FontRole::Label, Token::Text2, 16);
    say(bytesText(gapBytesAt(*m_scene.map, step)), FontRole::Name, Token::Text, 20);
}

void AddressCanvas::paintMarks(QPainter &painter, QSizeF size, double ratio) const
{
    if (!m_scene.map || !m_scene.timeline || m_scene.timeline->op.empty()) return;
    const Theme &theme = Theme::instance();
    const TimeArea area = areaAt(size);
    const Scale y = offsets(size);
    paintOutlines(painter, area, y, document()->hover(), QPen(theme.color(Token::Text), 1));
    paintOutlines(painter, area, y, document()->selection(), QPen(theme.color(Token::Accent), 2));
    paintModule(painter, area, y);
    if (document()->budgetBytes() > 0) {
        const double line = std::round(y.pixel(static_cast<double>(document()->budgetBytes())) * ratio) / ratio;
        painter.fillRect(QRectF(area.plot.left(), line - 1, area.plot.width(), 2), theme.color(Token::Budget));
        painter.setFont(theme.font(FontRole::Small));
        painter.setPen(theme.color(Token::Budget));
        const double arena = y.pixel(static_cast<double>(m_scene.map->heightBytes));
        // The two names stand on the far sides of their lines.
        const bool budgetAbove = document()->budgetBytes() >= m_scene.map->heightBytes;
        painter.drawText(QRectF(area.plot.left() + 6, budgetAbove ? line - 16 : line + 2, 200, 14),
                         Qt::AlignLeft | Qt::AlignVCenter, tr("Budget %1").arg(memoryText(document()->budgetBytes())));
        const QString name = tr("In one piece %1").arg(memoryText(m_scene.map->heightBytes));
        const QRectF room(area.plot.left() + 3, budgetAbove ? arena + 2 : arena - 16, 160, 14);
        paintTag(painter, room, name);
    }
    paintColumn(painter, area, y, size, ratio);
}

int AddressCanvas::blockAt(const QPointF &position) const
{
    if (!m_scene.map || !m_scene.timeline || m_scene.timeline->op.empty()) return -1;
    const TimeArea now = area();
    const auto offset = static_cast<std::int64_t>(offsets(size()).value(position.y()));
    const double at = now.x.value(position.x());
    if (!now.plot.contains(position) || at < 0 || at > m_axis.length()) return -1;
    const std::int32_t step = m_scene.timeline->step[m_axis.sampleAt(at)];
    const std::vector<AddressBlock> &blocks = m_scene.map->blocks;
    for (std::size_t i = 0; i < blocks.size() && blocks[i].firstStep <= step; ++i)
        if (blocks[i].endStep > step && offset >= blocks[i].offset && offset < blocks[i].offset + blocks[i].bytes)
            return static_cast<int>(i);
    return -1;
}

QRectF AddressCanvas::blockRect(std::size_t block) const
{
    return rectOf(m_scene.map->blocks[block], area(), offsets(size()));
}

QString AddressCanvas::nameOf(const AddressBlock &block) const
{
    if (block.storage) return m_labels.storage(m_scene.model->graph(), block.storage);
    return tr("workspace of %1").arg(m_labels.op(m_scene.model->graph(), block.op));
}

Selection AddressCanvas::selectionAt(const QPointF &position) const
{
    const int found = blockAt(position);
    if (found < 0) return {};
    const AddressBlock &block = m_scene.map->blocks[static_cast<std::size_t>(found)];
    Selection selection;
    if (block.storage)
        selection.storage = block.storage;
    else
        selection.op = block.op;
    return selection;
}

QString AddressCanvas::markTooltip(const QPointF &position) const
{
    const int found = blockAt(position);
    if (found < 0) return {};
    const AddressBlock &block = m_scene.map->blocks[static_cast<std::size_t>(found)];
    const QString line = QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td></tr>");
    QString text = QStringLiteral("<b>%1</b><table>").arg(nameOf(block).toHtmlEscaped());
    text += line.arg(tr("Category"), categoryText(block.category));
    text += line.arg(tr("Size"), exactBytesText(block.bytes));
    text += line.arg(tr("Offset"), exactBytesText(block.offset));
    text += line.arg(tr("Steps"), tr("%1 to %2").arg(countText(block.firstStep), countText(block.endStep - 1)));
    return text + QStringLiteral("</table>");
}

void AddressCanvas::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier) {
        Q_EMIT replayToggled();
        return;
    }
    TimePlot::keyPressEvent(event);
}

} // namespace remat::studio
