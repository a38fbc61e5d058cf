#include "app/studio/views/curve/curve_view.h"

#include "app/studio/base/widgets/empty_state.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace remat::studio {

namespace {

constexpr int kRoomForCard = 760; ///< narrower, the card makes room for the plot

} // namespace

CurveView::CurveView(Document *document, BoundRunner *bound, SweepRunner *sweeps, QThreadPool &pool, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_bound(bound),
      m_references(new ReferencePlans(*document, pool, this)),
      m_strip(new SweepStrip(sweeps, this)),
      m_canvas(new CurveCanvas(document, bound, this)),
      m_more(new MoreMemory(this)),
      m_table(new CurveTable(m_canvas, this)),
      m_empty(new EmptyState(this))
{
    setObjectName(QStringLiteral("curveView"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_canvas, 1);
    row->addWidget(m_more);
    m_more->setFixedWidth(m_more->sizeHint().width());
    column->addWidget(m_strip);
    column->addLayout(row, 1);
    setFocusProxy(m_canvas);
    m_empty->say(QStringLiteral("chart-spline"), tr("Open a model to see what memory costs."), tr("Open…"));
    connect(m_empty, &EmptyState::clicked, this, &CurveView::openRequested);
    m_canvas->setReferences(m_references);
    connect(sweeps, &SweepRunner::reportChanged, m_canvas,
            [this, sweeps] { m_canvas->setMisses(sweeps->report().misses); });
    connect(m_canvas, &CurveCanvas::sceneChanged, this, &CurveView::takeScene);
    takeScene();
}

void CurveView::takeScene()
{
    const bool empty = m_canvas->scene().empty();
    m_empty->setVisible(empty);
    m_strip->setUsable(!empty);
    m_more->setScene(m_canvas->scene());
    if (!isVisible()) return;
    m_bound->want();
    m_references->want();
}

void CurveView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_bound->want();
    m_references->want();
}

void CurveView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_more->setVisible(width() >= kRoomForCard);
    const QSize size = m_empty->sizeHint();
    m_empty->setGeometry((width() - size.width()) / 2, (height() - size.height()) / 2, size.width(), size.height());
}

} // namespace remat::studio
