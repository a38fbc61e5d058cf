// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/residence.h"

#include "core/plan/sequence_evaluator.h"

#include <algorithm>

namespace remat::offload {

namespace {

/// Where the copy at hand of a storage was made and used.
struct Copy {
    int made = -1, first = -1, last = -1;
};

} // namespace

Residence residenceOf(const Graph &graph, const CostTable &costs, const std::vector<OpId> &sequence)
{
    Residence residence;
    SequenceEvaluator(graph, costs).profile(sequence, residence.heldBytes);
    std::int64_t endBytes = 0;
    for (std::size_t s = 0; s < graph.storages.size(); ++s)
        endBytes += graph.keptToEnd(StorageId(s)) ? graph.storages[s].bytes : 0;
    residence.heldBytes.push_back(endBytes);

    // An iteration begins with what the last update of the one before it has left.
    std::vector<Copy> copies(graph.storages.size());
    const auto update = [&](const Op &op, int position) {
        for (const StorageId updated : op.updates)
            copies[updated.index()].made = op.onHost ? -1 : position;
        if (op.into) copies[op.into.index()].made = position;
    };
    for (std::size_t i = 0; i < sequence.size(); ++i)
        update(graph.op(sequence[i]), static_cast<int>(i));
    const auto use = [&](StorageId storage, int position) {
        Copy &copy = copies[storage.index()];
        if (copy.last >= 0 && position > copy.last + 1 && graph.storage(storage).bytes > 0)
            residence.gaps.push_back({storage, copy.made, copy.last, position, false});
        if (copy.first < 0) copy.first = position;
        copy.last = position;
    };
    double timeUs = 0;
    const int end = static_cast<int>(sequence.size());
    for (int i = 0; i < end; ++i) {
        residence.startUs.push_back(timeUs);
        const Op &op = graph.op(sequence[static_cast<std::size_t>(i)]);
        timeUs += op.onHost ? 0 : costs.time(sequence[static_cast<std::size_t>(i)]);
        for (const StorageId input : op.inputs)
            if (graph.planned(input)) use(input, i);
        update(op, i);
        for (const StorageId output : op.outputs)
            copies[output.index()] = {i, i, i};
    }
    residence.startUs.push_back(timeUs);
    for (std::size_t s = 0; s < graph.storages.size(); ++s) {
        const StorageId storage(s);
        const Copy &copy = copies[s];
        if (!graph.keptToEnd(storage) || copy.first < 0 || graph.storages[s].bytes == 0) continue;
        if (graph.storages[s].plannedParameter)
            residence.gaps.push_back({storage, copy.made, copy.last, copy.first, true});
        else
            use(storage, end);
    }
    std::stable_sort(residence.gaps.begin(), residence.gaps.end(), [](const HostGap &a, const HostGap &b) {
        return a.from != b.from ? a.from < b.from : a.storage < b.storage;
    });
    return residence;
}

} // namespace remat::offload
