// SPDX-License-Identifier: Apache-2.0
// What mouse, wheel and keys do in the matrix.
#include "app/studio/base/plots/gesture_steps.h"
#include "app/studio/base/plots/physical_keys.h"
#include "app/studio/base/text/text.h"
#include "app/studio/views/matrix/matrix_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

namespace remat::studio {

void MatrixCanvas::zoom(const QPointF &at, double factor)
{
    ensure();
    m_rows.zoom(down(size()).value(at.y()), factor);
    m_columns.zoom(across(size()).value(at.x()), factor);
    refresh();
}

void MatrixCanvas::hover(const QPointF &position)
{
    const Place place = placeAt(position);
    if (place.row < 0) {
        m_document->setHover({});
        m_document->setCursor(-1);
        return;
    }
    const MatrixCell *cell = m_scene.cellAt(place.row, place.column);
    const auto sample =
        static_cast<std::size_t>(cell ? cell->sample : m_scene.sampleOfRow[static_cast<std::size_t>(place.row)]);
    m_document->setCursor((m_timeline->startUs[sample] + m_timeline->endUs[sample]) / 2);
    Selection hovered;
    hovered.op = m_scene.columns[static_cast<std::size_t>(place.column)];
    m_document->setHover(hovered);
}

void MatrixCanvas::mousePressEvent(QMouseEvent *event)
{
    m_pressed = m_last = event->position();
    m_moved = false;
    m_pressedInside = (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton) &&
                      plot().contains(event->position());
}

void MatrixCanvas::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF at = event->position();
    if (!m_pressedInside) {
        hover(at);
        return;
    }
    if ((at - m_pressed).manhattanLength() >= kClickSlack) m_moved = true;
    if (!m_moved) return;
    m_columns.pan(across(size()).value(m_last.x()) - across(size()).value(at.x()));
    m_rows.pan(down(size()).value(m_last.y()) - down(size()).value(at.y()));
    m_last = at;
    refresh();
}

void MatrixCanvas::mouseReleaseEvent(QMouseEvent *event)
{
    const bool clicked = m_pressedInside && !m_moved && event->button() == Qt::LeftButton;
    m_pressedInside = false;
    if (!clicked) return;
    const Place place = placeAt(event->position());
    if (place.column < 0)
        m_document->clearSelection();
    else
        m_document->selectOp(m_scene.columns[static_cast<std::size_t>(place.column)]);
}

void MatrixCanvas::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (plot().contains(event->position())) fit();
}

void MatrixCanvas::wheelEvent(QWheelEvent *event)
{
    if (scene().columns.empty()) return;
    const WheelTurn turn(*event);
    if (turn.pans) {
        m_columns.pan(turn.pan() * m_columns.width());
        refresh();
    } else {
        zoom(event->position(), turn.zoom());
    }
    event->accept();
}

void MatrixCanvas::leaveEvent(QEvent *)
{
    m_document->setHover({});
    m_document->setCursor(-1);
}

void MatrixCanvas::keyPressEvent(QKeyEvent *event)
{
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) {
        LayeredPlot::keyPressEvent(event);
        return;
    }
    ensure();
    const Place lit = litPlace();
    const QPointF center = lit.row >= 0 && lit.column >= 0 ? cellCenter(lit.row, lit.column) : plot().center();
    const auto pan = [this](double columns, double rows) {
        m_columns.pan(columns * kPanStep * m_columns.width());
        m_rows.pan(rows * kPanStep * m_rows.width());
        refresh();
    };
    switch (walkingKey(*event)) {
    case Qt::Key_W:
        return zoom(center, kZoomStep);
    case Qt::Key_S:
        return zoom(center, 1 / kZoomStep);
    case Qt::Key_A:
        return pan(-1, 0);
    case Qt::Key_D:
        return pan(1, 0);
    case Qt::Key_Up:
        return pan(0, -1);
    case Qt::Key_Down:
        return pan(0, 1);
    case Qt::Key_F:
        return fit();
    default:
        if (!m_gestures->key(*event)) LayeredPlot::keyPressEvent(event);
    }
}

QString MatrixCanvas::tooltipAt(const QPointF &position) const
{
    const Place place = placeAt(position);
    if (place.row < 0) return {};
    const Graph &graph = m_document->model()->graph();
    const OpId op = m_scene.columns[static_cast<std::size_t>(place.column)];
    const auto sample = static_cast<std::size_t>(m_scene.sampleOfRow[static_cast<std::size_t>(place.row)]);
    const QString text =
        QStringLiteral("<b>%1</b><br>%2<br>").arg(m_labels.op(graph, op).toHtmlEscaped(), stateText(place));
    return text +
           tr("Slot %1: %2").arg(countText(place.row), m_labels.op(graph, m_timeline->op[sample]).toHtmlEscaped());
}

} // namespace remat::studio
