// SPDX-License-Identifier: Apache-2.0
// From a window to a session file: what is written is taken at once on the GUI thread and made into text elsewhere.
#pragma once

#include "app/studio/work/document/view_states.h"
#include "app/studio/work/jobs/solve_job.h"
#include "core/io/session_json.h"
#include "core/model/open_model.h"

#include <QJsonObject>

#include <map>
#include <mutex>

namespace remat::studio {

/// Everything a session file says of one model. Immutable; holds only shared pointers and small data, so taking one
/// costs microseconds.
struct ModelState {
    SessionModel file;                        ///< without the texts of plans and profile, unless there is no `model`
    std::shared_ptr<const CostedModel> model; ///< none where the file was not opened again: its texts are kept as read
    std::shared_ptr<const Profile> profile;
    std::vector<std::shared_ptr<const PlanEntry>> plans;
};

/// Everything a session file says.
struct SessionState {
    std::vector<std::shared_ptr<const ModelState>> models, closed;
    std::size_t shown = 0; ///< index into `models`
    std::string windowText = "{}";
};

/// Where a model came from and what is kept of it besides its work.
struct ModelOrigin {
    QString path, title;
    CostChoice costs;
};

/// GUI thread. Only of a work that has a model.
std::shared_ptr<const ModelState> captureModel(const ModelWork &work, const ModelOrigin &origin,
                                               const std::vector<SolveRecord> &solves, const QJsonObject &views);

/// The texts of plans and of whole models, made once. Any thread.
class SessionTexts
{
public:
    /// `folder` is where the session goes: it says how to get from there to the model.
    std::shared_ptr<const std::string> of(const std::shared_ptr<const ModelState> &state, const QString &folder);
    /// Forgets what is in no session any more.
    void keepOnly(const SessionState &session);

private:
    /// A text and what it was made of, which tells it from a later one at the same address.
    template <class Source>
    struct Text {
        std::weak_ptr<const Source> source;
        std::shared_ptr<const std::string> text;
    };
    std::shared_ptr<const std::string> ofPlan(const std::shared_ptr<const Plan> &plan, const OpenModel &model);

    std::mutex m_mutex;
    std::map<const Plan *, Text<Plan>> m_plans;
    std::map<std::pair<const ModelState *, QString>, Text<ModelState>> m_models;
};

/// Writes atomically. Any thread; O(text).
Expected<void> writeSession(const SessionState &state, SessionTexts &texts, const QString &path);

} // namespace remat::studio
