// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/curve/curve_view.h"

#include <QHBoxLayout>

namespace remat::studio {

namespace {

constexpr int kRoomForCard = 760; ///< narrower, the card makes room for the plot

} // namespace

CurveView::CurveView(Document *document, BoundRunner *bound, SweepRunner *sweeps, QThreadPool &pool)
    : CurveView(document, bound, sweeps, pool, new CurveCanvas(document, bound))
{
}

CurveView::CurveView(Document *document, BoundRunner *bound, SweepRunner *sweeps, QThreadPool &pool,
                     CurveCanvas *canvas)
    : PlanView(document, canvas, QStringLiteral("chart-spline"), tr("Open a model to see what memory costs.")),
      m_bound(bound),
      m_references(new ReferencePlans(*document, pool, this)),
      m_strip(new SweepStrip(sweeps, this)),
      m_canvas(canvas),
      m_more(new MoreMemory(this)),
      m_table(new CurveTable(m_canvas, this)),
      m_quick(new QuickSteps(*document, pool, this))
{
    setObjectName(QStringLiteral("curveView"));
    auto *row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_canvas, 1);
    row->addWidget(m_more);
    m_more->setFixedWidth(m_more->sizeHint().width());
    column()->addWidget(m_strip);
    column()->addLayout(row, 1);
    m_canvas->setReferences(m_references);
    connect(m_quick, &QuickSteps::changed, this, &CurveView::takeScene);
    connect(sweeps, &SweepRunner::reportChanged, m_canvas,
            [this, sweeps] { m_canvas->setMisses(sweeps->report().misses); });
    takeScene();
}

EmptyText CurveView::emptyText() const
{
    return document()->model() ? EmptyText() : PlanView::emptyText();
}

void CurveView::takeScene()
{
    PlanView::takeScene();
    m_strip->setUsable(!m_canvas->scene().empty());
    CurveScene scene = m_canvas->scene();
    scene.quick = m_quick->overheads();
    m_more->setScene(scene);
    if (!isVisible()) return;
    std::vector<std::int64_t> budgets;
    for (const MemoryStep &step : memorySteps(scene))
        budgets.push_back(step.budgetBytes);
    m_quick->want(budgets);
    m_bound->want();
    m_references->want();
}

void CurveView::showEvent(QShowEvent *event)
{
    PlanView::showEvent(event);
    takeScene();
}

void CurveView::resizeEvent(QResizeEvent *event)
{
    m_more->setVisible(width() >= kRoomForCard);
    PlanView::resizeEvent(event);
}

} // namespace remat::studio
