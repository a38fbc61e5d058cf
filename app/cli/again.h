// SPDX-License-Identifier: Apache-2.0
// A second plan for what a run of the first one has measured.
#pragma once

#include "app/cli/command.h"

namespace remat::cli {

/// How far a run ended over what its plan may hold; 0 where it is within the budget, or where there is none.
std::int64_t bytesOver(const ValidationRecord &record, const Plan &plan);

/// Plans again for the plan's budget with the plan's own planner and options, and with the times and workspaces that
/// this machine remembers, the record's included (rememberRun). `margin`: bytes that the planner leaves free besides.
/// The model has these costs from then on. Fails with a sentence where no plan fits.
Expected<Plan> planAgain(ModelWithCosts &subject, const Plan &plan, const ValidationRecord &record,
                         std::int64_t margin);

} // namespace remat::cli
