// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/memory/memory_view.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/op_labels.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/message_strip.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QMenu>

namespace remat::studio {

namespace {

/// No plan can keep the budget.
bool tooSmall(const Document &document)
{
    const auto model = document.model();
    return model && document.budgetBytes() < model->floor.bytes;
}

} // namespace

MemoryView::MemoryView(Document *document) : MemoryView(document, new MemoryCanvas(document)) {}

MemoryView::MemoryView(Document *document, MemoryCanvas *canvas)
    : PlanView(document, canvas, QStringLiteral("chart-area"), tr("Open a model to see its memory over time.")),
      m_header(new MemoryHeader(this)),
      m_canvas(canvas),
      m_table(new TimelineTable(document, this))
{
    column()->insertWidget(0, m_header);
    column()->insertWidget(1, m_header->legendLine());
    m_header->ruler()->follow(document->time());
    setTabOrder(m_header->more(), m_canvas);
    fillMenu();
    strip()->installEventFilter(this);

    connect(m_header->axisChoice(), &SegmentedControl::currentChanged, m_canvas,
            [this](int index) { m_canvas->setAxisKind(index == 0 ? AxisKind::Time : AxisKind::Steps); });
    connect(&document->time(), &TimeWindow::viewChanged, this,
            [this] { m_header->axisChoice()->setCurrent(this->document()->time().kind() == AxisKind::Time ? 0 : 1); });
    connect(m_header->groupingChoice(), &SegmentedControl::currentChanged, m_canvas, [this](int index) {
        m_canvas->setGrouping(index == 1 ? Grouping::Storage : Grouping::Category, m_header->detail()->value());
    });
    connect(m_header->detail(), &QSlider::valueChanged, m_canvas,
            [this](int value) { m_canvas->setGrouping(m_canvas->scene().grouping(), value); });
    connect(m_canvas, &MemoryCanvas::groupingChanged, this, [this] {
        m_header->setGrouping(m_canvas->scene().grouping() == Grouping::Storage, m_canvas->scene().largest());
    });
    connect(m_canvas, &MemoryCanvas::resized, this, &MemoryView::takeReadout);
    connect(m_canvas, &MemoryCanvas::readoutChanged, this, &MemoryView::takeReadout);
    takeScene();
}

MemoryHeader *MemoryView::takeHeader()
{
    layout()->removeWidget(m_header);
    m_header->setTitleShown(false);
    return m_header;
}

void MemoryView::fillMenu()
{
    auto *menu = new QMenu(m_header->more());
    menu->addAction(tr("Show all\tF"), m_canvas, &MemoryCanvas::fit);
    QAction *peak = menu->addAction(tr("What makes the peak\tP"));
    peak->setCheckable(true);
    connect(menu, &QMenu::aboutToShow, peak, [this, peak] { peak->setChecked(m_canvas->peakPinned()); });
    connect(peak, &QAction::triggered, m_canvas, &MemoryCanvas::setPeakPinned);
    menu->addAction(tr("Everything alive at the peak\tShift+P"), m_canvas, &MemoryCanvas::openAliveList);
    QAction *storages = menu->addAction(tr("Bands of single storages\tG"));
    storages->setCheckable(true);
    connect(menu, &QMenu::aboutToShow, storages,
            [this, storages] { storages->setChecked(m_canvas->scene().grouping() == Grouping::Storage); });
    connect(storages, &QAction::triggered, m_canvas, [this](bool on) {
        m_canvas->setGrouping(on ? Grouping::Storage : Grouping::Category, m_canvas->scene().largest());
    });
    menu->addAction(tr("Copy as picture"), this,
                    [this] { QApplication::clipboard()->setImage(m_canvas->picture(m_canvas->size(), 2)); });
    m_header->more()->setMenu(menu);
}

void MemoryView::takeScene()
{
    m_header->setLegend(m_canvas->scene().legend(), !m_canvas->scene().measuredBytes().empty());
    takeReadout();
    PlanView::takeScene();
}

EmptyText MemoryView::emptyText() const
{
    // Where no plan can fit, the strip above says so and has the way out.
    return tooSmall(*document()) ? EmptyText() : PlanView::emptyText();
}

Notice MemoryView::trouble() const
{
    if (!tooSmall(*document())) return {};
    const auto model = document()->model();
    const PeakBound &floor = model->floor;
    const QString budget = memoryText(document()->budgetBytes(), floor.bytes);
    Notice notice;
    notice.sentence =
        floor.op ? tr("No plan fits %1: op %2 alone needs %3.")
                       .arg(budget, OpLabels(model->graph()).op(model->graph(), floor.op), memoryText(floor.bytes))
                 : tr("No plan fits %1: the results alone need %2.").arg(budget, memoryText(floor.bytes));
    notice.actionText = tr("Set the smallest budget");
    notice.action = [this] { m_canvas->goToFloor(); };
    return notice;
}

void MemoryView::takeReadout()
{
    const MemoryScene &scene = m_canvas->scene();
    m_header->setReadout(scene.hasModel() ? readoutOf(scene, document()->time().range()) : Readout(),
                         scene.hasModel() && m_canvas->layout().narrow);
}

void MemoryView::showEvent(QShowEvent *event)
{
    PlanView::showEvent(event);
    takeScene();
}

bool MemoryView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == strip() && (event->type() == QEvent::Show || event->type() == QEvent::Hide))
        m_canvas->setCoveredTop(event->type() == QEvent::Show ? strip()->height() : 0);
    return PlanView::eventFilter(watched, event);
}

} // namespace remat::studio
