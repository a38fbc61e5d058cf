// SPDX-License-Identifier: Apache-2.0
// Any planner, around decisions made by hand.
#pragma once

#include "solvers/tools/plan_filler.h"

namespace remat::steer {

/// Solves `request` on the graph that its pins make of it, and brings the plan back: its steps only, for
/// `filler.finish`. Incumbents are told as complete plans of the given graph. When the pins leave no plan, the sentence
/// says so and names the decision that binds most. A plan is `Optimal` only where the bound says so, since the steered
/// graph leaves out a few plans that follow the pins.
Expected<SolveOutcome> solveAround(const Planner &planner, const SolveRequest &request, const SolveContext &context,
                                   const PlanFiller &filler);

} // namespace remat::steer
