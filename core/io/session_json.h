// SPDX-License-Identifier: Apache-2.0
// `remat-session/2`: what a window held, so that it opens again exactly as it was.
//
//     {"format": "remat-session/2", "saved_ms": …, "shown": 0, "window": {…},
//      "models": [MODEL, …],    the open ones, in the order of their tabs; `shown` counts them from 0
//      "closed": [MODEL, …]}    those that were closed and can be brought back, the newest last
//
// A MODEL is what `remat-session/1` held at its top, where a session had one model: `model` (path, title, fingerprint,
// and `chunks`, as in plan files, of a model in chunks),
// `costs`, `budget_bytes`, `plans`, `current_plan`, `compared`, `by_hand`, `solves`, `selection`, `time`, `views`.
// Files of version 1 are read as sessions of one model.
#pragma once

#include "core/base/expected.h"
#include "core/graph/chunking.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace remat {

/// A plan of the list. The plan itself stays text (`remat-plan/1`) until its graph is open, and is shared, since
/// writing a plan anew for every save would cost more than all the rest.
struct SessionPlan {
    int id = 0;
    std::string title;
    bool quick = false;
    std::shared_ptr<const std::string> text;
};

/// A solve of the queue: what was asked for, and how it ended.
struct SessionSolve {
    std::string planner;
    std::vector<std::pair<std::string, std::string>> options; ///< those that differ from their default
    double timeLimitSeconds = 10;
    int threads = 1;
    bool chunks = false;            ///< whether the plan was to decide what runs in chunks
    std::vector<std::string> whole; ///< ops that were to run in none
    std::int64_t budgetBytes = 0;
    std::vector<std::string> keep, recompute, never; ///< decided by hand when it was asked for
    std::string state = "waiting";                   ///< or `done`, `stopped`, `infeasible`, `failed`
    bool optimal = false;
    double seconds = 0;
    int plan = 0;                         ///< id of its plan; 0: none
    double timeUs = -1, boundTimeUs = -1; ///< time of its plan, bound of any plan; negative when unknown
    std::string sentence;
    std::string bindingOp;                       ///< that alone needs more than the budget; empty: none
    std::vector<std::array<double, 3>> progress; ///< seconds, time of the best plan, bound; negative when unknown
    bool operator==(const SessionSolve &) const = default;
};

/// A model with all the work on it. Plain data; names instead of ids, so that it can be read before the model is. Paths
/// are absolute or empty.
struct SessionModel {
    std::string modelPath;
    std::string modelRelativePath; ///< from the session's folder; tried first
    std::string modelTitle;
    std::string fingerprint; ///< fingerprint of the graph with its ops whole
    Chunking chunking;       ///< what of it runs in pieces; no regions: nothing does
    std::string device;      ///< device of the costs: `h100`
    std::string profileTitle;
    std::string profileText; ///< `remat-profile/1`; empty for the device's roofline
    std::int64_t budgetBytes = 0;
    std::vector<SessionPlan> plans;
    int currentPlan = 0; ///< 0: none
    std::vector<int> compared;
    std::vector<SessionSolve> solves;                ///< in the order of the queue
    std::vector<std::string> keep, recompute, never; ///< decided by hand
    std::string selectedOp, selectedStorage;
    double cursorUs = -1;
    bool axisInSteps = false;
    std::optional<std::array<double, 2>> seen; ///< none: all of the axis
    std::optional<std::array<double, 2>> range;
    std::string viewsText = "{}"; ///< an object; what each view keeps
};

/// A session as it is read.
struct SessionFile {
    std::int64_t savedMs = 0; ///< since 1970, UTC
    std::vector<SessionModel> models;
    std::vector<SessionModel> closed; ///< the newest last
    std::size_t shown = 0;            ///< index into `models`
    std::string windowText = "{}";    ///< an object; docks and size
};

/// A session as it is written: models are text already, since those that did not change need not be made again.
struct SessionParts {
    std::int64_t savedMs = 0; ///< since 1970, UTC
    std::vector<std::shared_ptr<const std::string>> models, closed;
    std::size_t shown = 0;
    std::string windowText = "{}";
};

/// `title` names the file in sentences. Fails with what is wrong and where; members that are missing keep their
/// defaults, apart from format, models, and of a model `model` and `plans`.
Expected<SessionFile> parseSession(std::string_view text, const std::string &title);

/// O(text).
std::string sessionModelText(const SessionModel &model);
std::string sessionText(const SessionParts &session);
/// With `modelRelativePath` as it stands.
std::string sessionText(const SessionFile &session);

} // namespace remat
