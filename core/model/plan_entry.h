// SPDX-License-Identifier: Apache-2.0
// A plan as everything that looks at it needs it, from a model and its steps. Any thread.
#pragma once

#include "core/bounds/bounds.h"
#include "core/model/open_model.h"
#include "core/plan/checker.h"

#include <optional>

namespace remat {

/// A plan with everything views need of it. Immutable; made on a worker thread.
struct PlanEntry {
    int id = 0; ///< unique in the document
    std::shared_ptr<const Plan> plan;
    std::shared_ptr<const MemoryTimeline> timeline;
    /// Keep-all with what the plan counts: weights and states where it moves them. Null: the model's keep-all.
    std::shared_ptr<const MemoryTimeline> pagedKeepAll;
    std::string title;                       ///< `HiRemate`
    std::optional<Verdict> check;            ///< what the checker found; none before it has looked
    bool runIsOfThisPlan = true;             ///< the record of a real run, where there is one; see recordBelongs()
    bool quick = false;                      ///< made while dragging; replaced when the better planner is done
    HoldsFor kind = HoldsFor::EveryPlan;     ///< which bounds hold for it, as kindOfPlan() says
    std::vector<std::uint8_t> recomputedOps; ///< per op: 1 when it is computed more than once
};

/// Replays, checks and measures a plan for the views. A plan that the checker refuses becomes an entry whose
/// verdict says so; a plan that cannot even be replayed is an error. O(steps × degree).
Expected<std::shared_ptr<const PlanEntry>> makePlanEntry(const CostedModel &model, std::shared_ptr<const Plan> plan,
                                                         int id, const std::string &title, bool quick);

/// The same plan under other costs: new figures, and no longer validated, since what was run was measured against the
/// old prediction.
Expected<std::shared_ptr<const PlanEntry>> recostPlanEntry(const CostedModel &model, const PlanEntry &entry);

/// The same plan with the best bound for its budget and order; none where that is not more than the plan has. As long
/// as boundForPlan().
std::shared_ptr<const PlanEntry> provenPlanEntry(const CostedModel &model, const PlanEntry &entry);

} // namespace remat
