// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/shared/time_plot.h"

#include "app/studio/base/style/theme.h"
#include "app/studio/work/document/time_window.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

namespace remat::studio {

TimePlot::TimePlot(Document *document, QWidget *parent)
    : LayeredPlot(parent), m_document(document), m_gestures(new TimeGestures(document, this, [this] { return area(); }))
{
    connect(document, &Document::modelChanged, this, &TimePlot::takeData);
    connect(document, &Document::currentPlanChanged, this, &TimePlot::takeData);
    connect(&document->time(), &TimeWindow::viewChanged, this, &TimePlot::takeAxis);
    connect(&Theme::instance(), &Theme::changed, this, &TimePlot::refresh);
    const auto repaint = qOverload<>(&QWidget::update);
    connect(document, &Document::selectionChanged, this, repaint);
    connect(document, &Document::hoverChanged, this, repaint);
    connect(document, &Document::cursorChanged, this, repaint);
    connect(document, &Document::budgetChanged, this, repaint);
    connect(&document->time(), &TimeWindow::rangeChanged, this, repaint);
    connect(m_gestures, &TimeGestures::clicked, this, [this](const QPointF &position) {
        const Selection found = selectionAt(position);
        if (!found.op && found.storage)
            m_document->selectStorage(found.storage);
        else if (found.op)
            m_document->selectOp(found.op);
        else
            m_document->clearSelection();
    });
}

void TimePlot::takeData()
{
    m_stale = true;
    refresh();
    if (isVisible()) ensure();
    Q_EMIT sceneChanged();
}

void TimePlot::takeAxis()
{
    if (m_kind != m_document->time().kind()) {
        m_kind = m_document->time().kind();
        m_stale = true;
        Q_EMIT sceneChanged();
    }
    refresh();
}

void TimePlot::ensure() const
{
    if (!m_stale) return;
    m_stale = false;
    rebuild();
}

void TimePlot::fit()
{
    m_document->time().fit();
}

double TimePlot::cursorBottom(QSizeF size) const
{
    return areaAt(size).plot.bottom();
}

void TimePlot::paintOverlay(QPainter &painter, QSizeF size, double ratio) const
{
    if (!m_document->model()) return;
    const TimeArea area = areaAt(size);
    const TimeWindow &time = m_document->time();
    const QRectF box(area.plot.topLeft(), QPointF(area.plot.right(), cursorBottom(size)));
    painter.setRenderHint(QPainter::Antialiasing);
    if (time.range()) paintRange(painter, box, area.x, *time.range(), ratio);
    paintMarks(painter, size, ratio);
    if (m_document->cursorUs() >= 0)
        paintTimeCursor(painter, box, area.x, time.axes().plan.ofTime(m_document->cursorUs()), ratio);
    paintBrush(painter, area, time.view());
}

void TimePlot::paintFocus(QPainter &painter) const
{
    if (!m_document->model()) return;
    painter.setPen(QPen(Theme::instance().color(Token::Focus), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area().plot.adjusted(-1, -1, 1, 1));
}

void TimePlot::showEvent(QShowEvent *event)
{
    LayeredPlot::showEvent(event);
    ensure();
    Q_EMIT sceneChanged();
}

void TimePlot::mousePressEvent(QMouseEvent *event)
{
    m_gestures->press(*event);
}

void TimePlot::mouseMoveEvent(QMouseEvent *event)
{
    if (m_gestures->move(*event)) return;
    const TimeGestures::Part part = m_gestures->partAt(event->position());
    setCursor(TimeGestures::shape(part));
    if (part != TimeGestures::Part::Plot) {
        m_document->setHover({});
        return;
    }
    if (cursorFollowsMouse()) m_gestures->hover(event->position());
    m_document->setHover(selectionAt(event->position()));
}

void TimePlot::mouseReleaseEvent(QMouseEvent *event)
{
    m_gestures->release(*event);
}

void TimePlot::mouseDoubleClickEvent(QMouseEvent *event)
{
    m_gestures->doubleClick(*event);
}

void TimePlot::wheelEvent(QWheelEvent *event)
{
    event->setAccepted(m_gestures->wheel(*event));
}

void TimePlot::leaveEvent(QEvent *)
{
    if (cursorFollowsMouse()) m_document->setCursor(-1);
    m_document->setHover({});
}

void TimePlot::keyPressEvent(QKeyEvent *event)
{
    if (!m_gestures->key(*event)) LayeredPlot::keyPressEvent(event);
}

QString TimePlot::tooltipAt(const QPointF &position) const
{
    if (m_gestures->active()) return {};
    const TimeGestures::Part part = m_gestures->partAt(position);
    return part == TimeGestures::Part::Plot ? markTooltip(position) : TimeGestures::tooltip(part);
}

} // namespace remat::studio
