// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/tensors/icicle_canvas.h"

#include "app/studio/base/style/plain_tooltip.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/work/document/time_window.h"

#include <QMouseEvent>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr double kTitle = 20, kLeastName = 13, kTextRoom = 5;
constexpr double kRoot = 12, kLeastColumn = 84; ///< widths; what is deeper than there is room for is left out

} // namespace

IcicleCanvas::IcicleCanvas(Document *document, QWidget *parent) : PlotCanvas(parent), m_document(document)
{
    setObjectName(QStringLiteral("icicle"));
    setAccessibleName(tr("Bytes by module"));
    connect(document, &Document::modelChanged, this, &IcicleCanvas::spoil);
    connect(document, &Document::currentPlanChanged, this, &IcicleCanvas::spoil);
    connect(document, &Document::selectionChanged, this, qOverload<>(&QWidget::update));
    connect(document, &Document::cursorChanged, this, [this] {
        if (isVisible() && (m_stale || sample() != m_shown)) spoil();
    });
}

void IcicleCanvas::spoil()
{
    m_stale = true;
    update();
}

std::size_t IcicleCanvas::sample() const
{
    const auto timeline = m_document->timeline();
    if (!timeline) return 0;
    if (m_document->cursorUs() < 0) return timeline->peakSample;
    const SampleAxis &axis = m_document->time().axes().plan;
    return axis.count() == 0 ? timeline->peakSample : axis.sampleAt(axis.ofTime(m_document->cursorUs()));
}

const std::vector<IcicleCell> &IcicleCanvas::cells() const
{
    if (!std::exchange(m_stale, false)) return m_cells;
    m_cells.clear();
    m_levels = 1;
    const auto model = m_document->model();
    if (!model) return m_cells;
    m_shown = sample();
    m_cells = icicle(model->graph(), *m_document->timeline(), model->open->modules, m_shown);
    for (const IcicleCell &cell : m_cells)
        m_levels = std::max(m_levels, cell.level + 1);
    return m_cells;
}

QRectF IcicleCanvas::boxOf(const IcicleCell &cell, QSizeF size) const
{
    const auto whole = static_cast<double>(std::max<std::int64_t>(cells().front().bytes, 1));
    const double room = size.width() - kRoot;
    const int columns = std::clamp(static_cast<int>(room / kLeastColumn), 1, std::max(m_levels - 1, 1));
    if (cell.level > columns) return {};
    const double height = size.height() - kTitle, column = room / columns;
    return {cell.level == 0 ? 0 : kRoot + (cell.level - 1) * column,
            kTitle + static_cast<double>(cell.fromBytes) / whole * height, cell.level == 0 ? kRoot : column,
            static_cast<double>(cell.bytes) / whole * height};
}

const IcicleCell *IcicleCanvas::cellAt(const QPointF &position) const
{
    for (const IcicleCell &cell : cells())
        if (boxOf(cell, size()).contains(position)) return &cell;
    return nullptr;
}

void IcicleCanvas::paintPlot(QPainter &painter, const QSizeF &size, double) const
{
    const Theme &theme = Theme::instance();
    painter.fillRect(QRectF({0, 0}, size), theme.color(Token::Panel));
    if (cells().empty()) return;
    const ClusterTree &tree = m_document->model()->open->modules;
    painter.setFont(theme.font(FontRole::Label));
    painter.setPen(theme.color(Token::Text2));
    const QString when =
        m_document->cursorUs() < 0 ? tr("Held at the peak, by module") : tr("Held at the cursor, by module");
    painter.drawText(QRectF(2, 0, size.width() - 4, kTitle), Qt::AlignLeft | Qt::AlignVCenter,
                     elided(painter, when, size.width() - 4));
    const auto module = m_document->selectedModule();
    for (const IcicleCell &cell : m_cells) {
        const QRectF box = boxOf(cell, size).adjusted(0, 0, -1, 0);
        if (box.height() < 0.5) continue;
        const Cluster &cluster = tree.cluster(cell.cluster);
        const bool selected = module && module->path == cluster.path;
        painter.fillRect(box, theme.color(selected ? Token::AccentSoft : Token::Sunken));
        // A frame, and not the ground alone, tells cells apart in every theme.
        painter.setPen(QPen(theme.color(selected ? Token::Accent : Token::LineStrong), 1));
        if (box.height() > 2) painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        if (box.height() < kLeastName || cell.level == 0) continue;
        const QRectF room = box.adjusted(kTextRoom, 0, -kTextRoom, 0);
        const QString name = elided(painter, toQString(cluster.name), room.width()), bytes = memoryText(cell.bytes);
        painter.setPen(theme.color(Token::Text));
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, name);
        const QFontMetrics metrics = painter.fontMetrics();
        if (metrics.horizontalAdvance(name) + metrics.horizontalAdvance(bytes) + 8 > room.width()) continue;
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, bytes);
    }
}

QString IcicleCanvas::tooltipAt(const QPointF &position) const
{
    const IcicleCell *cell = cellAt(position);
    if (!cell) return {};
    const std::string &path = m_document->model()->open->modules.cluster(cell->cluster).path;
    const double share =
        static_cast<double>(cell->bytes) / static_cast<double>(std::max<std::int64_t>(cells().front().bytes, 1));
    const QString name = toQString(path.empty() ? m_document->model()->graph().name : path);
    return plainTooltip(QStringLiteral("%1\n%2, %3").arg(name, exactBytesText(cell->bytes), shareText(share)));
}

void IcicleCanvas::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) return;
    if (const IcicleCell *cell = cellAt(event->position())) Q_EMIT chosen(cell->cluster);
}

} // namespace remat::studio
