// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/plan_bound.h"

#include "core/bounds/needs.h"
#include "core/costs/reorder.h"

#include <algorithm>
#include <limits>

namespace remat {

namespace {

/// Needed ops in the order in which the sequence first computes them.
std::vector<OpId> neededOrder(const Needs &needs, const std::vector<OpId> &sequence)
{
    std::vector<char> seen(needs.op.size(), 0);
    std::vector<OpId> order;
    for (const OpId op : sequence) {
        if (seen[op.index()] || !needs.op[op.index()]) continue;
        seen[op.index()] = 1;
        order.push_back(op);
    }
    return order;
}

} // namespace

HoldsFor kindOfPlan(const Graph &graph, const Plan &plan)
{
    const bool copies = std::any_of(plan.steps.begin(), plan.steps.end(), [](const Step &step) {
        return step.kind == StepKind::Offload || step.kind == StepKind::Prefetch;
    });
    if (copies) return HoldsFor::EveryPlan;
    const std::vector<OpId> order = neededOrder(needsOf(graph), computeSequence(plan));
    return std::is_sorted(order.begin(), order.end()) ? HoldsFor::GivenOrder : HoldsFor::AnyOrder;
}

TimeBound boundForPlan(const Graph &graph, const CostTable &costs, const Plan &plan, const StopCheck &stop)
{
    const HoldsFor kind = kindOfPlan(graph, plan);
    const std::int64_t noBudget = std::numeric_limits<std::int64_t>::max();
    const TimeBound always = everyPlanBound(graph, costs, plan.budgetBytes > 0 ? plan.budgetBytes : noBudget);
    if (kind == HoldsFor::EveryPlan || plan.budgetBytes <= 0) return always;
    if (kind == HoldsFor::GivenOrder) return bestTimeBound(graph, costs, plan.budgetBytes, stop);

    const Needs needs = needsOf(graph);
    const std::vector<OpId> sequence = computeSequence(plan);
    const std::vector<OpId> order = firstComputations(precedenceOf(graph), sequence);
    if (neededOrder(needs, order) != neededOrder(needs, sequence)) return always;
    const Expected<ReorderedGraph> reordered = reorderGraph(graph, costs, order);
    if (!reordered) return always;
    TimeBound bound = bestTimeBound(reordered->graph, reordered->costs, plan.budgetBytes, stop);
    if (bound.cut) bound.cut = reordered->given[bound.cut.index()];
    return bound;
}

std::optional<TimeBound> anyOrderBoundForPlan(const Graph &graph, const CostTable &costs, const Plan &plan,
                                              const StopCheck &stop)
{
    if (plan.budgetBytes <= 0 || kindOfPlan(graph, plan) != HoldsFor::AnyOrder) return {};
    return anyOrderBound(graph, costs, plan.budgetBytes, stop);
}

} // namespace remat
