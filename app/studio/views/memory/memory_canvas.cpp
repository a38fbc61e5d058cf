// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/memory/memory_canvas.h"

#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"

#include <QScreen>

#include <algorithm>
#include <cmath>

namespace remat::studio {

MemoryCanvas::MemoryCanvas(Document *document, QWidget *parent)
    : LayeredPlot(parent),
      m_document(document),
      m_gestures(new TimeGestures(document, this, [this] { return layout().time; }))
{
    setAccessibleName(tr("Memory over time"));
    connect(document, &Document::modelChanged, this, &MemoryCanvas::takeModel);
    connect(document, &Document::currentPlanChanged, this, &MemoryCanvas::takePlan);
    connect(document, &Document::budgetChanged, this, &MemoryCanvas::takeBudget);
    connect(document, &Document::selectionChanged, this, &MemoryCanvas::takeSelection);
    connect(document, &Document::hoverChanged, this, &MemoryCanvas::takeHover);
    connect(document, &Document::cursorChanged, this, &MemoryCanvas::takeCursor);
    connect(&document->time(), &TimeWindow::viewChanged, this, &MemoryCanvas::takeAxis);
    connect(&document->time(), &TimeWindow::rangeChanged, this, &MemoryCanvas::takeCursor);
    connect(m_gestures, &TimeGestures::clicked, this, &MemoryCanvas::click);
    connect(&Theme::instance(), &Theme::changed, this, &MemoryCanvas::changed);
    takeModel();
}

void MemoryCanvas::takeModel()
{
    m_sceneStale = false;
    m_cut = {};
    m_scene.setModel(m_document->model());
    m_scene.setAxisKind(m_document->time().kind());
    m_scene.setPlan(m_document->currentPlan());
    m_scene.setBudget(m_document->budgetBytes());
    m_scene.setSelection(m_document->selection());
    m_scene.setModule(m_document->selectedModule());
    m_scene.setHover(m_document->hover());
    m_scene.setCursorUs(m_document->cursorUs());
    changed();
}

void MemoryCanvas::takePlan()
{
    m_sceneStale = true;
    if (isVisible())
        changed();
    else
        spoilBase();
}

void MemoryCanvas::ensure() const
{
    if (!m_sceneStale) return;
    m_sceneStale = false;
    m_places = std::make_shared<MemoryPlaces>();
    if (m_scene.axisKind() != m_document->time().kind()) m_scene.setAxisKind(m_document->time().kind());
    m_scene.setPlan(m_document->currentPlan());
}

void MemoryCanvas::showEvent(QShowEvent *event)
{
    LayeredPlot::showEvent(event);
    if (m_sceneStale) changed();
}

void MemoryCanvas::takeBudget()
{
    const bool wasInfeasible = m_scene.infeasible();
    m_scene.setBudget(m_document->budgetBytes());
    if (wasInfeasible != m_scene.infeasible()) spoilBase();
    describe();
    update();
    Q_EMIT readoutChanged();
    Q_EMIT sceneChanged();
}

void MemoryCanvas::takeSelection()
{
    m_scene.setModule(m_document->selectedModule());
    if (m_scene.setSelection(m_document->selection()))
        changed();
    else
        update();
}

void MemoryCanvas::takeHover()
{
    m_scene.setHover(m_document->hover());
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
    refresh();
    ensure();
    m_places = std::make_shared<MemoryPlaces>();
    describe();
    Q_EMIT readoutChanged();
    Q_EMIT sceneChanged();
}

void MemoryCanvas::setGrouping(Grouping grouping, int largest)
{
    if (grouping == m_scene.grouping() && largest == m_scene.largest()) return;
    m_scene.setGrouping(grouping, largest);
    changed();
    Q_EMIT groupingChanged();
}

void MemoryCanvas::openAliveList()
{
    if (!scene().hasModel() || m_scene.timeline().op.empty()) return;
    const MemoryTimeline &line = m_scene.timeline();
    const QRectF marker = peakMarker(look());
    showList(rowsAliveAt(*m_document, line.peakSample),
             tr("Alive at the peak, step %1").arg(countText(line.step[line.peakSample])),
             marker.isEmpty() ? layout().plot.topLeft() : marker.center());
}

void MemoryCanvas::openRestList()
{
    if (!scene().hasPlan()) return;
    showList(rowsWithoutBand(*m_document, m_scene.bands()),
             tr("%1 storages without a band of their own").arg(countText(m_scene.bands().others)),
             layout().plot.topLeft());
}

void MemoryCanvas::showList(std::vector<AliveRow> rows, const QString &title, QPointF at)
{
    auto *list = new AliveList(m_document, std::move(rows), title, this);
    const QRect screen = this->screen()->availableGeometry();
    const QRect wanted(mapToGlobal(at.toPoint() + QPoint(0, -list->height() / 2)), list->size());
    list->move(std::clamp(wanted.x(), screen.left(), std::max(screen.left(), screen.right() - wanted.width())),
               std::clamp(wanted.y(), screen.top(), std::max(screen.top(), screen.bottom() - wanted.height())));
    list->show();
}

void MemoryCanvas::takeAxis()
{
    if (m_scene.axisKind() != m_document->time().kind()) m_sceneStale = true;
    spoilBase();
    if (isVisible()) changed();
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
    if (pinned == m_peakPinned) return;
    m_peakPinned = pinned;
    update();
    Q_EMIT peakPinnedChanged();
}

void MemoryCanvas::showCut(const CutSums &cut)
{
    m_cut = cut;
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
                         static_cast<double>(std::max<std::int64_t>(m_scene.wholeBytes(), 1));
    setAccessibleDescription(tr("Peak %1 at step %2. Budget %3, %4 of keep-all. Up and Down move the budget by 1 %, "
                                "with Shift by 0.1 %; Home sets the smallest, End 100 %. Left and Right step.")
                                 .arg(memoryText(line.peakBytes),
                                      line.op.empty() ? dash() : countText(line.step[line.peakSample]),
                                      memoryText(m_scene.budgetBytes()), memoryShareText(share)));
}

MemoryLook MemoryCanvas::lookAt(const QSizeF &size, double devicePixelRatio) const
{
    ensure();
    MemoryLook look{m_scene, viewport(), MemoryLayout::make(m_scene, viewport(), size), devicePixelRatio};
    look.dragging = m_dragging;
    look.hovered = m_hovered == Part::Budget;
    look.focused = focusIsShown();
    look.coveredTop = m_coveredTop;
    look.hoveredRow = m_hoveredRow;
    look.range = m_document->time().range();
    look.cut = m_cut;
    const MemoryPlaces now{.size = size,
                           .devicePixelRatio = devicePixelRatio,
                           .fromUnit = look.view.from,
                           .toUnit = look.view.to,
                           .topBytes = look.layout.y.toValue,
                           .coveredTop = m_coveredTop,
                           .cursorUs = m_scene.cursorUs()};
    if (!m_places->isFor(now)) m_places = std::make_shared<MemoryPlaces>(now);
    look.places = m_places;
    // What a lesson draws has its words where the popover would stand.
    look.peakOpen = m_hovered == Part::Peak || (m_peakPinned && m_scene.hasModel() && !m_cut.cut);
    return look;
}

void MemoryCanvas::paintBase(QPainter &painter, QSizeF size, double ratio) const
{
    paintMemoryBase(painter, lookAt(size, ratio));
}

void MemoryCanvas::paintOverlay(QPainter &painter, QSizeF size, double ratio) const
{
    paintMemoryOverlay(painter, lookAt(size, ratio));
}

void MemoryCanvas::resizeEvent(QResizeEvent *event)
{
    LayeredPlot::resizeEvent(event);
    Q_EMIT resized();
}

} // namespace remat::studio
