// SPDX-License-Identifier: Apache-2.0
// What is done with what was read: everything that commands and window do with it.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/model.h"
#include "core/plan/plan.h"

namespace remat::fuzz {

/// Costs, hierarchies, keep-all, bounds, a random plan, every export. Whatever disagrees with something else is broken.
void exercise(const Model &model);

/// Simulator and checker agree on the plan, it reads back as it was written, and every export of a possible plan is
/// written or refused with a sentence.
void exercisePlan(const Model &model, const CostTable &costs, const Plan &plan);

/// The graph that plans, profiles and pins of the corpus are for: corpus/graph/good-chain.json.
const Model &knownModel();
const Device &reference();
CostTable referenceCosts(const Model &model);

} // namespace remat::fuzz
