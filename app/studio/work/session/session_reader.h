// SPDX-License-Identifier: Apache-2.0
// From a session file to everything a window shows: model, costs, plans. Worker threads.
#pragma once

#include "app/studio/work/jobs/solve_job.h"
#include "core/io/session_json.h"
#include "core/model/open_model.h"

#include <QString>

namespace remat::studio {

/// A model of a session with all that it refers to, ready to be shown.
struct OpenedModel {
    SessionModel file;
    QString modelPath;
    std::shared_ptr<const CostedModel> model;
    CostChoice costs;
    std::vector<std::shared_ptr<const PlanEntry>> plans;
    Pins pins;
    std::vector<SolveRecord> solves;
    Selection selection;
};

/// Why a model of a session does not open.
struct SessionProblem {
    QString sentence;
    bool wantsModel = false; ///< the model is gone or another one by now: choosing its file helps
};

/// Opens the model (or the one at `modelPath`, when that is not empty), replays and checks every plan. `sessionPath` is
/// where the session was read from. Ends early, with whatever problem, once `stop` asks for it.
tl::expected<OpenedModel, SessionProblem> readSessionModel(const SessionModel &file, const QString &sessionPath,
                                                           const QString &modelPath, const std::vector<Device> &devices,
                                                           const StopToken &stop = {});

/// How the names of session files end. Earlier versions wrote the second, which opens like the first.
constexpr QLatin1String kSessionEnding(".remat"), kOldSessionEnding(".rematsession");
/// Patterns of both, for folders and dialogs.
QStringList sessionPatterns();

/// The file alone. O(text).
Expected<SessionFile> readSessionFile(const QString &path);

} // namespace remat::studio
