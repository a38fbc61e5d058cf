#include "app/studio/curve_view/curve_canvas.h"

#include "app/studio/curve_view/curve_painter.h"
#include "app/studio/document/text.h"
#include "app/studio/style/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

constexpr double kGrab = 6;

std::int64_t residentBytes(const Graph &graph)
{
    std::int64_t sum = 0;
    for (std::size_t s = 0; s < graph.storages.size(); ++s)
        if (!graph.planned(StorageId(s))) sum += graph.storages[s].bytes;
    return sum;
}

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
    connect(m_bound, &BoundRunner::pointsChanged, this, &CurveCanvas::take);
    take();
}

void CurveCanvas::setDevices(std::vector<std::pair<QString, std::int64_t>> devices)
{
    m_devices = std::move(devices);
    take();
}

void CurveCanvas::setChosenPlanner(const std::string &planner)
{
    m_scene.chosenPlanner = planner;
    update();
}

void CurveCanvas::take()
{
    CurveScene scene;
    scene.chosenPlanner = m_scene.chosenPlanner;
    if (const auto model = m_document->model()) {
        scene.points = curvePoints(*m_document);
        scene.bound = m_bound->points();
        scene.devices = roomOn(m_devices, residentBytes(model->graph()));
        scene.keepAllPeakBytes = model->keepAll->peakBytes;
        scene.floorBytes = model->floor.bytes;
        scene.budgetBytes = m_document->budgetBytes();
        if (const auto current = m_document->currentPlan()) scene.currentPlan = current->id;
    }
    m_scene = std::move(scene);
    update();
    Q_EMIT sceneChanged();
}

void CurveCanvas::paintPlot(QPainter &painter, const QSizeF &size, double) const
{
    if (m_scene.empty())
        painter.fillRect(QRectF(QPointF(), size), Theme::instance().color(Token::Plot));
    else
        paintCurve(painter, m_scene, layOutCurve(m_scene, size), m_hovered);
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
    m_document->setBudget(static_cast<std::int64_t>(std::clamp(bytes, 1.0, all)));
    Q_EMIT budgetDragged(m_document->budgetBytes());
}

void CurveCanvas::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || m_scene.empty()) return;
    if (const CurvePoint *point = pointAt(m_scene, layoutNow(), event->position())) {
        m_document->setCurrentPlan(point->planId);
    } else if (onBudgetLine(event->position())) {
        m_dragging = true;
        Q_EMIT budgetDragStarted();
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
    Q_EMIT budgetDragFinished(m_document->budgetBytes());
    hover(event->position());
}

void CurveCanvas::leaveEvent(QEvent *)
{
    if (m_hovered == 0) return;
    m_hovered = 0;
    update();
}

void CurveCanvas::keyPressEvent(QKeyEvent *event)
{
    const bool left = event->key() == Qt::Key_Left, right = event->key() == Qt::Key_Right;
    if ((!left && !right) || m_scene.points.empty()) {
        PlotCanvas::keyPressEvent(event);
        return;
    }
    std::vector<const CurvePoint *> byPeak;
    for (const CurvePoint &point : m_scene.points)
        byPeak.push_back(&point);
    std::stable_sort(byPeak.begin(), byPeak.end(),
                     [](const CurvePoint *a, const CurvePoint *b) { return a->peakBytes < b->peakBytes; });
    const auto current = std::find_if(byPeak.begin(), byPeak.end(),
                                      [&](const CurvePoint *point) { return point->planId == m_scene.currentPlan; });
    auto place = current == byPeak.end() ? std::ptrdiff_t(left ? byPeak.size() : -1) : current - byPeak.begin();
    place = std::clamp<std::ptrdiff_t>(place + (left ? -1 : 1), 0, std::ptrdiff_t(byPeak.size()) - 1);
    m_document->setCurrentPlan(byPeak[static_cast<std::size_t>(place)]->planId);
}

QString CurveCanvas::tooltip(const CurvePoint &point) const
{
    QString text = point.title;
    text += QLatin1Char('\n') +
            tr("Peak %1, %2 of keep-all")
                .arg(bytesText(point.peakBytes, Rounding::Up),
                     shareText(static_cast<double>(point.peakBytes) / static_cast<double>(m_scene.keepAllPeakBytes),
                               Rounding::Up));
    text += QLatin1Char('\n') + tr("Overhead %1").arg(shareText(point.overhead));
    if (point.measuredPeakBytes)
        text += QLatin1Char('\n') + tr("Measured peak %1").arg(bytesText(*point.measuredPeakBytes));
    if (point.measuredOverhead)
        text += QLatin1Char('\n') + tr("Measured overhead %1").arg(shareText(*point.measuredOverhead));
    if (point.dominated) text += QLatin1Char('\n') + tr("The same planner has a better plan.");
    return text;
}

bool CurveCanvas::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const CurvePoint *point = m_scene.empty() ? nullptr : pointAt(m_scene, layoutNow(), help->pos());
        if (point)
            QToolTip::showText(help->globalPos(), tooltip(*point), this);
        else
            QToolTip::hideText();
        return true;
    }
    return PlotCanvas::event(event);
}

} // namespace remat::studio
