// SPDX-License-Identifier: Apache-2.0
// What the window's commands do, which of them can be used, and what jobs and views tell the window.
#include "app/studio/shell/start_page/start_page.h"
#include "app/studio/shell/window/activity.h"
#include "app/studio/shell/window/main_window.h"
#include "app/studio/shell/window/page_tabs.h"
#include "app/studio/shell/window/window_sessions.h"
#include "app/studio/shell/workspace/status_line.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/work/pages/model_pages.h"
#include "app/studio/work/session/last_session.h"

#include <QApplication>

namespace remat::studio {

void MainWindow::wireCommands()
{
    const auto on = [this](QLatin1String id, auto work) {
        connect(m_commands->action(id), &QAction::triggered, this, work);
    };
    on(command::kOpen, [this] { chooseModel(); });
    on(command::kReopenClosed, [this] { reopenClosed(); });
    on(command::kNextModel, [this] { m_pages->showNext(1); });
    on(command::kPreviousModel, [this] { m_pages->showNext(-1); });
    on(command::kCloseModel, [this] { closeModel(); });
    on(command::kReopenLast, [this] { openFile(lastSessionPath()); });
    on(command::kSavePlan, [this] { choosePlanFile(); });
    on(command::kStartPage, [this] { m_workspace->shown() ? showStartPage() : showWorkspace(); });
    on(command::kSaveSession, [this] { m_sessions->chooseFile(); });
    on(command::kNewWindow, [this] { openAnother(this); });
    on(command::kCloseWindow, [this] { close(); });
    on(command::kQuit, [] { QApplication::closeAllWindows(); });
    on(command::kEditBudget, [this] {
        m_workspace->showPlanPanel();
        m_workspace->planPanel()->focusBudget();
    });
    on(command::kGoToFloor, [this] {
        if (const auto model = m_session->document.model()) setBudget(model->floor.bytes);
    });
    on(command::kRemovePlan, [this] {
        if (const auto plan = m_session->document.currentPlan()) m_session->document.removePlan(plan->id);
    });
    on(command::kSolve, [this] { solve(); });
    on(command::kStop, [this] { stop(); });
    on(command::kValidate, [this] { m_session->runner.validate(); });
    on(command::kMeasure, [this] { m_session->loader.measure(); });
    on(command::kSweep, [this] { sweep(); });
    on(command::kFit, [this] {
        auto *plot = qobject_cast<PlotCanvas *>(QApplication::focusWidget());
        plot ? plot->fit() : m_workspace->graph()->frame();
    });
    on(command::kNextPanel, [this] { m_workspace->focusNext(1); });
    on(command::kPreviousPanel, [this] { m_workspace->focusNext(-1); });
    on(command::kResetLayout, [this] { m_workspace->reset(); });
    on(command::kKeys, [this] { showKeys(); });
    on(command::kTracer, [this] { showTracer(); });
    on(command::kAbout, [this] { showAbout(); });
}

void MainWindow::wireJobs()
{
    Session &session = *m_session;
    connect(&session.loader, &ModelLoader::opened, m_connections, [this](const QString &path) { modelOpened(path); });
    connect(&session.loader, &ModelLoader::failed, m_connections, [this](const Notice &notice) { say(notice); });
    connect(&session.loader, &ModelLoader::failed, m_connections, [this] { afterOpening({}, false); });
    connect(&session.loader, &ModelLoader::progressChanged, m_connections, [this] { showActivity(); });
    connect(&session.solver, &SolveRunner::reportChanged, m_connections, [this] { showActivity(); });
    connect(&session.solver, &SolveRunner::planWanted, &session.document,
            [document = &session.document](int planId) { document->setCurrentPlan(planId); });
    connect(&session.runner, &PlanRunner::progressChanged, m_connections, [this] { showActivity(); });
    connect(&session.sweeps, &SweepRunner::reportChanged, m_connections, [this] { showActivity(); });
    // The sweep may have found better than what is shown.
    connect(&session.sweeps, &SweepRunner::ended, &session.quick, &QuickPlanner::refresh);
    connect(&session.runner, &PlanRunner::progressChanged, m_connections, [this] { showDocument(); });
    connect(&session.runner, &PlanRunner::failed, m_connections, [this](const Notice &notice) { say(notice); });
    connect(&session.runner, &PlanRunner::saved, m_connections,
            [this](const QString &path, const ModelWork *work, int planId) {
                m_pages->noteSaved(work, planId);
                if (work != m_session->document.work().get()) return;
                say(Notice::news(tr("The plan is in %1.").arg(path)));
                showDocument();
            });
    connect(&session.previews, &SamplePreviews::ready, m_startPage, &StartPage::setPreview);
    // What was being computed is about the model before.
    connect(&session.document, &Document::modelChanged, m_connections, [this] {
        m_session->quick.cancel();
        if (!m_pages->holds(m_session->runner.validatingModel())) m_session->runner.stopValidation();
        dropStaleMessage();
        showDocument();
        showActivity();
    });
    connect(&session.document, &Document::currentPlanChanged, m_connections, [this] {
        showDocument();
        showActivity();
    });
    for (const auto signal : {&Document::budgetChanged, &Document::boundsChanged}) // the verdict is under both
        connect(&session.document, signal, m_connections, [this] { showDocument(); });
    connect(m_workspace->graph(), &GraphView::layoutProgress, this, [this](const QString &text) {
        m_layoutText = text;
        showActivity();
    });
}

void MainWindow::wireViews()
{
    connect(m_workspace->planPanel(), &PlanPanel::profileWanted, this, &MainWindow::chooseProfile);
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
    const auto enable = [this](QLatin1String id, bool on) { m_commands->action(id)->setEnabled(on); };
    const bool runnable = hasModel && session.document.model()->open->asRead().program.has_value();
    const bool hasLast = lastSession().has_value();
    enable(command::kReopenLast, hasLast);
    enable(command::kReopenClosed, m_pages->canReopen() || hasLast);
    for (const QLatin1String id : {command::kNextModel, command::kPreviousModel})
        enable(id, m_pages->tabs().size() > 1 || !m_workspace->shown());
    m_pageTabs->setInFront(m_workspace->shown());
    enable(command::kSavePlan, hasPlan && !session.runner.saving());
    enable(command::kSaveSession, hasModel);
    enable(command::kStartPage, session.document.model() != nullptr);
    enable(command::kSolve, hasModel);
    enable(command::kSweep, hasModel && !session.sweeps.running());
    enable(command::kStop, report.state == SolveReport::State::Running || session.sweeps.running() ||
                               session.runner.validating() || session.loader.running() || !m_layoutText.isEmpty());
    enable(command::kValidate, hasPlan && runnable && !session.runner.validating());
    enable(command::kMeasure, runnable && !session.loader.running());
    enable(command::kRemovePlan, hasPlan);
    for (const QLatin1String id :
         {command::kEditBudget, command::kGoToFloor, command::kFit, command::kLeftPanel, command::kMemoryPanel,
          command::kPlanPanel, command::kNextPanel, command::kPreviousPanel, command::kResetLayout})
        enable(id, hasModel);
    for (QAction *action : m_workspace->viewActions())
        action->setEnabled(hasModel);
}

} // namespace remat::studio
