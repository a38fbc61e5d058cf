// SPDX-License-Identifier: Apache-2.0
// What mouse and keys do in the memory view.
#include "app/studio/views/memory/memory_canvas.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace remat::studio {

MemoryCanvas::Part MemoryCanvas::partAt(const QPointF &position) const
{
    if (!m_scene.hasModel()) return Part::Nothing;
    const MemoryLook now = look();
    const MemoryLayout &layout = now.layout;
    if (peakMarker(now).adjusted(-3, -3, 3, 3).contains(position)) return Part::Peak;
    if (now.peakOpen && m_peakPinned && m_scene.hasPlan() && !peakMarker(now).isEmpty() &&
        peakPopover(now).contains(position))
        return Part::Popover;
    const QRectF handle = layout.budgetHandle(m_scene.budgetBytes());
    const QRectF line(QPointF(layout.plot.left(), layout.budgetY(m_scene.budgetBytes()) - kGrab),
                      QPointF(handle.left(), layout.budgetY(m_scene.budgetBytes()) + kGrab));
    if (m_scene.budgetBytes() > 0 && (handle.contains(position) || line.contains(position))) return Part::Budget;
    return m_gestures->partAt(position) == TimeGestures::Part::Nothing ? Part::Nothing : Part::Time;
}

int MemoryCanvas::popoverRowAt(const QPointF &position) const
{
    const MemoryLook now = look();
    for (int row = 0; row < static_cast<int>(m_scene.peakRows().size()); ++row)
        if (peakPopoverRow(now, row).contains(position) && peakPopover(now).contains(position)) return row;
    return -1;
}

std::int64_t MemoryCanvas::clampedBudget(double bytes) const
{
    const auto peak = static_cast<double>(m_scene.wholeBytes());
    return static_cast<std::int64_t>(std::llround(std::clamp(bytes, std::max(1.0, peak * 0.01), std::max(1.0, peak))));
}

void MemoryCanvas::dragBudget(double y)
{
    m_document->moveBudget(clampedBudget(layout().y.value(y)));
}

void MemoryCanvas::moveBudget(std::int64_t bytes)
{
    m_document->beginBudgetDrag();
    m_document->moveBudget(bytes);
    m_document->endBudgetDrag();
}

void MemoryCanvas::goToFloor()
{
    if (m_scene.hasModel()) moveBudget(std::max<std::int64_t>(m_scene.floorBytes(), 1));
}

void MemoryCanvas::mousePressEvent(QMouseEvent *event)
{
    const QPointF at = event->position();
    Part part = event->button() == Qt::LeftButton ? partAt(at) : Part::Time;
    // Measuring starts anywhere in the plot, on the budget line too.
    const bool measures = event->modifiers().testFlag(Qt::ShiftModifier) || m_document->time().measuring();
    if (part == Part::Budget && measures && m_gestures->partAt(at) == TimeGestures::Part::Plot) part = Part::Time;
    switch (part) {
    case Part::Nothing:
        break;
    case Part::Budget:
        m_dragging = true;
        m_grabOffset = at.y() - layout().budgetY(m_scene.budgetBytes());
        m_document->beginBudgetDrag();
        break;
    case Part::Peak:
        // Where there is no free place for it in the plot, a list of its own says the same.
        peakPopover(look()).isEmpty() ? openAliveList() : setPeakPinned(!m_peakPinned);
        break;
    case Part::Popover:
        if (const int row = popoverRowAt(at); row >= 0) {
            const PeakRow &entry = m_scene.peakRows()[static_cast<std::size_t>(row)];
            if (entry.storage)
                m_document->selectStorage(entry.storage);
            else if (entry.category != Category::Workspace)
                openAliveList();
        } else {
            openAliveList();
        }
        break;
    case Part::Time:
        m_gestures->press(*event);
        break;
    }
    update();
}

void MemoryCanvas::mouseMoveEvent(QMouseEvent *event)
{
    if (m_dragging)
        dragBudget(event->position().y() - m_grabOffset);
    else if (!m_gestures->move(*event))
        hover(event->position());
}

void MemoryCanvas::mouseReleaseEvent(QMouseEvent *event)
{
    if (m_dragging) {
        m_dragging = false;
        m_document->endBudgetDrag();
        changed();
    } else {
        m_gestures->release(*event);
    }
    hover(event->position());
    update();
}

void MemoryCanvas::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (partAt(event->position()) == Part::Time) m_gestures->doubleClick(*event);
}

void MemoryCanvas::click(const QPointF &position)
{
    const MemoryLayout now = layout();
    const double at = now.x.value(position.x());
    if (m_scene.axis().count() == 0 || at < 0 || at > m_scene.axis().length()) {
        m_document->clearSelection();
        return;
    }
    const std::size_t sample = m_scene.axis().sampleAt(at);
    if (const StorageId storage = pointedAt(position).storage)
        m_document->selectStorage(storage);
    else if (isRest(position))
        openRestList();
    else
        m_document->selectOp(m_scene.timeline().op[sample]);
}

void MemoryCanvas::hover(const QPointF &position)
{
    const Part part = partAt(position);
    const int row = part == Part::Popover ? popoverRowAt(position) : -1;
    const TimeGestures::Part timePart = m_gestures->partAt(position);
    const PeakRow *entry = row >= 0 ? &m_scene.peakRows()[static_cast<std::size_t>(row)] : nullptr;
    const bool rowActs = entry && (entry->storage || entry->category != Category::Workspace);
    setCursor(part == Part::Budget            ? Qt::SizeVerCursor
              : part == Part::Peak || rowActs ? Qt::PointingHandCursor
              : part == Part::Time            ? TimeGestures::shape(timePart)
                                              : Qt::ArrowCursor);
    if (part != m_hovered || row != m_hoveredRow) {
        m_hovered = part;
        m_hoveredRow = row;
        update();
    }
    const bool overPlot = part == Part::Time && timePart == TimeGestures::Part::Plot;
    if (overPlot || part == Part::Budget) m_gestures->hover(position);
    m_document->setHover(entry ? Selection{{}, entry->storage} : overPlot ? pointedAt(position) : Selection());
}

Selection MemoryCanvas::pointedAt(const QPointF &position) const
{
    const MemoryLayout now = layout();
    const double at = now.x.value(position.x());
    Selection found;
    if (m_scene.axis().count() == 0 || at < 0 || at > m_scene.axis().length()) return found;
    const std::size_t sample = m_scene.axis().sampleAt(at);
    if (position.y() > now.plot.bottom())
        found.op = m_scene.timeline().op[sample];
    else if (m_scene.hasPlan())
        found.storage = m_scene.storageAt(sample, static_cast<std::int64_t>(std::max(now.y.value(position.y()), 0.0)));
    return found;
}

bool MemoryCanvas::isRest(const QPointF &position) const
{
    const MemoryLayout now = layout();
    if (m_scene.grouping() != Grouping::Storage || m_scene.bands().others == 0 || !now.plot.contains(position))
        return false;
    const std::size_t sample = m_scene.axis().sampleAt(now.x.value(position.x()));
    return now.y.value(position.y()) < static_cast<double>(m_scene.timeline().totalBytes[sample]) &&
           !pointedAt(position).storage;
}

void MemoryCanvas::leaveEvent(QEvent *)
{
    m_hovered = Part::Nothing;
    m_hoveredRow = -1;
    m_document->setCursor(-1);
    m_document->setHover({});
    update();
}

void MemoryCanvas::wheelEvent(QWheelEvent *event)
{
    event->setAccepted(m_gestures->wheel(*event));
}

void MemoryCanvas::keyPressEvent(QKeyEvent *event)
{
    const bool held = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    if (!m_scene.hasModel() || held) {
        LayeredPlot::keyPressEvent(event);
        return;
    }
    const auto peak = static_cast<double>(m_scene.wholeBytes());
    const double step = peak * (event->modifiers().testFlag(Qt::ShiftModifier) ? 0.001 : 0.01);
    const auto budget = static_cast<double>(m_document->budgetBytes());
    switch (event->key()) {
    case Qt::Key_Up:
        moveBudget(clampedBudget(budget + step));
        return;
    case Qt::Key_Down:
        moveBudget(clampedBudget(budget - step));
        return;
    case Qt::Key_Home:
        goToFloor();
        return;
    case Qt::Key_End:
        moveBudget(clampedBudget(peak));
        return;
    case Qt::Key_P:
        event->modifiers().testFlag(Qt::ShiftModifier) ? openAliveList() : setPeakPinned(!m_peakPinned);
        return;
    case Qt::Key_G:
        setGrouping(m_scene.grouping() == Grouping::Storage ? Grouping::Category : Grouping::Storage,
                    m_scene.largest());
        return;
    default:
        if (!m_gestures->key(*event)) LayeredPlot::keyPressEvent(event);
        return;
    }
}

QString MemoryCanvas::tooltipAt(const QPointF &position) const
{
    if (m_dragging || m_gestures->active()) return {};
    const Part part = partAt(position);
    if (part == Part::Budget) return tr("%1. Drag it, or use Up and Down.").arg(exactBytesText(m_scene.budgetBytes()));
    if (part == Part::Peak) return tr("What makes the peak (P)");
    const TimeGestures::Part timePart = m_gestures->partAt(position);
    if (part == Part::Time && timePart != TimeGestures::Part::Plot) return TimeGestures::tooltip(timePart);
    const double at = layout().x.value(position.x());
    if (part != Part::Time || m_scene.axis().count() == 0 || at < 0 || at > m_scene.axis().length()) return {};
    const std::size_t sample = m_scene.axis().sampleAt(at);
    const MemoryTimeline &line = m_scene.timeline();
    const Graph &graph = m_scene.graph();
    if (const StorageId storage = pointedAt(position).storage) {
        const QString name = m_scene.labels().storage(graph, storage).toHtmlEscaped();
        const QString running =
            tr("while %1 runs, step %2")
                .arg(m_scene.labels().op(graph, line.op[sample]).toHtmlEscaped(), countText(line.step[sample]));
        return QStringLiteral("<b>%1</b> %2<br>%3").arg(name, bytesText(graph.storage(storage).bytes), running);
    }
    if (isRest(position)) return tr("%1 more storages. A click lists them.").arg(countText(m_scene.bands().others));
    const Op &op = graph.op(line.op[sample]);
    const QString row = QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td></tr>");
    QString text = QStringLiteral("<b>%1</b><table>").arg(m_scene.labels().op(graph, line.op[sample]).toHtmlEscaped());
    text += row.arg(tr("Node"), toQString(op.name).toHtmlEscaped());
    text += row.arg(tr("Step"), countText(line.step[sample]));
    text += row.arg(tr("Time"), timeText(line.endUs[sample] - line.startUs[sample]));
    text += row.arg(tr("Held"),
                    tr("%1, %2").arg(memoryText(line.totalBytes[sample]), exactBytesText(line.totalBytes[sample])));
    if (line.recompute[sample]) text += row.arg(tr("Computed"), tr("again"));
    return text + QStringLiteral("</table>");
}

} // namespace remat::studio
