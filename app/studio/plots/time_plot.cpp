#include "app/studio/plots/time_plot.h"

#include "app/studio/document/time_window.h"
#include "app/studio/style/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEngine>
#include <QToolTip>
#include <QWheelEvent>

namespace remat::studio {

TimePlot::TimePlot(Document *document, QWidget *parent)
    : PlotCanvas(parent), m_document(document), m_gestures(new TimeGestures(document, this, [this] { return area(); }))
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
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

void TimePlot::refresh()
{
    m_baseStale = true;
    update();
}

void TimePlot::fit()
{
    m_document->time().fit();
}

double TimePlot::cursorBottom(QSizeF size) const
{
    return areaAt(size).plot.bottom();
}

void TimePlot::paintPlot(QPainter &painter, const QSizeF &size, double devicePixelRatio) const
{
    ensure();
    paintBase(painter, size, devicePixelRatio);
    paintMoving(painter, size, devicePixelRatio);
}

void TimePlot::paintMoving(QPainter &painter, QSizeF size, double ratio) const
{
    if (!m_document->model()) return;
    const TimeArea area = areaAt(size);
    const TimeWindow &time = m_document->time();
    const QRectF box(area.plot.topLeft(), QPointF(area.plot.right(), cursorBottom(size)));
    painter.setRenderHint(QPainter::Antialiasing);
    if (time.range()) paintRange(painter, box, area.x, *time.range(), ratio);
    paintOverlay(painter, size, ratio);
    if (m_document->cursorUs() >= 0)
        paintTimeCursor(painter, box, area.x, time.axes().plan.ofTime(m_document->cursorUs()), ratio);
    if (!area.minimap.isEmpty()) paintBrush(painter, area, time.view());
}

void TimePlot::paintEvent(QPaintEvent *)
{
    ensure();
    QPainter painter(this);
    // A widget rendered onto a picture paints at the picture's ratio, not at its screen's.
    const QPaintDevice *target = painter.paintEngine()->paintDevice();
    const double ratio = target ? target->devicePixelRatioF() : devicePixelRatioF();
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (m_baseStale || m_base.size() != pixels) {
        m_base = QPixmap(pixels);
        m_base.setDevicePixelRatio(ratio);
        QPainter basePainter(&m_base);
        paintBase(basePainter, size(), ratio);
        m_baseStale = false;
    }
    painter.drawPixmap(0, 0, m_base);
    paintMoving(painter, size(), ratio);
    if (!m_focusShown || !m_document->model()) return;
    painter.setPen(QPen(Theme::instance().color(Token::Focus), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area().plot.adjusted(-1, -1, 1, 1));
}

void TimePlot::showEvent(QShowEvent *event)
{
    PlotCanvas::showEvent(event);
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
    if (!m_gestures->key(*event)) PlotCanvas::keyPressEvent(event);
}

void TimePlot::focusInEvent(QFocusEvent *event)
{
    m_focusShown = shownFocus(*event);
    update();
}

void TimePlot::focusOutEvent(QFocusEvent *)
{
    m_focusShown = false;
    update();
}

bool TimePlot::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip) return PlotCanvas::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const TimeGestures::Part part = m_gestures->partAt(help->pos());
    QString text;
    if (!m_gestures->active())
        text = part == TimeGestures::Part::Plot ? tooltipAt(help->pos()) : TimeGestures::tooltip(part);
    text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, this);
    return true;
}

} // namespace remat::studio
