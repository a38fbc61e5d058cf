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

/// While another model is shown everything of this one is here, and its solves and sweep go on into its document. The
/// page of the model that is shown is empty but for its id. One that sleeps is as a session file has it: its model was
/// not opened yet, or could not be. GUI thread only.
struct ModelPage {
    ModelPage(int number, QThreadPool &pool) : id(number), sweeps(document, pool) {}

    int id; ///< unique in the window
    Document document;
    SolveRunner solver{document};
    SweepRunner sweeps;
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

/// Puts what a session says of a model, which was opened, into a page.
void wakePage(ModelPage &page, OpenedModel opened);

/// True when there is something on it that opening the file again would not bring: plans, decisions, solves.
bool hasWork(const Document &document, const SolveRunner &solver);

} // namespace remat::studio
