#include "core/bounds/bounds.h"

#include "core/bounds/cut_closure.h"
#include "core/bounds/needs.h"

namespace remat {

TimeBound everyPlanBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes)
{
    TimeBound bound;
    bound.timeUs = neededTimeUs(needsOf(graph), costs);
    bound.validFor = kEveryPlan;
    bound.infeasible = workingSetBound(graph, costs).bytes > budgetBytes;
    bound.method = bound.infeasible ? "working set" : "keep-all";
    return bound;
}

TimeBound bestTimeBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes)
{
    TimeBound bound = cutKnapsackBound(graph, costs, budgetBytes);
    if (bound.infeasible) return bound;
    TimeBound closure = cutClosureBound(graph, costs, budgetBytes);
    if (closure.extraUs > bound.extraUs) return closure;
    if (bound.extraUs <= 0) {
        bound.method = "keep-all";
        bound.validFor = kEveryPlan;
    }
    return bound;
}

} // namespace remat
