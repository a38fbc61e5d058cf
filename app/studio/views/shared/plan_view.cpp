// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/shared/plan_view.h"

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/empty_state.h"
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/views/shared/no_plan.h"

namespace remat::studio {

PlanView::PlanView(Document *document, PlotCanvas *plot, const QString &icon, const QString &purpose)
    : m_document(document),
      m_plot(plot),
      m_column(new QVBoxLayout(this)),
      m_strip(new MessageStrip(this)),
      m_empty(new EmptyState(this)),
      m_icon(icon),
      m_purpose(purpose)
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addWidget(plot, 1);
    setFocusProxy(plot);
    connect(plot, &PlotCanvas::sceneChanged, this, [this] {
        if (isVisible()) takeScene();
    });
    // What is said follows from what the document holds, whether the view is seen or not and whatever the plot knows.
    for (const auto signal : {&Document::modelChanged, &Document::currentPlanChanged, &Document::plansChanged,
                              &Document::budgetChanged, &Document::comparedChanged})
        connect(document, signal, this, &PlanView::showState);
    connect(m_empty, &EmptyState::clicked, this, [this] {
        if (m_document->model())
            Q_EMIT solveRequested();
        else
            Q_EMIT openRequested();
    });
}

EmptyText PlanView::emptyText() const
{
    if (!m_document->model()) return {m_purpose, tr("Open…")};
    if (!m_document->currentPlan()) return {noPlanText(*m_document), noPlanFits(*m_document) ? QString() : tr("Solve")};
    return {};
}

Notice PlanView::trouble() const
{
    Notice notice;
    const auto plan = m_document->currentPlan();
    const PlanVerdict verdict = plan ? verdictOf(*plan, 0) : PlanVerdict();
    if (verdict.level == VerdictLevel::Failed) notice.sentence = toQString(verdict.sentence);
    return notice;
}

void PlanView::showState()
{
    const EmptyText empty = emptyText();
    if (!empty.sentence.isEmpty()) m_empty->say(m_icon, empty.sentence, empty.button);
    m_empty->setVisible(!empty.sentence.isEmpty());
    const Notice wrong = trouble();
    if (wrong.sentence != m_said) {
        m_said = wrong.sentence;
        m_said.isEmpty() ? m_strip->clear() : m_strip->say(wrong);
    }
    place();
}

void PlanView::place()
{
    // Over the plot and not above it: a plot that shrank while its budget is dragged would run away from the mouse.
    const QRect plot(m_plot->mapTo(this, QPoint()), m_plot->size());
    m_strip->setGeometry(plot.left(), plot.top(), plot.width(), m_strip->height());
    const QSize size = m_empty->sizeHint();
    m_empty->setGeometry(plot.left() + (plot.width() - size.width()) / 2,
                         plot.top() + (plot.height() - size.height()) / 2 - 16, size.width(), size.height());
    m_strip->raise();
    m_empty->raise();
}

void PlanView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    place();
}

} // namespace remat::studio
