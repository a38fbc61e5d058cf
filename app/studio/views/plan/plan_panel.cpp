// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/plan/plan_panel.h"

#include "app/studio/views/plan/batch_box.h"
#include "app/studio/views/plan/budget_box.h"
#include "app/studio/views/plan/card_box.h"
#include "app/studio/views/plan/chunk_line.h"
#include "app/studio/views/plan/cost_box.h"
#include "app/studio/views/plan/figures.h"
#include "app/studio/views/plan/planner_box.h"
#include "app/studio/views/plan/progress_box.h"
#include "app/studio/views/plan/run_on_button.h"
#include "app/studio/views/shared/no_plan.h"
#include "app/studio/views/shared/verdict.h"
#include "app/studio/work/session/session.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kSide = 14;
constexpr int kSolveRow = 32;
constexpr int kStickyPadding = 10;

/// The solve row with a background and a rule above, so that what scrolls below it does not shine through.
class SolveRow : public QWidget
{
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), Theme::instance().color(Token::Panel));
        if (property("sticky").toBool()) painter.fillRect(0, 0, width(), 1, Theme::instance().color(Token::Line));
    }
};

QString keyOf(const QAction *action)
{
    return action->shortcut().toString(QKeySequence::NativeText);
}

} // namespace

PlanPanel::PlanPanel(Session &session, const PlanActions &actions, QWidget *parent)
    : QScrollArea(parent), m_document(&session.document), m_solver(&session.solver), m_runner(&session.runner)
{
    setObjectName(QStringLiteral("planPanel"));
    setAccessibleName(tr("Plan"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setWidget(makeContent(session, actions));
    makeSolveRow(actions);
    widget()->installEventFilter(this);

    connect(m_document, &Document::modelChanged, this, &PlanPanel::showPlan);
    connect(m_document, &Document::currentPlanChanged, this, &PlanPanel::showPlan);
    connect(m_document, &Document::budgetChanged, this, &PlanPanel::showPlan);
    connect(m_document, &Document::boundsChanged, this, &PlanPanel::showPlan);
    connect(m_runner, &PlanRunner::progressChanged, this, &PlanPanel::showPlan);
    connect(&Theme::instance(), &Theme::changed, this, [this] { m_solveRow->update(); });
    showPlan();
}

QWidget *PlanPanel::makeContent(Session &session, const PlanActions &actions)
{
    auto *content = new QWidget(this);
    content->setObjectName(QStringLiteral("planPanelContent"));
    content->setProperty("surface", QStringLiteral("panel"));
    // Fields of 26 in rows of 30: many options have to fit.
    content->setStyleSheet(QStringLiteral("QSpinBox, QDoubleSpinBox { min-height: 24px; }"));
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(kSide, 10, kSide, 14);
    column->setSpacing(7);

    column->addWidget(new CardBox(m_document, &session.loader, &session.card, &session.pool, content));
    column->addWidget(new TokenLabel(tr("Budget"), FontRole::Name, Token::Text2, content));
    m_budget = new BudgetBox(m_document, &session.chunks, content);
    column->addWidget(m_budget);
    auto *chunks = new ChunkLine(m_document, &session.chunks, content);
    column->addWidget(chunks);
    column->addWidget(new BatchBox(session, content));
    column->addWidget(new TokenLabel(tr("Planner"), FontRole::Name, Token::Text2, content));
    m_planner = new PlannerBox(content);
    column->addWidget(m_planner);
    auto *costs = new CostBox(m_document, &session.loader, content);
    column->addWidget(costs);
    m_decisions = new QVBoxLayout;
    column->addLayout(m_decisions);
    m_solvePlace = new QWidget(content);
    m_solvePlace->setFixedHeight(kSolveRow);
    column->addWidget(m_solvePlace);
    column->addWidget(new Rule(content));
    auto *progress = new ProgressBox(m_solver, content);
    connect(progress, &ProgressBox::failed, this, [this, progress] {
        // Once it has its place: why there is no plan must not stand below the edge.
        QTimer::singleShot(0, progress, [this, progress] { ensureWidgetVisible(progress, 0, kSolveRow); });
    });
    progress->setObjectName(QStringLiteral("progressBox"));
    column->addWidget(progress);
    m_figures = new Figures(content);
    connect(m_figures, &Figures::cutChosen, m_document, &Document::selectOp);
    column->addWidget(m_figures);
    m_verdict = new VerdictBox(content);
    m_verdict->setObjectName(QStringLiteral("verdictBox"));
    column->addWidget(m_verdict);
    m_explain = new QVBoxLayout;
    column->addLayout(m_explain);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    m_validate = new StudioButton(tr("Validate"), QStringLiteral("shield-check"), ButtonKind::Plain, content);
    m_validate->setObjectName(QStringLiteral("validateButton"));
    m_validate->followAction(actions.validate);
    auto *device = new RunOnButton(m_runner, content);
    auto *save = new StudioButton(tr("Save…"), QStringLiteral("save"), ButtonKind::Plain, content);
    save->setObjectName(QStringLiteral("savePlanButton"));
    save->setAccessibleName(tr("Save plan…"));
    save->followAction(actions.save);
    row->addWidget(m_validate, 1);
    row->addWidget(device);
    row->addWidget(save, 1);
    column->addLayout(row);
    auto *train = new StudioButton(tr("Train with this…"), QStringLiteral("file-code"), ButtonKind::Plain, content);
    train->setObjectName(QStringLiteral("trainButton"));
    train->followAction(actions.train);
    column->addWidget(train);
    column->addStretch(1);

    connect(costs, &CostBox::profileWanted, this, &PlanPanel::profileWanted);
    connect(chunks, &ChunkLine::chunksWanted, this, [this, solve = actions.solve] {
        m_planner->chunkBox()->setChoice(ChunkBox::Choice::Automatic);
        solve->trigger();
    });
    connect(chunks, &ChunkLine::wholeWanted, &session.loader,
            [loader = &session.loader] { loader->openInChunks(Chunking()); });
    connect(m_planner->chunkBox(), &ChunkBox::chunksWanted, &session.loader,
            qOverload<const QString &>(&ModelLoader::openInChunks));
    connect(progress, &ProgressBox::floorWanted, this, [this] {
        if (const auto model = m_document->model()) m_document->moveBudget(model->floor.bytes);
    });
    return content;
}

void PlanPanel::makeSolveRow(const PlanActions &actions)
{
    m_solveRow = new SolveRow(viewport());
    auto *row = new QHBoxLayout(m_solveRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_solve = new StudioButton(tr("Solve"), QStringLiteral("play"), ButtonKind::Primary, m_solveRow);
    m_solve->setObjectName(QStringLiteral("solveButton"));
    m_solve->setKeyText(keyOf(actions.solve));
    m_solve->followAction(actions.solve);
    connect(m_solver, &SolveRunner::reportChanged, this, [this] {
        // While one runs, a further one waits for it.
        const bool queues = m_solver->running();
        m_solve->setText(queues ? tr("Queue") : tr("Solve"));
        m_solve->setIconName(queues ? QStringLiteral("plus") : QStringLiteral("play"));
    });
    auto *stop = new StudioButton(tr("Stop"), QStringLiteral("square"), ButtonKind::Plain, m_solveRow);
    stop->setObjectName(QStringLiteral("stopButton"));
    stop->setFixedWidth(std::max(96, stop->sizeHint().width())); // longer in other languages
    stop->followAction(actions.stop);
    row->addWidget(m_solve, 1);
    row->addWidget(stop);
    m_solveRow->show();
}

SolveSettings PlanPanel::settings() const
{
    return m_planner->settings();
}

void PlanPanel::setPlanner(const std::string &name)
{
    m_planner->setPlanner(name);
}

void PlanPanel::focusBudget()
{
    verticalScrollBar()->setValue(0);
    m_budget->focusField();
}

void PlanPanel::addSection(Section section, QWidget *widget)
{
    (section == Section::Decisions ? m_decisions : m_explain)->addWidget(widget);
}

void PlanPanel::showPlan()
{
    const auto model = m_document->model();
    const auto entry = m_document->currentPlan();
    m_verdict->setVisible(entry != nullptr);
    if (!model || !entry) return m_figures->setNone(noPlanText(*m_document));
    m_figures->setPlan(*m_document, *entry);
    const bool running = m_runner->validatingId() == entry->id;
    m_verdict->setLook(verdictLook(*m_document, *entry, running ? m_runner->activity() : QString()));
}

void PlanPanel::placeSolveRow()
{
    if (!m_solveRow) return;
    const QPoint place = m_solvePlace->mapTo(viewport(), QPoint(0, 0));
    const int lowest = viewport()->height() - kSolveRow - kStickyPadding;
    const bool sticky = place.y() > lowest;
    m_solveRow->setProperty("sticky", sticky);
    m_solveRow->layout()->setContentsMargins(sticky ? place.x() : 0, sticky ? kStickyPadding : 0,
                                             sticky ? viewport()->width() - place.x() - m_solvePlace->width() : 0,
                                             sticky ? kStickyPadding : 0);
    if (sticky)
        m_solveRow->setGeometry(0, viewport()->height() - kSolveRow - 2 * kStickyPadding, viewport()->width(),
                                kSolveRow + 2 * kStickyPadding);
    else
        m_solveRow->setGeometry(place.x(), place.y(), m_solvePlace->width(), kSolveRow);
    m_solveRow->raise();
    m_solveRow->update();
}

void PlanPanel::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    // A scroll bar takes its room from the margin, so that nothing moves when it comes and goes.
    const int taken = width() - viewport()->width();
    widget()->layout()->setContentsMargins(kSide, 10, std::max(kSide - taken, 4), 14);
    placeSolveRow();
}

void PlanPanel::scrollContentsBy(int dx, int dy)
{
    QScrollArea::scrollContentsBy(dx, dy);
    placeSolveRow();
}

bool PlanPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == widget() && (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize))
        QMetaObject::invokeMethod(this, &PlanPanel::placeSolveRow, Qt::QueuedConnection);
    return QScrollArea::eventFilter(watched, event);
}

} // namespace remat::studio
