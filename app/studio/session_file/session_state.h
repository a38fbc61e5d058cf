// From a window to a session file: what is written is taken at once on the GUI thread and made into text elsewhere.
#pragma once

#include "app/studio/jobs/model_files.h"
#include "core/io/session_json.h"

#include <QJsonObject>

#include <map>
#include <mutex>

namespace remat::studio {

struct Session;

/// Everything a session file says. Immutable; holds only shared pointers and small data, so taking one costs
/// microseconds.
struct SessionState {
    SessionFile file; ///< without the texts of plans and profile
    std::shared_ptr<const CostedModel> model;
    std::shared_ptr<const Profile> profile;
    std::vector<std::shared_ptr<const PlanEntry>> plans;
};

/// GUI thread. `window` is what the window keeps of its docks and size. Only when a model is open.
SessionState captureSession(Session &session, const QJsonObject &window);

/// The text of each plan, made once. Any thread.
class PlanTexts
{
public:
    std::shared_ptr<const std::string> of(const std::shared_ptr<const PlanEntry> &entry, const Graph &graph);
    /// Forgets plans that are in no list any more.
    void keepOnly(const std::vector<std::shared_ptr<const PlanEntry>> &plans);

private:
    struct Text {
        std::weak_ptr<const Plan> plan; ///< tells a plan from a later one at the same address
        std::shared_ptr<const std::string> text;
    };
    std::mutex m_mutex;
    std::map<const Plan *, Text> m_texts;
};

/// Writes atomically. Any thread; O(text).
Expected<void> writeSession(SessionState state, PlanTexts &texts, const QString &path);

} // namespace remat::studio
