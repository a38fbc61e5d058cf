#include "app/studio/matrix_view/matrix_view.h"

#include "app/studio/document/text.h"
#include "app/studio/memory_view/empty_state.h"
#include "app/studio/panels/message_strip.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace remat::studio {

MatrixView::MatrixView(Document *document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_canvas(new MatrixCanvas(document, this)),
      m_table(new MatrixTable(m_canvas, this)),
      m_header(new QWidget(this)),
      m_summary(new TokenLabel({}, FontRole::Label, Token::Text2, m_header)),
      m_columns(new SegmentedControl({tr("All ops"), tr("Forward")}, m_header)),
      m_strip(new MessageStrip(this)),
      m_empty(new EmptyState(this))
{
    auto *row = new QHBoxLayout(m_header);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(8);
    row->addWidget(m_summary, 1);
    row->addWidget(m_columns);
    m_columns->setToolTip(tr("Which ops are columns"));
    m_columns->setAccessibleName(tr("Which ops are columns"));
    m_header->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_canvas, 1);
    setFocusProxy(m_canvas);
    m_strip->raise();
    m_empty->raise();
    connect(m_columns, &SegmentedControl::currentChanged, this, [this](int index) {
        m_canvas->setForwardOnly(index == 1);
        Q_EMIT columnsChanged();
    });
    connect(m_canvas, &MatrixCanvas::sceneChanged, this, [this] {
        if (isVisible()) takeScene();
    });
    connect(m_empty, &EmptyState::clicked, this, [this] {
        if (m_document->model())
            Q_EMIT solveRequested();
        else
            Q_EMIT openRequested();
    });
}

void MatrixView::takeScene()
{
    const auto plan = m_document->currentPlan();
    if (!m_document->model())
        m_empty->say(QStringLiteral("grid-3x3"), tr("Open a model to see what each stage computes and keeps."),
                     tr("Open…"));
    else if (!plan)
        m_empty->say(QStringLiteral("grid-3x3"), tr("No plan yet. Drag the budget or press Solve."), tr("Solve"));
    m_empty->setVisible(!plan);
    const QString wrong = plan && plan->proof == Proof::Failed ? plan->proofSentence : QString();
    if (wrong != m_said) {
        m_said = wrong;
        Notice notice;
        notice.sentence = wrong;
        wrong.isEmpty() ? m_strip->clear() : m_strip->say(notice);
    }
    const MatrixScene &scene = m_canvas->scene();
    m_summary->setText(m_document->model()
                           ? tr("%1 stages × %2 ops · %3 computed again")
                                 .arg(countText(scene.rows), countText(static_cast<std::int64_t>(scene.columns.size())),
                                      countText(scene.recomputations))
                           : QString());
    m_canvas->setAccessibleDescription(m_summary->text());
    place();
}

void MatrixView::place()
{
    m_strip->setGeometry(0, 0, width(), m_strip->height());
    const QSize size = m_empty->sizeHint();
    m_empty->setGeometry((width() - size.width()) / 2, (height() - size.height()) / 2, size.width(), size.height());
}

void MatrixView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    place();
}

} // namespace remat::studio
