// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/curve/curve_canvas.h"

#include "app/studio/base/style/plain_tooltip.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/views/curve/curve_painter.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace remat::studio {

namespace {

constexpr double kGrab = 6;

} // namespace

CurveCanvas::CurveCanvas(Document *document, BoundRunner *bound, QWidget *parent)
    : PlotCanvas(parent), m_document(document), m_bound(bound)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Time overhead over peak memory of all plans"));
    for (const auto signal :
         {&Document::modelChanged, &Document::budgetChanged, &Document::plansChanged, &Document::currentPlanChanged})
        connect(m_document, signal, this, &CurveCanvas::take);
    connect(m_document, &Document::budgetDragChanged, this, &CurveCanvas::take);
    connect(m_bound, &BoundRunner::pointsChanged, this, &CurveCanvas::take);
    take();
}

void CurveCanvas::setDevices(std::vector<std::pair<QString, std::int64_t>> devices, const TrainingCard &card)
{
    m_devices = std::move(devices);
    m_card = &card;
    connect(m_card, &TrainingCard::changed, this, &CurveCanvas::take);
    take();
}

void CurveCanvas::setReferences(ReferencePlans *references)
{
    m_references = references;
    connect(references, &ReferencePlans::plansChanged, this, &CurveCanvas::take);
    take();
}

void CurveCanvas::setChunks(ChunkOutlook *chunks)
{
    m_chunks = chunks;
    connect(chunks, &ChunkOutlook::changed, this, &CurveCanvas::take);
    take();
}

void CurveCanvas::setMisses(std::vector<SweepMiss> misses)
{
    if (misses == m_scene.misses) return;
    m_scene.misses = std::move(misses);
    update();
}

void CurveCanvas::take()
{
    CurveScene scene;
    scene.misses = std::move(m_scene.misses);
    if (m_document->draggingBudget()) scene.heldOverhead = std::max(m_scene.heldOverhead, largestOverhead(m_scene));
    if (const auto model = m_document->model()) {
        scene.points = curvePoints(*m_document);
        if (m_references) scene.references = referencePoints(m_references->plans(), scene.points, model->keepAllTimeUs);
        scene.bound = liftedBy(*m_document, m_bound->points());
        if (m_card) scene.devices = roomOn(m_devices, [this](std::int64_t memory) { return m_card->leftOn(memory); });
        scene.keepAllPeakBytes = model->keepAllPeakBytes;
        scene.floorBytes = model->floor.bytes;
        if (m_chunks) scene.leastInChunksBytes = m_chunks->leastBytes();
        scene.budgetBytes = m_document->budgetBytes();
        if (const auto current = m_document->currentPlan()) scene.currentPlan = current->id;
    }
    m_scene = std::move(scene);
    if (!m_scene.find(m_marked)) m_marked = 0;
    update();
    Q_EMIT sceneChanged();
}

void CurveCanvas::paintPlot(QPainter &painter, const QSizeF &size, double) const
{
    if (m_scene.empty())
        painter.fillRect(QRectF(QPointF(), size), Theme::instance().color(Token::Plot));
    else
        paintCurve(painter, m_scene, layOutCurve(m_scene, size), {m_hovered, m_marked});
}

bool CurveCanvas::onBudgetLine(const QPointF &at) const
{
    const CurveLayout layout = layoutNow();
    return !m_scene.empty() && layout.plot.adjusted(-kGrab, 0, kGrab, 0).contains(at) &&
           std::abs(layout.x.pixel(static_cast<double>(m_scene.budgetBytes)) - at.x()) <= kGrab;
}

void CurveCanvas::hover(const QPointF &at)
{
    const CurvePoint *point = m_scene.empty() ? nullptr : pointAt(m_scene, layoutNow(), at);
    const int hovered = point ? point->planId : 0;
    if (point)
        setCursor(Qt::PointingHandCursor);
    else if (onBudgetLine(at))
        setCursor(Qt::SizeHorCursor);
    else
        unsetCursor();
    if (hovered == m_hovered) return;
    m_hovered = hovered;
    update();
}

void CurveCanvas::dragTo(const QPointF &at)
{
    const double bytes = layoutNow().x.value(at.x());
    const double all = static_cast<double>(m_scene.keepAllPeakBytes);
    m_document->moveBudget(static_cast<std::int64_t>(std::clamp(bytes, 1.0, all)));
}

void CurveCanvas::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || m_scene.empty()) return;
    if (const CurvePoint *point = pointAt(m_scene, layoutNow(), event->position())) {
        load(point->planId);
    } else if (onBudgetLine(event->position())) {
        m_dragging = true;
        m_document->beginBudgetDrag();
    }
}

void CurveCanvas::mouseMoveEvent(QMouseEvent *event)
{
    if (m_dragging)
        dragTo(event->position());
    else
        hover(event->position());
}

void CurveCanvas::mouseReleaseEvent(QMouseEvent *event)
{
    if (!m_dragging || event->button() != Qt::LeftButton) return;
    m_dragging = false;
    m_document->endBudgetDrag();
    hover(event->position());
}

void CurveCanvas::leaveEvent(QEvent *)
{
    if (m_hovered == 0) return;
    m_hovered = 0;
    update();
}

void CurveCanvas::load(int planId)
{
    if (planId > 0)
        m_document->loadPlan(planId);
    else if (m_references)
        m_references->load(static_cast<std::size_t>(-1 - planId));
}

void CurveCanvas::keyPressEvent(QKeyEvent *event)
{
    std::vector<const CurvePoint *> points = pointsByPeak(m_scene);
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && m_marked != 0) {
        load(std::exchange(m_marked, 0));
        update();
        return;
    }
    const bool upright = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
    const bool back = event->key() == Qt::Key_Left || event->key() == Qt::Key_Down;
    const bool arrow = upright || back || event->key() == Qt::Key_Right;
    if (!arrow || points.empty() || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))) {
        PlotCanvas::keyPressEvent(event);
        return;
    }
    if (upright)
        std::stable_sort(points.begin(), points.end(),
                         [](const CurvePoint *a, const CurvePoint *b) { return a->overhead < b->overhead; });
    const int from = m_marked != 0 ? m_marked : m_scene.currentPlan;
    const auto place =
        std::find_if(points.begin(), points.end(), [from](const CurvePoint *point) { return point->planId == from; });
    auto next = place == points.end() ? std::ptrdiff_t(back ? points.size() : -1) : place - points.begin();
    next = std::clamp<std::ptrdiff_t>(next + (back ? -1 : 1), 0, std::ptrdiff_t(points.size()) - 1);
    mark(*points[static_cast<std::size_t>(next)]);
}

void CurveCanvas::mark(const CurvePoint &point)
{
    m_marked = point.planId;
    const QString text = tooltip(point);
    setAccessibleDescription(text);
    const QPoint at = layoutNow().place(point.peakBytes, point.overhead).toPoint();
    QToolTip::showText(mapToGlobal(at + QPoint(8, 8)), plainTooltip(text + QLatin1Char('\n') + tr("Enter loads it.")),
                       this);
    update();
}

void CurveCanvas::focusOutEvent(QFocusEvent *event)
{
    PlotCanvas::focusOutEvent(event);
    m_marked = 0;
    update();
}

QString CurveCanvas::tooltip(const CurvePoint &point) const
{
    QString text = point.title;
    text += QLatin1Char('\n') +
            tr("Peak %1, %2 of keep-all")
                .arg(memoryText(point.peakBytes), memoryShareText(static_cast<double>(point.peakBytes) /
                                                                  static_cast<double>(m_scene.keepAllPeakBytes)));
    text += QLatin1Char('\n') + tr("Overhead %1").arg(shareText(point.overhead));
    if (point.measuredPeakBytes)
        text += QLatin1Char('\n') + tr("Measured peak %1").arg(memoryText(*point.measuredPeakBytes));
    if (point.measuredOverhead)
        text += QLatin1Char('\n') + tr("Measured overhead %1").arg(shareText(*point.measuredOverhead));
    if (point.planId < 0) text += QLatin1Char('\n') + tr("For reference; it is not in the list of plans.");
    if (point.dominated) text += QLatin1Char('\n') + tr("The same planner has a better plan.");
    return text;
}

QString CurveCanvas::tooltipAt(const QPointF &at) const
{
    if (m_scene.empty()) return {};
    const CurveLayout layout = layoutNow();
    if (const CurvePoint *point = pointAt(m_scene, layout, at)) return tooltip(*point);
    QStringList misses;
    for (const SweepMiss &miss : m_scene.misses)
        if (missMark(layout, miss.budgetBytes).adjusted(-3, -3, 3, 3).contains(at))
            misses << tr("%1 found no plan within %2.").arg(miss.planner, memoryText(miss.budgetBytes));
    return misses.join(QLatin1Char('\n'));
}

} // namespace remat::studio
