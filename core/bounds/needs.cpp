#include "core/bounds/needs.h"

#include <algorithm>
#include <numeric>

namespace remat {

Needs needsOf(const Graph &graph)
{
    const auto end = static_cast<std::int32_t>(graph.ops.size());
    Needs needs;
    needs.op.assign(graph.ops.size(), 0);
    needs.last.assign(graph.storages.size(), -1);
    for (std::size_t s = 0; s < needs.last.size(); ++s)
        if (graph.storages[s].isOutput) needs.last[s] = end;
    for (std::int32_t i = end; i-- > 0;) {
        const Op &op = graph.op(OpId(i));
        if (!op.computeOnce && std::none_of(op.outputs.begin(), op.outputs.end(),
                                            [&](StorageId output) { return needs.last[output.index()] >= 0; }))
            continue;
        needs.op[static_cast<std::size_t>(i)] = op.onHost ? 0 : 1;
        for (const StorageId input : op.inputs)
            needs.last[input.index()] = std::max(needs.last[input.index()], i);
    }
    return needs;
}

double neededTimeUs(const Needs &needs, const CostTable &costs)
{
    double timeUs = 0;
    for (std::size_t i = 0; i < needs.op.size(); ++i)
        timeUs += needs.op[i] ? costs.timeUs[i] : 0;
    return timeUs;
}

std::vector<OpId> cutsOverBudget(const Graph &graph, const CostTable &costs, const Needs &needs,
                                 std::int64_t budgetBytes)
{
    std::vector<std::int64_t> held(graph.ops.size() + 2, 0);
    for (std::size_t s = 0; s < graph.storages.size(); ++s) {
        const OpId producer = graph.storages[s].producer;
        if (!producer || !needs.op[producer.index()]) continue;
        held[producer.index()] += graph.storages[s].bytes;
        held[static_cast<std::size_t>(std::max(needs.last[s], producer.value)) + 1] -= graph.storages[s].bytes;
    }
    std::partial_sum(held.begin(), held.end(), held.begin());
    std::vector<OpId> cuts;
    for (std::size_t t = 0; t < graph.ops.size(); ++t) {
        held[t] += costs.workspace(OpId(t));
        if (needs.op[t] && held[t] > budgetBytes) cuts.emplace_back(t);
    }
    std::stable_sort(cuts.begin(), cuts.end(), [&](OpId a, OpId b) { return held[a.index()] > held[b.index()]; });
    return cuts;
}

} // namespace remat
