#include "app/studio/memory_view/memory_canvas.h"

#include "app/studio/document/text.h"
#include "app/studio/style/theme.h"

#include <QPaintEngine>

#include <algorithm>
#include <cmath>

namespace remat::studio {

MemoryCanvas::MemoryCanvas(Document *document, QWidget *parent) : PlotCanvas(parent), m_document(document)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Memory over time"));
    connect(document, &Document::modelChanged, this, &MemoryCanvas::takeModel);
    connect(document, &Document::currentPlanChanged, this, &MemoryCanvas::takePlan);
    connect(document, &Document::budgetChanged, this, &MemoryCanvas::takeBudget);
    connect(document, &Document::selectionChanged, this, &MemoryCanvas::takeSelection);
    connect(document, &Document::cursorChanged, this, &MemoryCanvas::takeCursor);
    connect(&document->time(), &TimeWindow::viewChanged, this, &MemoryCanvas::takeAxis);
    connect(&Theme::instance(), &Theme::changed, this, &MemoryCanvas::changed);
    takeModel();
}

void MemoryCanvas::takeModel()
{
    m_scene.setModel(m_document->model());
    m_scene.setAxisKind(m_document->time().kind());
    m_scene.setPlan(m_document->currentPlan());
    m_scene.setBudget(m_document->budgetBytes());
    m_scene.setSelection(m_document->selection());
    m_scene.setCursorUs(m_document->cursorUs());
    changed();
}

void MemoryCanvas::takePlan()
{
    m_scene.setPlan(m_document->currentPlan());
    changed();
}

void MemoryCanvas::takeBudget()
{
    const bool wasInfeasible = m_scene.infeasible();
    m_scene.setBudget(m_document->budgetBytes());
    if (wasInfeasible != m_scene.infeasible()) m_baseStale = true;
    describe();
    update();
    Q_EMIT readoutChanged();
    Q_EMIT sceneChanged();
}

void MemoryCanvas::takeSelection()
{
    m_scene.setSelection(m_document->selection());
    update();
}

void MemoryCanvas::takeCursor()
{
    m_scene.setCursorUs(m_document->cursorUs());
    update();
    Q_EMIT readoutChanged();
}

void MemoryCanvas::changed()
{
    m_baseStale = true;
    describe();
    update();
    Q_EMIT readoutChanged();
    Q_EMIT sceneChanged();
}

void MemoryCanvas::takeAxis()
{
    if (m_scene.axisKind() != m_document->time().kind()) m_scene.setAxisKind(m_document->time().kind());
    changed();
}

void MemoryCanvas::setAxisKind(AxisKind kind)
{
    m_document->time().setKind(kind);
}

void MemoryCanvas::fit()
{
    m_document->time().fit();
}

void MemoryCanvas::setPeakPinned(bool pinned)
{
    m_peakPinned = pinned;
    update();
}

void MemoryCanvas::setCoveredTop(double height)
{
    m_coveredTop = height;
    update();
}

void MemoryCanvas::describe()
{
    if (!m_scene.hasModel()) {
        setAccessibleDescription(tr("No model is open."));
        return;
    }
    const MemoryTimeline &line = m_scene.timeline();
    const double share = static_cast<double>(m_scene.budgetBytes()) /
                         static_cast<double>(std::max<std::int64_t>(m_scene.keepAll().peakBytes, 1));
    setAccessibleDescription(
        tr("Peak %1 at step %2. Budget %3, %4 of keep-all. Up and Down move the budget by 1 %, with "
           "Shift by 0.1 %; Home goes to the floor, End to 100 %. Left and Right step.")
            .arg(bytesText(line.peakBytes, Rounding::Up),
                 line.op.empty() ? dash() : countText(line.step[line.peakSample]), bytesText(m_scene.budgetBytes()),
                 shareText(share)));
}

MemoryLook MemoryCanvas::lookAt(const QSizeF &size, double devicePixelRatio) const
{
    MemoryLook look{m_scene, viewport(), MemoryLayout::make(m_scene, viewport(), size), devicePixelRatio};
    look.dragging = m_gesture == Gesture::Budget;
    look.hovered = m_hovered == Part::Budget;
    look.focused = m_focusShown;
    look.coveredTop = m_coveredTop;
    look.hoveredRow = m_hoveredRow;
    look.peakOpen = m_hovered == Part::Peak || (m_peakPinned && m_scene.hasModel() && popoverFits(look));
    return look;
}

void MemoryCanvas::paintPlot(QPainter &painter, const QSizeF &size, double devicePixelRatio) const
{
    const MemoryLook look = lookAt(size, devicePixelRatio);
    paintMemoryBase(painter, look);
    paintMemoryOverlay(painter, look);
}

void MemoryCanvas::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    // A widget rendered onto a picture paints at the picture's ratio, not at its screen's.
    const QPaintDevice *target = painter.paintEngine()->paintDevice();
    const MemoryLook current = lookAt(size(), target ? target->devicePixelRatioF() : devicePixelRatioF());
    const QSize pixels = (QSizeF(size()) * current.devicePixelRatio).toSize();
    if (m_baseStale || m_base.size() != pixels) {
        m_base = QPixmap(pixels);
        m_base.setDevicePixelRatio(current.devicePixelRatio);
        QPainter basePainter(&m_base);
        paintMemoryBase(basePainter, current);
        m_baseStale = false;
    }
    painter.drawPixmap(0, 0, m_base);
    paintMemoryOverlay(painter, current);
}

void MemoryCanvas::resizeEvent(QResizeEvent *event)
{
    PlotCanvas::resizeEvent(event);
    Q_EMIT resized();
}

} // namespace remat::studio
