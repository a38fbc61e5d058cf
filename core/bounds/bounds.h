// Proven lower bounds: what no plan can beat.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/graph.h"

#include <string>

namespace remat {

/// No plan in any order has a lower peak: the largest sum of what one op reads, makes and works with, together with the
/// output gradients that must be held by then.
struct PeakBound {
    std::int64_t bytes = 0;
    OpId op; ///< the op that needs it
};
PeakBound workingSetBound(const Graph &graph, const CostTable &costs);

/// No plan that makes its first computations in graph order and stays within the budget takes less time.
struct TimeBound {
    double timeUs = 0; ///< keep-all time + `extraUs`
    double extraUs = 0;
    OpId cut;                ///< the first computation at which it binds; none when nothing must be recomputed
    bool infeasible = false; ///< the budget is under the working set: there is no plan at all
    std::string method;      ///< `keep-all`, `cut-knapsack`, …
    std::string validFor;    ///< sentence: for which plans it holds
};

/// Cut-knapsack bound (0/1), the maximum over all cuts t: when op t is first computed, what it reads and makes is
/// resident; every other storage made before and read by a later first computation is resident or is computed again
/// later. Solved exactly per cut, or rounded down to its fractional value where exact costs too much.
TimeBound cutKnapsackBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes);

/// The best of all bounds there are.
TimeBound bestTimeBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes);

} // namespace remat
