// SPDX-License-Identifier: Apache-2.0
// A page about one plan or several plans of one graph.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/model.h"
#include "core/plan/plan.h"
#include "core/views/compare_verdict.h"

#include <string>
#include <vector>

namespace remat {

struct ReportPlan {
    std::string title; ///< `A: HiRemate`; may be empty
    const Plan *plan = nullptr;
};

/// Every figure in the page is made here, by the simulator and the bounds, or stands in the plan's record of a real
/// run. `verdicts`: of the first plan beside each other one. Fails when a plan is not possible. O(plans × steps) and
/// the time of a quick bound each.
Expected<std::string> reportOfPlans(const Model &model, const CostTable &costs, const std::vector<ReportPlan> &plans,
                                    const std::vector<CompareVerdict> &verdicts = {});

} // namespace remat
