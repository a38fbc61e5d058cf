#include "app/studio/views/memory/memory_view.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/empty_state.h"
#include "app/studio/base/widgets/message_strip.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QVBoxLayout>

namespace remat::studio {

MemoryView::MemoryView(Document *document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_header(new MemoryHeader(this)),
      m_canvas(new MemoryCanvas(document, this)),
      m_table(new TimelineTable(document, this)),
      m_strip(new MessageStrip(this)),
      m_empty(new EmptyState(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_header);
    column->addWidget(m_canvas, 1);
    setFocusProxy(m_canvas);
    m_header->ruler()->follow(document->time());
    setTabOrder(m_header->more(), m_canvas);
    fillMenu();
    m_strip->installEventFilter(this);

    connect(m_header->axisChoice(), &SegmentedControl::currentChanged, m_canvas,
            [this](int index) { m_canvas->setAxisKind(index == 0 ? AxisKind::Time : AxisKind::Steps); });
    connect(&document->time(), &TimeWindow::viewChanged, this,
            [this] { m_header->axisChoice()->setCurrent(m_document->time().kind() == AxisKind::Time ? 0 : 1); });
    connect(m_header->groupingChoice(), &SegmentedControl::currentChanged, m_canvas, [this](int index) {
        m_canvas->setGrouping(index == 1 ? Grouping::Storage : Grouping::Category, m_header->detail()->value());
    });
    connect(m_header->detail(), &QSlider::valueChanged, m_canvas,
            [this](int value) { m_canvas->setGrouping(m_canvas->scene().grouping(), value); });
    connect(m_canvas, &MemoryCanvas::groupingChanged, this, [this] {
        m_header->setGrouping(m_canvas->scene().grouping() == Grouping::Storage, m_canvas->scene().largest());
    });
    connect(m_canvas, &MemoryCanvas::sceneChanged, this, &MemoryView::takeScene);
    connect(m_canvas, &MemoryCanvas::resized, this, &MemoryView::takeReadout);
    connect(m_canvas, &MemoryCanvas::readoutChanged, this, &MemoryView::takeReadout);
    connect(m_empty, &EmptyState::clicked, this, [this] {
        if (m_document->model())
            Q_EMIT solveRequested();
        else
            Q_EMIT openRequested();
    });
    takeScene();
}

MemoryHeader *MemoryView::takeHeader()
{
    layout()->removeWidget(m_header);
    m_header->setTitleShown(false);
    m_headerTaken = true;
    place();
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
    const MemoryScene &scene = m_canvas->scene();
    m_header->setLegend(scene.legend());
    takeReadout();

    if (!scene.hasModel())
        m_empty->say(QStringLiteral("chart-area"), tr("Open a model to see its memory over time."), tr("Open…"));
    else if (!scene.hasPlan())
        m_empty->say(QStringLiteral("chart-area"), tr("No plan yet. Drag the budget or press Solve."), tr("Solve"));
    // Where no plan can fit, the strip above says so and has the way out.
    m_empty->setVisible(!scene.hasPlan() && !scene.infeasible());

    if (scene.infeasible()) {
        const PeakBound &floor = scene.model().floor;
        Notice notice;
        notice.sentence = floor.op
                              ? tr("No plan fits %1: op %2 alone needs %3.")
                                    .arg(bytesText(scene.budgetBytes()), toQString(scene.graph().op(floor.op).name),
                                         bytesText(floor.bytes, Rounding::Up))
                              : tr("No plan fits %1: what the graph hands back alone needs %2.")
                                    .arg(bytesText(scene.budgetBytes()), bytesText(floor.bytes, Rounding::Up));
        notice.actionText = tr("Go to the floor");
        notice.action = [this] { m_canvas->goToFloor(); };
        if (notice.sentence != m_said) m_strip->say(notice);
        m_said = notice.sentence;
    } else {
        m_strip->clear();
        m_said.clear();
    }
    place();
}

void MemoryView::takeReadout()
{
    const MemoryScene &scene = m_canvas->scene();
    m_header->setReadout(scene.hasModel() ? readoutOf(scene, m_document->time().range()) : Readout(),
                         scene.hasModel() && m_canvas->layout().narrow);
}

void MemoryView::place()
{
    // Over the plot and not above it: a plot that shrank while its budget is dragged would run away from the mouse.
    const int top = m_headerTaken ? 0 : m_header->height();
    m_strip->setGeometry(0, top, width(), m_strip->height());
    const QSize size = m_empty->sizeHint();
    m_empty->setGeometry((width() - size.width()) / 2, (height() + top - size.height()) / 2 - 20, size.width(),
                         size.height());
}

bool MemoryView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_strip && (event->type() == QEvent::Show || event->type() == QEvent::Hide))
        m_canvas->setCoveredTop(event->type() == QEvent::Show ? m_strip->height() : 0);
    return QWidget::eventFilter(watched, event);
}

void MemoryView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    place();
}

} // namespace remat::studio
