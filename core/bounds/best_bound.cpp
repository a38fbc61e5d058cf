// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/bounds.h"

#include "core/bounds/cut_closure.h"
#include "core/bounds/needs.h"

namespace remat {

TimeBound everyPlanBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes)
{
    TimeBound bound;
    bound.timeUs = neededTimeUs(needsOf(graph), costs);
    bound.infeasible = workingSetBound(graph, costs).bytes > budgetBytes;
    bound.method = bound.infeasible ? "working set" : "keep-all";
    bound.holdsFor = HoldsFor::EveryPlan;
    return bound;
}

std::optional<TimeBound> noPlanFits(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                                    HoldsFor plans)
{
    for (const PeakBound &peak : peakBounds(graph, costs)) {
        if (peak.holdsFor < plans || peak.bytes <= budgetBytes) continue;
        TimeBound bound = everyPlanBound(graph, costs, budgetBytes);
        bound.cut = peak.op;
        bound.infeasible = true;
        bound.method = peak.method;
        bound.holdsFor = peak.holdsFor;
        return bound;
    }
    return {};
}

TimeBound bestTimeBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, const StopCheck &stop)
{
    if (const auto none = noPlanFits(graph, costs, budgetBytes)) return *none;
    const TimeBound closure = cutClosureBound(graph, costs, budgetBytes, stop);
    const TimeBound knapsack = cutKnapsackBound(graph, costs, budgetBytes, closure.extraUs, stop);
    const TimeBound &best = closure.extraUs >= knapsack.extraUs ? closure : knapsack;
    return best.extraUs > 0 ? best : everyPlanBound(graph, costs, budgetBytes);
}

TimeBound anyOrderBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, const StopCheck &stop)
{
    if (const auto none = noPlanFits(graph, costs, budgetBytes, HoldsFor::AnyOrder)) return *none;
    const TimeBound closure = cutClosureBound(graph, costs, budgetBytes, stop, HoldsFor::AnyOrder);
    return closure.extraUs > 0 ? closure : everyPlanBound(graph, costs, budgetBytes);
}

} // namespace remat
