// SPDX-License-Identifier: Apache-2.0
// Which bounds hold for a plan that is already there.
#pragma once

#include "core/bounds/bounds.h"
#include "core/plan/plan.h"

namespace remat {

/// The narrowest kind of plans that `plan` is one of, `OutputsOnce` apart: a bound holds for the plan when its
/// `holdsFor` is that or more. O(steps).
HoldsFor kindOfPlan(const Graph &graph, const Plan &plan);

/// A lower bound on the time of plans like this one, within its budget: the best of the graph's order when it makes its
/// first computations in that, of the plan's own order when not, and every needed op once when it offloads or has no
/// budget. For another order `cut` is still an op of `graph`, and `holdsFor` means the plan's order by "given". Lower,
/// and valid, when stopped.
TimeBound boundForPlan(const Graph &graph, const CostTable &costs, const Plan &plan, const StopCheck &stop = {});

/// What holds for plans in any order, where the plan is one that is not in the graph's and has a budget: what stands
/// beside the bound of its own order.
std::optional<TimeBound> anyOrderBoundForPlan(const Graph &graph, const CostTable &costs, const Plan &plan,
                                              const StopCheck &stop = {});

} // namespace remat
