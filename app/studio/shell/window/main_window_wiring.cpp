// What the window's commands do, which of them can be used, and what jobs and views tell the window.
#include "app/studio/shell/start_page/start_page.h"
#include "app/studio/shell/window/activity.h"
#include "app/studio/shell/window/main_window.h"
#include "app/studio/shell/window/page_tabs.h"
#include "app/studio/shell/workspace/status_line.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/work/pages/model_pages.h"
#include "app/studio/work/session_file/last_session.h"

#include <QApplication>

namespace remat::studio {

void MainWindow::wireCommands()
{
    const auto on = [this](Command command, auto work) {
        connect(m_commands->action(command), &QAction::triggered, this, work);
    };
    on(Command::Open, [this] { chooseModel(); });
    on(Command::ReopenClosed, [this] { reopenClosed(); });
    on(Command::NextModel, [this] { m_pages->showNext(1); });
    on(Command::PreviousModel, [this] { m_pages->showNext(-1); });
    on(Command::CloseModel, [this] { closeModel(); });
    on(Command::ReopenLast, [this] { openFile(lastSessionPath()); });
    on(Command::SavePlan, [this] { choosePlanFile(); });
    on(Command::StartPage, [this] { m_workspace->shown() ? showStartPage() : showWorkspace(); });
    on(Command::SaveSession, [this] { chooseSessionFile(); });
    on(Command::NewWindow, [this] { openAnother(this); });
    on(Command::CloseWindow, [this] { close(); });
    on(Command::Quit, [] { QApplication::closeAllWindows(); });
    on(Command::EditBudget, [this] {
        m_commands->action(Command::PlanPanel)->isChecked() ? void()
                                                            : m_commands->action(Command::PlanPanel)->trigger();
        m_workspace->planPanel()->focusBudget();
    });
    on(Command::GoToFloor, [this] {
        if (const auto model = m_session->document.model()) setBudget(model->floor.bytes);
    });
    on(Command::RemovePlan, [this] {
        if (const auto plan = m_session->document.currentPlan()) m_session->document.removePlan(plan->id);
    });
    on(Command::Solve, [this] { solve(); });
    on(Command::Stop, [this] { stop(); });
    on(Command::Validate, [this] { m_session->runner.validate(); });
    on(Command::Measure, [this] { m_session->loader.measure(); });
    on(Command::Sweep, [this] { sweep(); });
    on(Command::ShowGraph, [this] { m_workspace->showView(QStringLiteral("graph")); });
    on(Command::ShowCurve, [this] { m_workspace->showView(QStringLiteral("curve")); });
    on(Command::Fit, [this] {
        auto *plot = qobject_cast<PlotCanvas *>(QApplication::focusWidget());
        plot ? plot->fit() : m_workspace->graph()->frame();
    });
    on(Command::NextPanel, [this] { m_workspace->focusNext(1); });
    on(Command::PreviousPanel, [this] { m_workspace->focusNext(-1); });
    on(Command::ResetLayout, [this] { m_workspace->reset(); });
    on(Command::Keys, [this] { showKeys(); });
    on(Command::Tracer, [this] { showTracer(); });
}

void MainWindow::wireJobs()
{
    Session &session = *m_session;
    connect(&session.loader, &ModelLoader::opened, this, &MainWindow::modelOpened);
    connect(&session.loader, &ModelLoader::failed, this, &MainWindow::say);
    connect(&session.loader, &ModelLoader::failed, this, [this] { afterOpening({}, false); });
    connect(&session.loader, &ModelLoader::progressChanged, this, &MainWindow::showActivity);
    connect(&session.solver, &SolveRunner::reportChanged, this, &MainWindow::showActivity);
    connect(&session.solver, &SolveRunner::planWanted, &session.document, &Document::setCurrentPlan);
    connect(&session.runner, &PlanRunner::progressChanged, this, &MainWindow::showActivity);
    connect(&session.sweeps, &SweepRunner::reportChanged, this, &MainWindow::showActivity);
    // The sweep may have found better than what is shown.
    connect(&session.sweeps, &SweepRunner::ended, &session.quick, &QuickPlanner::refresh);
    connect(&session.runner, &PlanRunner::progressChanged, this, &MainWindow::showDocument);
    connect(&session.runner, &PlanRunner::failed, this, &MainWindow::say);
    connect(&session.runner, &PlanRunner::saved, this, [this](const QString &path, int planId) {
        m_pages->saved().insert(planId);
        Notice notice;
        notice.isError = false;
        notice.sentence = tr("The plan is in %1.").arg(path);
        say(notice);
        showDocument();
    });
    connect(&session.previews, &SamplePreviews::ready, m_startPage, &StartPage::setPreview);
    // What was being computed is about the model before.
    connect(&session.document, &Document::modelChanged, this, [this] {
        m_session->quick.cancel();
        m_session->solver.reset();
        if (!m_pages->holds(m_session->runner.validatingModel())) m_session->runner.stopValidation();
        showDocument();
        showActivity();
    });
    connect(&session.document, &Document::currentPlanChanged, this, [this] {
        showDocument();
        showActivity();
    });
    connect(&session.document, &Document::budgetChanged, this, &MainWindow::showDocument); // the verdict is under it
    connect(m_workspace->graph(), &GraphView::layoutProgress, this, [this](const QString &text) {
        m_layoutText = text;
        showActivity();
    });
    connect(m_workspace->graph(), &GraphView::openRequested, m_commands->action(Command::Open), &QAction::trigger);
}

void MainWindow::wireViews()
{
    connect(m_workspace->planPanel(), &PlanPanel::profileWanted, this, &MainWindow::chooseProfile);
    MemoryView *memory = m_workspace->memory();
    connect(m_workspace->curve(), &CurveView::openRequested, m_commands->action(Command::Open), &QAction::trigger);
    connect(memory, &MemoryView::openRequested, m_commands->action(Command::Open), &QAction::trigger);
    connect(memory, &MemoryView::solveRequested, m_commands->action(Command::Solve), &QAction::trigger);
}

void MainWindow::showActivity()
{
    const Session &session = *m_session;
    const SolveReport &report = session.solver.report();
    const ActivityText activity = activityOf(session, m_layoutText);
    m_status->setActivity(activity);
    m_activityBar->setActivity(activity);

    const bool hasModel = session.document.model() != nullptr && m_workspace->shown();
    const bool hasPlan = hasModel && session.document.currentPlan() != nullptr;
    const auto enable = [this](Command command, bool on) { m_commands->action(command)->setEnabled(on); };
    const bool runnable = hasModel && session.document.model()->open->model->program.has_value();
    const bool hasLast = lastSession().has_value();
    enable(Command::ReopenLast, hasLast);
    enable(Command::ReopenClosed, m_pages->canReopen() || hasLast);
    for (const Command command : {Command::NextModel, Command::PreviousModel})
        enable(command, m_pages->tabs().size() > 1 || !m_workspace->shown());
    m_pageTabs->setInFront(m_workspace->shown());
    enable(Command::SavePlan, hasPlan && !session.runner.saving());
    enable(Command::SaveSession, hasModel);
    enable(Command::StartPage, session.document.model() != nullptr);
    enable(Command::Solve, hasModel);
    enable(Command::Sweep, hasModel && !session.sweeps.running());
    enable(Command::Stop, report.state == SolveReport::State::Running || session.sweeps.running() ||
                              session.runner.validating() || session.loader.running() || !m_layoutText.isEmpty());
    enable(Command::Validate, hasPlan && runnable && !session.runner.validating());
    enable(Command::Measure, runnable && !session.loader.running());
    enable(Command::RemovePlan, hasPlan);
    for (const Command command : {Command::EditBudget, Command::GoToFloor, Command::ShowGraph, Command::ShowCurve,
                                  Command::Fit, Command::LeftPanel, Command::MemoryPanel, Command::PlanPanel,
                                  Command::NextPanel, Command::PreviousPanel, Command::ResetLayout})
        enable(command, hasModel);
}

} // namespace remat::studio
