// SPDX-License-Identifier: Apache-2.0
// One open model with all the work on it.
#pragma once

#include "app/studio/work/history/history.h"
#include "app/studio/work/history/view_trail.h"
#include "app/studio/work/jobs/solve_runner.h"
#include "app/studio/work/jobs/sweep_runner.h"
#include "app/studio/work/session/session_reader.h"
#include "app/studio/work/session/session_state.h"

#include <QDateTime>

#include <set>

namespace remat::studio {

/// Owns the work, its solves and its sweep, which the window shows or which go on unseen. Where the model came from,
/// how views stood and what undo takes back are here while another model is shown. One that sleeps is as a session file
/// has it: its model was not opened yet, or could not be. GUI thread only.
struct ModelPage {
    ModelPage(int number, QThreadPool &pool) : id(number), sweep(std::make_shared<WorkSweep>(work, pool)) {}

    int id; ///< unique in the window
    std::shared_ptr<ModelWork> work = std::make_shared<ModelWork>();
    std::shared_ptr<SolveQueue> solves = std::make_shared<SolveQueue>(work);
    std::shared_ptr<WorkSweep> sweep;
    ModelOrigin origin;
    QDateTime fileTime; ///< time of the model's file when it was read
    QJsonObject views;
    std::unique_ptr<History::Past> past;
    std::unique_ptr<ViewTrail::Trail> trail;
    std::set<int> saved;                     ///< plans that are in a file
    bool wantsQuick = false;                 ///< a quick plan was being made
    bool hasNews = false;                    ///< plans came while another model was shown
    std::shared_ptr<const ModelState> state; ///< for the session; none when something changed since it was taken

    bool asleep = false;
    QString sessionPath; ///< where a sleeping one was read from
    QString problem;     ///< why it could not be opened; empty when it was not tried
    bool wantsModel = false;

    QString title() const { return asleep ? QString::fromStdString(state->file.modelTitle) : origin.title; }
};

/// What a tab says of a page.
struct ModelTab {
    int id = 0;
    QString title, path;
    int plans = 0; ///< quick ones apart
    bool working = false, hasNews = false;
    QString problem;
};

/// Puts what a session says of a model, which was opened, into a page. What waited to be solved goes on.
void wakePage(ModelPage &page, OpenedModel opened, SolveRunner &solver);

/// True when there is something on it that opening the file again would not bring: plans, decisions, solves.
bool hasWork(const ModelPage &page);

} // namespace remat::studio
