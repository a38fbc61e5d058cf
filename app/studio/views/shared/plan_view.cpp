#include "app/studio/views/shared/plan_view.h"

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/empty_state.h"
#include "app/studio/base/widgets/message_strip.h"

#include <QVBoxLayout>

namespace remat::studio {

PlanView::PlanView(Document *document, PlotCanvas *plot, const QString &icon, const QString &purpose)
    : m_document(document),
      m_strip(new MessageStrip(this)),
      m_empty(new EmptyState(this)),
      m_icon(icon),
      m_purpose(purpose)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(plot, 1);
    setFocusProxy(plot);
    m_strip->raise();
    m_empty->raise();
    connect(plot, &PlotCanvas::sceneChanged, this, [this] {
        if (isVisible()) takeScene();
    });
    connect(m_empty, &EmptyState::clicked, this, [this] {
        if (m_document->model())
            Q_EMIT solveRequested();
        else
            Q_EMIT openRequested();
    });
}

void PlanView::takeScene()
{
    const auto plan = m_document->currentPlan();
    if (!m_document->model())
        m_empty->say(m_icon, m_purpose, tr("Open…"));
    else if (!plan)
        m_empty->say(m_icon, tr("No plan yet. Drag the budget or press Solve."), tr("Solve"));
    m_empty->setVisible(!plan);
    const PlanVerdict verdict = plan ? verdictOf(*plan, 0) : PlanVerdict();
    const QString wrong = verdict.level == VerdictLevel::Failed ? toQString(verdict.sentence) : QString();
    if (wrong != m_said) {
        m_said = wrong;
        Notice notice;
        notice.sentence = wrong;
        wrong.isEmpty() ? m_strip->clear() : m_strip->say(notice);
    }
    place();
}

void PlanView::place()
{
    m_strip->setGeometry(0, 0, width(), m_strip->height());
    const QSize size = m_empty->sizeHint();
    m_empty->setGeometry((width() - size.width()) / 2, (height() - size.height()) / 2 - 16, size.width(),
                         size.height());
}

void PlanView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    place();
}

} // namespace remat::studio
