// SPDX-License-Identifier: Apache-2.0
// Proven lower bounds: what no plan can beat.
#pragma once

#include "core/base/stop_token.h"
#include "core/costs/cost_table.h"
#include "core/graph/graph.h"

#include <optional>
#include <string>
#include <vector>

namespace remat {

/// For which plans a bound holds, from the fewest to all. A plan makes its first computations in the given order when
/// every op that is needed (core/bounds/needs.h) is computed for the first time in the order of the graph.
enum class HoldsFor : std::uint8_t {
    OutputsOnce, ///< given order, no offloads, and no output of the graph computed twice
    GivenOrder,  ///< given order, no offloads
    AnyOrder,    ///< no offloads
    EveryPlan
};
/// `given-order`, …: for JSON.
const char *holdsForName(HoldsFor plans);
/// `Holds for plans without offloads that …`
const char *holdsForSentence(HoldsFor plans);

/// No plan of the kind that `holdsFor` names has a lower peak.
struct PeakBound {
    std::int64_t bytes = 0;
    OpId op; ///< the op that needs it; none when it is the outputs of the graph together
    std::string method;
    HoldsFor holdsFor = HoldsFor::EveryPlan;
};

/// Working set: the largest sum of what one op that no plan can do without reads, makes and works with, or all
/// outputs of the graph together where that is more. Holds for every plan. O(graph).
PeakBound workingSetBound(const Graph &graph, const CostTable &costs);

/// Every peak bound there is, each at least as high as the one before and holding for as many plans or fewer:
/// - `working set`, for every plan;
/// - `outputs at the end`, for plans without offloads: while the op that brings back the last output of the graph runs,
///   all others are held beside its own working set, and so on backwards; in the order of last computations that is
///   best;
/// - `held until read`, for the given order: beside the working set of an op, what was made before, is needed later and
///   may be computed only once;
/// - `outputs held`, for plans that compute no output of the graph twice: beside the working set of an op, all
///   outputs of the graph made before as well. Plans that do may have a lower peak, since an output may be freed and
///   made again.
/// O(graph log graph).
std::vector<PeakBound> peakBounds(const Graph &graph, const CostTable &costs);

/// No plan of the kind that `holdsFor` names, within the budget, takes less time. Ops whose results no output of the
/// graph depends on are not counted, since a plan may leave them out.
struct TimeBound {
    double timeUs =
        0; ///< every op that is needed, once, + `extraUs`; without dead ops that is the keep-all time + extra
    double extraUs = 0;
    OpId cut;                ///< the first computation at which it binds; none when nothing must be recomputed
    bool infeasible = false; ///< there is no plan of that kind at all; for every plan when `method` is `working set`
    std::string method;      ///< `keep-all`, `working set`, `cut-knapsack`, …
    HoldsFor holdsFor = HoldsFor::GivenOrder;
};

/// What holds for plans with offloads and in any order, too: every op that is needed is computed once, and the working
/// set fits.
TimeBound everyPlanBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes);

/// Cut-knapsack bound (0/1), the maximum over all cuts t: when op t is first computed, what it reads and makes is
/// resident; every other storage made before and read by a later first computation is resident or is computed again
/// later. Items are ops: one more computation brings back all that the op makes; what may be computed only once must
/// stay. Solved exactly per cut, or rounded down where exact costs too much; beyond five thousand ops only the cuts
/// that hold most are looked at, and only those that are reached in time. A bound of `enoughUs` extra time or less may
/// come out lower than it is.
TimeBound cutKnapsackBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, double enoughUs = 0,
                           const StopCheck &stop = {});

/// When a peak bound that holds for these plans, or for more, is over the budget: that there is no such plan, which op
/// says so, and for which plans.
std::optional<TimeBound> noPlanFits(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                                    HoldsFor plans = HoldsFor::GivenOrder);

/// The best of the bounds above and of the closure bound (core/bounds/cut_closure.h): 0.02 s on a thousand ops of a
/// transformer, up to 3 s on ten thousand and more. What is known when time is up is lower, and holds as well.
TimeBound bestTimeBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                        const StopCheck &stop = {});

/// What holds for plans without offloads in any order of first computations, too: the closure bound with what is sure
/// at each cut in every order, or one of the bounds for more plans. For plans that are not in the graph's order it
/// stands beside the bound of their own order. At most as high as `bestTimeBound`, and about as fast.
TimeBound anyOrderBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                        const StopCheck &stop = {});

} // namespace remat
