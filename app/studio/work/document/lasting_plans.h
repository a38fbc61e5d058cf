// SPDX-License-Identifier: Apache-2.0
// The one place that tells plans that stay from the quick plan, which the next move of the budget replaces.
#pragma once

#include "core/io/session_json.h"
#include "core/model/plan_entry.h"

#include <algorithm>
#include <memory>
#include <ranges>
#include <vector>

namespace remat::studio {

/// All of a list but the quick plan, in its order, as a view on the list.
inline auto lastingPlans(const std::vector<std::shared_ptr<const PlanEntry>> &plans)
{
    return plans | std::views::filter([](const auto &plan) { return !plan->quick; });
}

inline int countLasting(const std::vector<std::shared_ptr<const PlanEntry>> &plans)
{
    return static_cast<int>(std::ranges::distance(lastingPlans(plans)));
}

inline int countLasting(const std::vector<SessionPlan> &plans)
{
    return static_cast<int>(std::ranges::count(plans, false, &SessionPlan::quick));
}

} // namespace remat::studio
