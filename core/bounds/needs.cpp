// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/needs.h"

#include <algorithm>
#include <numeric>

namespace remat {

namespace {

/// An output of it is, or the sum that it adds to, or it is computed once.
bool isNeeded(const Op &op, const Needs &needs)
{
    return op.computeOnce || (op.into && needs.last[op.into.index()] >= 0) ||
           std::any_of(op.outputs.begin(), op.outputs.end(),
                       [&](StorageId output) { return needs.last[output.index()] >= 0; });
}

std::vector<std::int32_t> lastOfOps(const Graph &graph, const std::vector<std::int32_t> &last)
{
    std::vector<std::int32_t> lastOfOp(graph.ops.size(), -1);
    for (std::size_t i = 0; i < lastOfOp.size(); ++i)
        for (const StorageId output : graph.ops[i].outputs)
            lastOfOp[i] = std::max(lastOfOp[i], last[output.index()]);
    return lastOfOp;
}

} // namespace

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
        if (!isNeeded(op, needs)) continue;
        needs.op[static_cast<std::size_t>(i)] = op.onHost ? 0 : 1;
        for (const StorageId input : op.inputs)
            needs.last[input.index()] = std::max(needs.last[input.index()], i);
    }
    needs.lastOfOp = lastOfOps(graph, needs.last);
    return needs;
}

Needs needsInAnyOrder(const Graph &graph, const Needs &needs, OpId t)
{
    std::vector<char> before(graph.ops.size(), 0), after(graph.ops.size(), 0);
    before[t.index()] = after[t.index()] = 1;
    for (std::size_t i = t.index() + 1; i-- > 0;)
        if (before[i])
            for (const StorageId input : graph.ops[i].inputs)
                if (const OpId maker = graph.storage(input).producer) before[maker.index()] = 1;
    before[t.index()] = 0;

    Needs sure{needs.op, std::vector<std::int32_t>(needs.last.size(), -1)};
    for (std::size_t s = 0; s < needs.last.size(); ++s) {
        const Storage &storage = graph.storages[s];
        if (storage.producer && before[storage.producer.index()])
            sure.last[s] = storage.isOutput ? needs.last[s] : std::min(needs.last[s], t.value);
    }
    for (std::size_t i = t.index() + 1; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        after[i] = std::any_of(op.inputs.begin(), op.inputs.end(), [&](StorageId input) {
            const OpId maker = graph.storage(input).producer;
            return maker && after[maker.index()];
        });
        const auto index = static_cast<std::int32_t>(i);
        for (const StorageId input : op.inputs)
            if (after[i] && sure.last[input.index()] >= 0 && isNeeded(op, needs))
                sure.last[input.index()] = std::max(sure.last[input.index()], index);
    }
    sure.lastOfOp = lastOfOps(graph, sure.last);
    return sure;
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
