// From a model and a plan to what the views show of them. Worker threads.
#pragma once

#include "app/studio/document/document.h"

namespace remat::studio {

/// Replays, checks and measures a plan for the views. A plan that the checker refuses becomes an entry whose
/// verdict says so; a plan that cannot even be replayed is an error. O(steps × degree).
Expected<std::shared_ptr<const PlanEntry>> makePlanEntry(const CostedModel &model, std::shared_ptr<const Plan> plan,
                                                         int id, const QString &title, bool quick);

/// The same plan under other costs: new figures, and no longer validated, since what was run was measured against the
/// old prediction.
Expected<std::shared_ptr<const PlanEntry>> recostPlanEntry(const CostedModel &model, const PlanEntry &entry);

/// The same plan with the best bound for its budget and order; none where that is not more than the plan has. As long
/// as boundForPlan().
std::shared_ptr<const PlanEntry> provenPlanEntry(const CostedModel &model, const PlanEntry &entry);

} // namespace remat::studio
