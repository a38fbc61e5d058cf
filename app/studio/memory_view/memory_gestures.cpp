// What mouse and keys do in the memory view.
#include "app/studio/memory_view/memory_canvas.h"

#include "app/studio/document/text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {
constexpr double kClickSlack = 4;
constexpr double kBrushGrab = 6;
constexpr double kZoomStep = 0.8;
constexpr double kPanStep = 0.1;
} // namespace

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
    if (layout.minimap.adjusted(-kBrushGrab, 0, kBrushGrab, 0).contains(position)) {
        const QRectF brush = layout.brush(viewport());
        const double toFrom = std::abs(position.x() - brush.left()), toTo = std::abs(position.x() - brush.right());
        if (std::min(toFrom, toTo) <= kBrushGrab) return toFrom <= toTo ? Part::BrushFrom : Part::BrushTo;
        return Part::Minimap;
    }
    const QRectF area(layout.plot.topLeft(), QPointF(layout.plot.right(), layout.timeLabels.bottom()));
    return area.contains(position) ? Part::Plot : Part::Nothing;
}

int MemoryCanvas::popoverRowAt(const QPointF &position) const
{
    const MemoryLook now = look();
    for (int row = 0; row < static_cast<int>(m_scene.peakRows().size()); ++row)
        if (peakPopoverRow(now, row).contains(position)) return row;
    return -1;
}

std::int64_t MemoryCanvas::clampedBudget(double bytes) const
{
    const auto peak = static_cast<double>(m_scene.keepAll().peakBytes);
    return static_cast<std::int64_t>(std::llround(std::clamp(bytes, std::max(1.0, peak * 0.01), std::max(1.0, peak))));
}

void MemoryCanvas::dragBudget(double y)
{
    const std::int64_t bytes = clampedBudget(layout().y.value(y));
    if (bytes == m_document->budgetBytes()) return;
    m_document->setBudget(bytes);
    Q_EMIT budgetDragged(bytes);
}

void MemoryCanvas::moveBudget(std::int64_t bytes)
{
    Q_EMIT budgetDragStarted();
    m_document->setBudget(bytes);
    Q_EMIT budgetDragged(bytes);
    Q_EMIT budgetDragFinished(bytes);
}

void MemoryCanvas::goToFloor()
{
    if (m_scene.hasModel()) moveBudget(std::max<std::int64_t>(m_scene.floorBytes(), 1));
}

void MemoryCanvas::mousePressEvent(QMouseEvent *event)
{
    const QPointF at = event->position();
    m_pressed = at;
    m_lastX = at.x();
    m_moved = false;
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
    const Part part = event->button() == Qt::MiddleButton ? Part::Plot : partAt(at);
    switch (part) {
    case Part::Nothing:
        break;
    case Part::Budget:
        m_gesture = Gesture::Budget;
        m_grabOffset = at.y() - layout().budgetY(m_scene.budgetBytes());
        m_document->time().setHeld(true);
        Q_EMIT budgetDragStarted();
        break;
    case Part::Peak:
        setPeakPinned(!m_peakPinned);
        break;
    case Part::Popover:
        if (const int row = popoverRowAt(at); row >= 0)
            if (const StorageId storage = m_scene.peakRows()[static_cast<std::size_t>(row)].storage)
                m_document->selectStorage(storage);
        break;
    case Part::BrushFrom:
        m_gesture = Gesture::BrushFrom;
        break;
    case Part::BrushTo:
        m_gesture = Gesture::BrushTo;
        break;
    case Part::Minimap: {
        m_gesture = Gesture::BrushMove;
        const double center = layout().whole.value(at.x());
        if (center < viewport().from || center > viewport().to)
            m_document->time().pan(center - (viewport().from + viewport().to) / 2);
        break;
    }
    case Part::Plot:
        m_gesture = Gesture::Pan;
        break;
    }
    update();
}

void MemoryCanvas::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF at = event->position();
    if ((at - m_pressed).manhattanLength() >= kClickSlack) m_moved = true;
    const MemoryLayout now = layout();
    TimeWindow &window = m_document->time();
    const double byMap = now.whole.value(at.x()) - now.whole.value(m_lastX);
    switch (m_gesture) {
    case Gesture::None:
        hover(at);
        return;
    case Gesture::Budget:
        dragBudget(at.y() - m_grabOffset);
        break;
    case Gesture::Pan:
        if (!m_moved) return;
        window.pan(now.x.value(m_lastX) - now.x.value(at.x()));
        break;
    case Gesture::BrushMove:
        window.pan(byMap);
        break;
    case Gesture::BrushFrom:
        window.show(std::min(now.whole.value(at.x()), viewport().to - viewport().narrowest), viewport().to);
        break;
    case Gesture::BrushTo:
        window.show(viewport().from, std::max(now.whole.value(at.x()), viewport().from + viewport().narrowest));
        break;
    }
    m_lastX = at.x();
}

void MemoryCanvas::mouseReleaseEvent(QMouseEvent *event)
{
    const Gesture gesture = m_gesture;
    m_gesture = Gesture::None;
    if (gesture == Gesture::Budget) {
        m_document->time().setHeld(false);
        changed();
        Q_EMIT budgetDragFinished(m_document->budgetBytes());
    } else if (gesture == Gesture::Pan && !m_moved && event->button() == Qt::LeftButton) {
        click(event->position(), event->modifiers());
    }
    hover(event->position());
    update();
}

void MemoryCanvas::mouseDoubleClickEvent(QMouseEvent *event)
{
    const Part part = partAt(event->position());
    if (part == Part::Plot || part == Part::Minimap) fit();
}

void MemoryCanvas::click(const QPointF &position, Qt::KeyboardModifiers modifiers)
{
    const MemoryLayout now = layout();
    const double at = now.x.value(position.x());
    if (m_scene.axis().count() == 0 || at < 0 || at > m_scene.axis().length()) {
        m_document->clearSelection();
        return;
    }
    const std::size_t sample = m_scene.axis().sampleAt(at);
    if (modifiers.testFlag(Qt::ControlModifier) && now.plot.contains(position)) {
        const auto height = static_cast<std::int64_t>(std::max(now.y.value(position.y()), 0.0));
        if (const StorageId storage = m_scene.storageAt(sample, height)) m_document->selectStorage(storage);
        return;
    }
    m_document->selectOp(m_scene.timeline().op[sample]);
}

void MemoryCanvas::hover(const QPointF &position)
{
    const Part part = partAt(position);
    const int row = part == Part::Popover ? popoverRowAt(position) : -1;
    if (part != m_hovered || row != m_hoveredRow) {
        m_hovered = part;
        m_hoveredRow = row;
        const bool rowActs = row >= 0 && m_scene.peakRows()[static_cast<std::size_t>(row)].storage;
        setCursor(part == Part::Budget                               ? Qt::SizeVerCursor
                  : part == Part::BrushFrom || part == Part::BrushTo ? Qt::SizeHorCursor
                  : part == Part::Peak || rowActs                    ? Qt::PointingHandCursor
                                                                     : Qt::ArrowCursor);
        update();
    }
    if (!m_scene.hasModel() || (part != Part::Plot && part != Part::Budget)) return;
    const double at = layout().x.value(position.x());
    m_document->setCursor(at >= 0 && at <= m_scene.axis().length() ? m_scene.axis().toTime(at) : -1);
}

void MemoryCanvas::leaveEvent(QEvent *)
{
    m_hovered = Part::Nothing;
    m_hoveredRow = -1;
    m_document->setCursor(-1);
    update();
}

void MemoryCanvas::wheelEvent(QWheelEvent *event)
{
    if (!m_scene.hasModel()) return;
    const QPoint turned = event->angleDelta();
    const bool sideways = event->modifiers().testFlag(Qt::ShiftModifier) || std::abs(turned.x()) > std::abs(turned.y());
    const double notches = (sideways && turned.x() != 0 ? turned.x() : turned.y()) / 120.0;
    if (sideways)
        m_document->time().pan(-notches * kPanStep * viewport().width());
    else
        m_document->time().zoom(layout().x.value(event->position().x()), std::pow(kZoomStep, notches));
    event->accept();
}

void MemoryCanvas::stepCursor(int by)
{
    const SampleAxis &axis = m_scene.axis();
    if (axis.count() == 0) return;
    const auto from = static_cast<std::int64_t>(m_scene.readoutSample());
    const auto last = static_cast<std::int64_t>(axis.count()) - 1;
    const auto to = static_cast<std::size_t>(std::clamp<std::int64_t>(from + by, 0, last));
    const double middle = (axis.edges()[to] + axis.edges()[to + 1]) / 2;
    if (middle < viewport().from || middle > viewport().to)
        m_document->time().pan(middle - (viewport().from + viewport().to) / 2);
    m_document->setCursor(axis.toTime(middle));
}

void MemoryCanvas::keyPressEvent(QKeyEvent *event)
{
    const bool held = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    if (!m_scene.hasModel() || held) {
        PlotCanvas::keyPressEvent(event);
        return;
    }
    const auto peak = static_cast<double>(m_scene.keepAll().peakBytes);
    const double step = peak * (event->modifiers().testFlag(Qt::ShiftModifier) ? 0.001 : 0.01);
    const auto budget = static_cast<double>(m_document->budgetBytes());
    const double cursor = m_scene.axis().ofTime(m_scene.cursorUs());
    const bool seen = m_scene.cursorUs() >= 0 && cursor >= viewport().from && cursor <= viewport().to;
    const double center = seen ? cursor : (viewport().from + viewport().to) / 2;
    TimeWindow &window = m_document->time();
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
    case Qt::Key_Left:
    case Qt::Key_Comma:
        stepCursor(-1);
        return;
    case Qt::Key_Right:
    case Qt::Key_Period:
        stepCursor(1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_scene.axis().count()) m_document->selectOp(m_scene.timeline().op[m_scene.readoutSample()]);
        return;
    case Qt::Key_W:
        window.zoom(center, kZoomStep);
        break;
    case Qt::Key_S:
        window.zoom(center, 1 / kZoomStep);
        break;
    case Qt::Key_A:
        window.pan(-kPanStep * viewport().width());
        break;
    case Qt::Key_D:
        window.pan(kPanStep * viewport().width());
        break;
    case Qt::Key_F:
        window.fit();
        break;
    case Qt::Key_P:
        setPeakPinned(!m_peakPinned);
        return;
    case Qt::Key_Escape:
        m_document->clearSelection();
        return;
    default:
        PlotCanvas::keyPressEvent(event);
        return;
    }
}

void MemoryCanvas::focusInEvent(QFocusEvent *event)
{
    m_focusShown = event->reason() != Qt::MouseFocusReason;
    update();
}

void MemoryCanvas::focusOutEvent(QFocusEvent *)
{
    m_focusShown = false;
    update();
}

QString MemoryCanvas::tooltipAt(const QPointF &position) const
{
    const Part part = partAt(position);
    if (part == Part::Budget) return tr("%1. Drag it, or use Up and Down.").arg(exactBytesText(m_scene.budgetBytes()));
    if (part == Part::Peak) return tr("What makes the peak (P)");
    if (part == Part::Minimap || part == Part::BrushFrom || part == Part::BrushTo)
        return tr("The part that is shown. F shows all.");
    const double at = layout().x.value(position.x());
    if (part != Part::Plot || m_scene.axis().count() == 0 || at < 0 || at > m_scene.axis().length()) return {};
    const std::size_t sample = m_scene.axis().sampleAt(at);
    const MemoryTimeline &line = m_scene.timeline();
    const Graph &graph = m_scene.graph();
    const Op &op = graph.op(line.op[sample]);
    const QString row = QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td></tr>");
    QString text = QStringLiteral("<b>%1</b><table>").arg(m_scene.labels().op(graph, line.op[sample]).toHtmlEscaped());
    text += row.arg(tr("Node"), toQString(op.name).toHtmlEscaped());
    text += row.arg(tr("Step"), countText(line.step[sample]));
    text += row.arg(tr("Time"), timeText(line.endUs[sample] - line.startUs[sample]));
    text += row.arg(tr("Held"), exactBytesText(line.totalBytes[sample]));
    if (line.recompute[sample]) text += row.arg(tr("Computed"), tr("again"));
    return text + QStringLiteral("</table>");
}

bool MemoryCanvas::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QString text = m_gesture == Gesture::None ? tooltipAt(QPointF(help->pos())) : QString();
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return PlotCanvas::event(event);
}

} // namespace remat::studio
