// SPDX-License-Identifier: Apache-2.0
// From the search's results to what planners give back.
#pragma once

#include "solvers/interface/solver.h"
#include "solvers/search/search.h"

#include <memory>

namespace remat::search {

/// The steps of a set of recomputations, with earliest frees.
Plan planOf(const FlatGraph &flat, const std::vector<Recompute> &set);

/// What the greedy makes at once, when it fits; `Planner::firstPlan` of planners that search. A stop ends it, and so do
/// two seconds; the deadline does not, since there would be no plan at all then.
std::optional<Plan> greedyFirstPlan(const SolveRequest &request, const SolveContext &context);

/// The set of a plan whose first computations are in the graph's order; empty for other plans and for none. Offloads
/// are left out.
std::vector<Recompute> startSet(const FlatGraph &flat, const Plan *plan);

/// Whether bytes × slots stay where the search can count them.
Expected<void> checkSizes(const FlatGraph &flat);

/// Extra time at which a plan meets the bound of the context.
double enoughUs(double keepAllUs, const SolveContext &context);

} // namespace remat::search
