#include "app/studio/plots/time_view.h"

#include "app/studio/memory_view/empty_state.h"
#include "app/studio/panels/message_strip.h"

#include <QVBoxLayout>

namespace remat::studio {

TimeView::TimeView(Document *document, TimePlot *plot, const QString &icon, const QString &purpose)
    : m_document(document),
      m_plot(plot),
      m_header(new TimeHeader(document->time(), this)),
      m_strip(new MessageStrip(this)),
      m_empty(new EmptyState(this)),
      m_icon(icon),
      m_purpose(purpose)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(plot, 1);
    m_header->hide();
    setFocusProxy(plot);
    m_strip->raise();
    m_empty->raise();
    connect(plot, &TimePlot::sceneChanged, this, [this] {
        if (isVisible()) takeScene();
    });
    connect(m_empty, &EmptyState::clicked, this, [this] {
        if (m_document->model())
            Q_EMIT solveRequested();
        else
            Q_EMIT openRequested();
    });
}

void TimeView::takeScene()
{
    const auto plan = m_document->currentPlan();
    if (!m_document->model())
        m_empty->say(m_icon, m_purpose, tr("Open…"));
    else if (!plan)
        m_empty->say(m_icon, tr("No plan yet. Drag the budget or press Solve."), tr("Solve"));
    m_empty->setVisible(!plan);
    say(plan && plan->proof == Proof::Failed ? plan->proofSentence : QString());
    place();
}

void TimeView::say(const QString &sentence)
{
    if (sentence == m_said) return;
    m_said = sentence;
    if (sentence.isEmpty()) {
        m_strip->clear();
        return;
    }
    Notice notice;
    notice.sentence = sentence;
    m_strip->say(notice);
}

void TimeView::place()
{
    m_strip->setGeometry(0, 0, width(), m_strip->height());
    const QSize size = m_empty->sizeHint();
    m_empty->setGeometry((width() - size.width()) / 2, (height() - size.height()) / 2 - 16, size.width(),
                         size.height());
}

void TimeView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    place();
}

} // namespace remat::studio
