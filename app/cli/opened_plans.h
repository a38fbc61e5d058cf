// SPDX-License-Identifier: Apache-2.0
// A model and plans of it, as the window looks at them.
#pragma once

#include "app/cli/command.h"
#include "core/model/plan_entry.h"

namespace remat::cli {

struct OpenedPlans {
    std::shared_ptr<const CostedModel> model;
    std::vector<std::shared_ptr<const PlanEntry>> plans; ///< in the order of their files, titled after them
};

/// All are judged by one table of costs: of the first plan, unless flags say otherwise; standard error says so where
/// another plan was made with others. A plan that the checker refuses is a "no". No plans are fine.
tl::expected<OpenedPlans, PlanRefusal> openPlans(const std::string &modelPath,
                                                 const std::vector<std::string> &planPaths, const CostFlags &flags);

} // namespace remat::cli
