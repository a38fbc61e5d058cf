// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/compare/compare_canvas.h"

#include "app/studio/base/plots/gesture_steps.h"
#include "app/studio/base/style/letters.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace remat::studio {

CompareCanvas::CompareCanvas(Document *document, QWidget *parent) : LayeredPlot(parent), m_document(document)
{
    setObjectName(QStringLiteral("compareCanvas"));
    setAccessibleName(tr("Memory over time of the compared plans"));
    connect(document, &Document::cursorChanged, this, [this] {
        m_scene.cursorUs = m_document->cursorUs();
        update();
        Q_EMIT cursorMoved();
    });
    connect(document, &Document::selectionChanged, this, [this] {
        m_scene.selection = m_document->selection();
        update();
    });
    connect(&document->time(), &TimeWindow::viewChanged, this, &CompareCanvas::refresh);
    connect(&document->time(), &TimeWindow::rangeChanged, this, qOverload<>(&QWidget::update));
    connect(&Theme::instance(), &Theme::changed, this, &CompareCanvas::refresh);
}

void CompareCanvas::setScene(CompareScene scene)
{
    m_scene = std::move(scene);
    describe();
    refresh();
}

CompareLayout CompareCanvas::layout() const
{
    return CompareLayout::make(m_scene, m_document->time().view(), size());
}

CompareLook CompareCanvas::lookAt(const QSizeF &size, double devicePixelRatio) const
{
    const Viewport &view = m_document->time().view();
    return {m_scene, view, CompareLayout::make(m_scene, view, size), devicePixelRatio};
}

void CompareCanvas::paintBase(QPainter &painter, QSizeF size, double ratio) const
{
    paintCompareBase(painter, lookAt(size, ratio));
}

void CompareCanvas::paintOverlay(QPainter &painter, QSizeF size, double ratio) const
{
    paintCompareOverlay(painter, lookAt(size, ratio), m_document->time().range());
}

void CompareCanvas::describe()
{
    if (!m_scene.ready()) {
        setAccessibleDescription(tr("No two plans are compared."));
        return;
    }
    QStringList parts;
    for (std::size_t i = 0; i < m_scene.plans.size(); ++i)
        parts << tr("%1: %2, peak %3, %4")
                     .arg(letterOf(static_cast<int>(i)), toQString(m_scene.plans[i].plan->title),
                          memoryText(m_scene.plans[i].timeline().peakBytes),
                          timeText(m_scene.plans[i].timeline().timeUs));
    setAccessibleDescription(parts.join(QStringLiteral("; ")) +
                             tr(". Left and Right step, W and S zoom, A and D move, F shows all."));
}

void CompareCanvas::moveCursor(const QPointF &at)
{
    if (!m_scene.ready()) return;
    const double position = layout().x.value(at.x());
    const QRectF plot = layout().plot;
    const bool inside = at.x() >= plot.left() && at.x() <= plot.right() && position <= m_scene.axis.length();
    m_document->setCursor(inside ? m_scene.axis.toTime(position) : -1);
}

void CompareCanvas::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
    m_dragging = true;
    m_moved = false;
    m_pressed = event->position();
    m_lastX = m_pressed.x();
}

void CompareCanvas::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF at = event->position();
    if (!m_dragging) {
        moveCursor(at);
        return;
    }
    if ((at - m_pressed).manhattanLength() >= kClickSlack) m_moved = true;
    if (!m_moved) return;
    const Scale x = layout().x;
    m_document->time().pan(x.value(m_lastX) - x.value(at.x()));
    m_lastX = at.x();
}

void CompareCanvas::mouseReleaseEvent(QMouseEvent *event)
{
    const bool click = m_dragging && !m_moved && event->button() == Qt::LeftButton;
    m_dragging = false;
    if (!click || !m_scene.ready()) return;
    const double position = layout().x.value(event->position().x());
    if (position < 0 || position > m_scene.axis.length())
        m_document->clearSelection();
    else
        m_document->selectOp(m_scene.plans.front().timeline().op[m_scene.axis.sampleAt(position)]);
}

void CompareCanvas::mouseDoubleClickEvent(QMouseEvent *)
{
    m_document->time().fit();
}

void CompareCanvas::wheelEvent(QWheelEvent *event)
{
    const WheelTurn turn(*event);
    TimeWindow &time = m_document->time();
    if (turn.pans)
        time.pan(turn.pan() * time.view().width());
    else
        time.zoom(layout().x.value(event->position().x()), turn.zoom());
    event->accept();
}

void CompareCanvas::leaveEvent(QEvent *)
{
    m_document->setCursor(-1);
}

void CompareCanvas::stepCursor(int by)
{
    const SampleAxis &axis = m_scene.axis;
    const bool there = m_scene.cursorUs >= 0;
    const auto from = static_cast<std::int64_t>(there ? axis.sampleAt(axis.ofTime(m_scene.cursorUs))
                                                      : m_scene.plans.front().timeline().peakSample);
    const std::int64_t last = static_cast<std::int64_t>(axis.count()) - 1;
    const auto to = static_cast<std::size_t>(std::clamp<std::int64_t>(there ? from + by : from, 0, last));
    const double middle = (axis.edges()[to] + axis.edges()[to + 1]) / 2;
    m_document->time().reveal(middle);
    m_document->setCursor(axis.toTime(middle));
}

void CompareCanvas::keyPressEvent(QKeyEvent *event)
{
    if (!m_scene.ready() || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))) {
        LayeredPlot::keyPressEvent(event);
        return;
    }
    TimeWindow &time = m_document->time();
    const Viewport &view = time.view();
    const double center = m_scene.cursorUs >= 0 ? m_scene.axis.ofTime(m_scene.cursorUs) : (view.from + view.to) / 2;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Comma:
        stepCursor(-1);
        return;
    case Qt::Key_Right:
    case Qt::Key_Period:
        stepCursor(1);
        return;
    case Qt::Key_W:
        time.zoom(center, kZoomStep);
        return;
    case Qt::Key_S:
        time.zoom(center, 1 / kZoomStep);
        return;
    case Qt::Key_A:
        time.pan(-kPanStep * view.width());
        return;
    case Qt::Key_D:
        time.pan(kPanStep * view.width());
        return;
    case Qt::Key_F:
        time.fit();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_scene.cursorUs >= 0)
            m_document->selectOp(
                m_scene.plans.front().timeline().op[m_scene.axis.sampleAt(m_scene.axis.ofTime(m_scene.cursorUs))]);
        return;
    default:
        LayeredPlot::keyPressEvent(event);
        return;
    }
}

QString CompareCanvas::tooltipAt(const QPointF &at) const
{
    if (!m_scene.ready()) return {};
    const CompareLayout now = layout();
    const double position = now.x.value(at.x());
    const bool inside = at.y() >= now.plot.top() && at.y() <= now.strip.bottom() && at.x() >= now.plot.left() &&
                        at.x() <= now.plot.right();
    if (!inside) return {};
    const QString row = QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td></tr>");
    QString text = QStringLiteral("<table>");
    for (std::size_t i = 0; i < m_scene.plans.size(); ++i)
        text += row.arg(letterOf(static_cast<int>(i)) + QLatin1Char(' ') +
                            toQString(m_scene.plans[i].plan->title).toHtmlEscaped(),
                        exactBytesText(m_scene.heldAt(i, position)));
    return text + QStringLiteral("</table>");
}

bool CompareCanvas::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        // Here these keys move the overlay, whatever they mean to the window.
        const auto *key = static_cast<QKeyEvent *>(event);
        const QList<int> own = {Qt::Key_W, Qt::Key_A, Qt::Key_S, Qt::Key_D, Qt::Key_F};
        if (key->modifiers() == Qt::NoModifier && own.contains(key->key())) {
            event->accept();
            return true;
        }
    }
    return LayeredPlot::event(event);
}

} // namespace remat::studio
