// SPDX-License-Identifier: Apache-2.0
#include "core/views/plan_use.h"

#include <algorithm>

namespace remat {

NodeState stateOf(Fate fate)
{
    switch (fate) {
    case Fate::Kept:
        return NodeState::Kept;
    case Fate::Recomputed:
        return NodeState::Recomputed;
    case Fate::Offloaded:
        return NodeState::Offloaded;
    case Fate::Transient:
        break;
    }
    return NodeState::Freed;
}

PlanUse planUse(const Graph &graph, const PlanEntry &plan)
{
    const MemoryTimeline &line = *plan.timeline;
    PlanUse use;
    use.recomputations.assign(graph.ops.size(), 0);
    use.recomputeUs.assign(graph.ops.size(), 0);
    use.heldBytes.assign(graph.storages.size(), 0);
    for (std::size_t i = 0; i < line.op.size(); ++i) {
        if (!line.recompute[i]) continue;
        const std::size_t op = line.op[i].index();
        if (use.recomputations[op]++ == 0) ++use.recomputedOps;
        use.recomputeUs[op] += line.endUs[i] - line.startUs[i];
    }

    const std::vector<Fate> fates = storageFates(graph, line);
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        use.opStates.push_back(opState(graph.ops[i], fates, use.recomputations[i] > 0));
    for (std::size_t i = 0; i < graph.storages.size(); ++i) {
        const OpId producer = graph.storages[i].producer;
        const bool backward = producer && graph.op(producer).phase == Phase::Backward;
        use.storageStates.push_back(backward ? NodeState::Backward : stateOf(fates[i]));
        if (fates[i] == Fate::Kept && !backward) use.keptBytes += graph.storages[i].bytes;
        if (fates[i] == Fate::Offloaded) use.offloadedBytes += graph.storages[i].bytes;
    }
    if (line.op.empty()) return use;
    const std::int32_t peakStep = line.step[line.peakSample];
    for (const LiveRange &range : line.ranges)
        if (range.firstStep <= peakStep && peakStep <= range.lastStep)
            use.heldBytes[range.storage.index()] += graph.storage(range.storage).bytes;
    for (std::size_t category = 0; category < kCategoryCount; ++category)
        use.peakBytesOf[category] = line.bytes[category][line.peakSample];
    return use;
}

PlanFigures planFigures(const CostedModel &model, const PlanEntry &plan, const PlanUse &use)
{
    PlanFigures figures;
    figures.peakBytes = plan.timeline->peakBytes;
    figures.budgetBytes = plan.plan->budgetBytes;
    figures.timeUs = plan.timeline->timeUs;
    figures.recomputedOps = use.recomputedOps;
    figures.keptBytes = use.keptBytes;
    figures.offloadedBytes = use.offloadedBytes;
    if (model.keepAllTimeUs <= 0) return figures;
    figures.overhead = std::max(figures.timeUs / model.keepAllTimeUs - 1, 0.0);
    // A quick plan comes before the proof: "at least the time of keep-all" would say nothing.
    const double boundUs = plan.plan->predicted.lowerBoundTimeUs;
    if (boundUs > 0 && (!plan.quick || boundUs > model.keepAllTimeUs))
        figures.boundOverhead = std::max(boundUs / model.keepAllTimeUs - 1, 0.0);
    return figures;
}

BetterPlan betterOnBoth(const PlanFigures &a, const PlanFigures &b)
{
    if (a.peakBytes < b.peakBytes && a.timeUs < b.timeUs) return BetterPlan::First;
    if (b.peakBytes < a.peakBytes && b.timeUs < a.timeUs) return BetterPlan::Second;
    return BetterPlan::Neither;
}

} // namespace remat
