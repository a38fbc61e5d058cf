// Proven lower bounds: what no plan can beat.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/graph.h"

#include <string>

namespace remat {

/// No plan in any order, with or without offloads, has a lower peak: the largest sum of what one op that no plan can do
/// without reads, makes and works with, or all outputs of the graph together where that is more. O(graph).
struct PeakBound {
    std::int64_t bytes = 0;
    OpId op; ///< the op that needs it; none when it is the outputs together
};
PeakBound workingSetBound(const Graph &graph, const CostTable &costs);

/// No plan of the kind that `validFor` names, within the budget, takes less time. Ops whose results no output of the
/// graph depends on are not counted, since a plan may leave them out.
struct TimeBound {
    double timeUs =
        0; ///< every op that is needed, once, + `extraUs`; without dead ops that is the keep-all time + extra
    double extraUs = 0;
    OpId cut;                ///< the first computation at which it binds; none when nothing must be recomputed
    bool infeasible = false; ///< there is no plan of that kind at all; for every plan when `method` is `working set`
    std::string method;      ///< `keep-all`, `working set`, `cut-knapsack`, …
    std::string validFor;    ///< sentence: for which plans it holds
};

/// Cut-knapsack bound (0/1), the maximum over all cuts t: when op t is first computed, what it reads and makes is
/// resident; every other storage made before and read by a later first computation is resident or is computed again
/// later. Items are ops: one more computation brings back all that the op makes; what may be computed only once must
/// stay. Solved exactly per cut, or rounded down where exact costs too much. O(cuts × ops).
TimeBound cutKnapsackBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes);

/// What holds for plans with offloads too: every op that is needed is computed once, and the working set fits.
TimeBound everyPlanBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes);

/// The best of all bounds there are for plans without offloads.
TimeBound bestTimeBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes);

} // namespace remat
