// SPDX-License-Identifier: Apache-2.0
// What mouse, wheel and keys do in the graph.
#include "app/studio/base/plots/physical_keys.h"
#include "app/studio/views/graph/card_text.h"
#include "app/studio/views/graph/graph_canvas.h"
#include "app/studio/views/graph/graph_painter.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>
#include <utility>

namespace remat::studio {

namespace {

constexpr double kWheelStep = 1.2;
constexpr double kWalk = 60; // one press of A or D

} // namespace

void GraphCanvas::wheelEvent(QWheelEvent *event)
{
    event->accept();
    if (event->modifiers().testFlag(Qt::ControlModifier) != m_wheelZooms) {
        zoomAround(event->position(), std::pow(kWheelStep, event->angleDelta().y() / 120.0));
        return;
    }
    QPointF by = event->hasPixelDelta() ? QPointF(event->pixelDelta()) : QPointF(event->angleDelta()) / 2;
    if (event->modifiers() & Qt::ShiftModifier && by.x() == 0) by = QPointF(by.y(), 0);
    moveTo(m_origin + by);
}

int GraphCanvas::itemAt(QPointF position) const
{
    if (position.y() < kHeader || !m_emptyText.isEmpty()) return -1;
    const QPointF point = toPicture(position);
    const int index = m_scene.picture.itemAt(point);
    if (index < 0) return -1;
    const GraphItem &item = m_scene.picture.item(index);
    const bool inside = item.shape == ItemShape::Frame && point.y() > item.rect.top() + item.headerHeight();
    return inside ? -1 : index;
}

bool GraphCanvas::hitsChevron(int index, QPointF position) const
{
    const GraphItem &item = m_scene.picture.item(index);
    const bool opens = item.shape == ItemShape::Frame || canOpen(m_scene, item);
    return opens && detailAt(m_scale) == Detail::Full &&
           chevronRect(m_scene.picture, item).adjusted(-6, -6, 6, 6).contains(toPicture(position));
}

bool GraphCanvas::stepAt(int index, QPointF position)
{
    const GraphItem &item = m_scene.picture.item(index);
    if (m_scene.nodeOf(item).run < 0 || detailAt(m_scale) != Detail::Full) return false;
    for (const bool later : {false, true}) {
        if (!stepperRect(m_scene.picture, item, later).contains(toPicture(position))) continue;
        Q_EMIT stepped(index, later ? 1 : -1);
        return true;
    }
    return false;
}

bool GraphCanvas::hitsBranchSwitch(int index, QPointF position) const
{
    return detailAt(m_scale) == Detail::Full &&
           branchSwitchRect(m_scene.picture.item(index)).contains(toPicture(position));
}

void GraphCanvas::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
    m_pressing = true;
    m_dragging = false;
    m_pressed = event->position();
    m_originAtPress = m_origin;
}

void GraphCanvas::mouseMoveEvent(QMouseEvent *event)
{
    if (m_pressing) {
        const QPointF by = event->position() - m_pressed;
        if (!m_dragging && by.manhattanLength() >= QApplication::startDragDistance()) {
            m_dragging = true;
            m_spaceDown = false;
            setCursor(Qt::ClosedHandCursor);
        }
        if (m_dragging) moveTo(m_originAtPress + by);
        return;
    }
    Q_EMIT hovered(itemAt(event->position()));
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent *event)
{
    if (!m_pressing) return;
    m_pressing = false;
    if (m_dragging) {
        unsetCursor();
        return;
    }
    if (event->button() != Qt::LeftButton) return;
    const int item = itemAt(event->position());
    if (item >= 0 && stepAt(item, event->position())) return;
    if (item >= 0 && hitsBranchSwitch(item, event->position())) {
        Q_EMIT branchesSwitched(item);
        return;
    }
    if (item >= 0 && hitsChevron(item, event->position())) {
        Q_EMIT toggled(item, event->modifiers() & Qt::AltModifier);
        return;
    }
    Q_EMIT clicked(item);
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent *event)
{
    const int item = itemAt(event->position());
    if (item < 0 || event->button() != Qt::LeftButton) return;
    // The two presses of a double click on a chevron, a stepper or a switch have done their work one by one.
    const GraphItem &hit = m_scene.picture.item(item);
    const bool onStepper = m_scene.nodeOf(hit).run >= 0 &&
                           (stepperRect(m_scene.picture, hit, false).contains(toPicture(event->position())) ||
                            stepperRect(m_scene.picture, hit, true).contains(toPicture(event->position())));
    if (onStepper || hitsChevron(item, event->position()) || hitsBranchSwitch(item, event->position())) {
        mousePressEvent(event);
        return;
    }
    Q_EMIT toggled(item, event->modifiers() & Qt::AltModifier);
}

void GraphCanvas::leaveEvent(QEvent *)
{
    Q_EMIT hovered(-1);
}

void GraphCanvas::keyPressEvent(QKeyEvent *event)
{
    const bool control = event->modifiers() & Qt::ControlModifier;
    const QPointF middle(width() / 2.0, height() / 2.0);
    switch (walkingKey(*event)) {
    case Qt::Key_W:
        zoomAround(middle, kWheelStep);
        break;
    case Qt::Key_S:
        zoomAround(middle, 1 / kWheelStep);
        break;
    case Qt::Key_A:
        moveTo(m_origin + QPointF(0, kWalk));
        break;
    case Qt::Key_D:
        moveTo(m_origin - QPointF(0, kWalk));
        break;
    case Qt::Key_Space:
        if (!event->isAutoRepeat()) m_spaceDown = true;
        break;
    case Qt::Key_0:
        fit();
        break;
    case Qt::Key_F:
        Q_EMIT commanded(GraphCommand::Frame);
        break;
    case Qt::Key_Up:
        Q_EMIT commanded(control ? GraphCommand::Earlier : GraphCommand::Up);
        break;
    case Qt::Key_Down:
        Q_EMIT commanded(control ? GraphCommand::Later : GraphCommand::Down);
        break;
    case Qt::Key_Left:
        Q_EMIT commanded(GraphCommand::Left);
        break;
    case Qt::Key_Right:
        Q_EMIT commanded(GraphCommand::Right);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        Q_EMIT commanded(event->modifiers() & Qt::AltModifier ? GraphCommand::ToggleBelow : GraphCommand::Toggle);
        break;
    case Qt::Key_Home:
        Q_EMIT commanded(GraphCommand::First);
        break;
    case Qt::Key_End:
        Q_EMIT commanded(GraphCommand::Last);
        break;
    case Qt::Key_Escape:
        Q_EMIT commanded(GraphCommand::Clear);
        break;
    case Qt::Key_Backspace:
        if (event->modifiers() & Qt::ShiftModifier)
            showActualSize();
        else
            Q_EMIT commanded(GraphCommand::Outwards);
        break;
    case Qt::Key_PageUp:
        moveTo(m_origin + QPointF(0, height() - kHeader - 40));
        break;
    case Qt::Key_PageDown:
        moveTo(m_origin - QPointF(0, height() - kHeader - 40));
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomAround(middle, kWheelStep);
        break;
    case Qt::Key_Minus:
        zoomAround(middle, 1 / kWheelStep);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void GraphCanvas::keyReleaseEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Space || event->isAutoRepeat()) {
        QWidget::keyReleaseEvent(event);
        return;
    }
    // Held while dragging it only moves the picture.
    if (std::exchange(m_spaceDown, false)) fit();
}

void GraphCanvas::focusInEvent(QFocusEvent *)
{
    Q_EMIT focusChanged();
}

void GraphCanvas::focusOutEvent(QFocusEvent *)
{
    Q_EMIT focusChanged();
}

bool GraphCanvas::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const int item = itemAt(help->pos());
    if (item < 0)
        QToolTip::hideText();
    else if (hitsBranchSwitch(item, help->pos()))
        QToolTip::showText(help->globalPos(),
                           m_scene.picture.item(item).branching == Branching::Beside
                               ? tr("Shows the branches of this cluster below each other (Shift+B)")
                               : tr("Shows the branches of this cluster side by side (Shift+B)"),
                           this);
    else
        QToolTip::showText(help->globalPos(), cardTooltip(m_scene, m_scene.picture.item(item)), this,
                           toWidget(m_scene.picture.item(item).rect).toRect());
    return true;
}

} // namespace remat::studio
