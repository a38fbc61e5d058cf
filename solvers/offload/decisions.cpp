// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/decisions.h"

namespace remat::offload {

Decisions decisionsOf(const Graph &graph, const std::vector<Step> &steps)
{
    Decisions decisions;
    std::vector<char> fetched(graph.storages.size(), 0);
    const auto use = [&](StorageId storage) {
        if (fetched[storage.index()] == 0) return;
        fetched[storage.index()] = 0;
        decisions.fetches.push_back({static_cast<int>(decisions.sequence.size()), storage.value});
    };
    for (const Step &step : steps) {
        if (step.kind == StepKind::Prefetch) fetched[step.storage.index()] = 1;
        if (step.kind != StepKind::Compute) continue;
        for (const StorageId input : graph.op(step.op).inputs)
            use(input);
        for (const StorageId output : graph.op(step.op).outputs)
            fetched[output.index()] = 0;
        decisions.sequence.push_back(step.op);
    }
    for (std::size_t s = 0; s < graph.storages.size(); ++s)
        if (graph.keptToEnd(StorageId(s))) use(StorageId(s));
    return decisions;
}

} // namespace remat::offload
