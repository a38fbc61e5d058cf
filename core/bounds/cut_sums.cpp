// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/cut_sums.h"

#include "core/bounds/cut_closure.h"

#include <algorithm>
#include <set>

namespace remat {

CutSums cutSums(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, const StopCheck &stop)
{
    const CutClosure closure = cutClosure(graph, costs, budgetBytes, stop);
    CutSums sums;
    if (!closure.bound.cut || closure.recomputed.empty()) return sums;
    sums.cut = closure.bound.cut;
    const Op &op = graph.op(sums.cut);
    std::set<StorageId> held(closure.kept.begin(), closure.kept.end());
    held.insert(op.inputs.begin(), op.inputs.end());
    held.insert(op.outputs.begin(), op.outputs.end());
    sums.heldBytes = costs.workspace(sums.cut);
    for (const StorageId storage : held)
        if (graph.planned(storage)) sums.heldBytes += graph.storage(storage).bytes;
    for (const OpId again : closure.recomputed)
        for (const StorageId storage : graph.op(again).outputs)
            if (!held.contains(storage)) sums.paidBytes += graph.storage(storage).bytes;
    sums.paidUs = std::max(closure.bound.timeUs - keepAllTimeUs(costs), 0.0);
    return sums;
}

} // namespace remat
