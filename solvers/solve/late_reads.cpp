// SPDX-License-Identifier: Apache-2.0
#include "solvers/solve/late_reads.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace remat {

std::optional<Graph> withLateReadsOnce(const Graph &graph)
{
    std::vector<std::vector<std::size_t>> updatedAt(graph.storages.size());
    std::vector<std::size_t> lastRead(graph.storages.size(), 0);
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        for (const StorageId updated : graph.ops[i].updates)
            updatedAt[updated.index()].push_back(i);
        if (const StorageId sum = graph.ops[i].into) updatedAt[sum.index()].push_back(i);
        for (const StorageId input : graph.ops[i].inputs)
            lastRead[input.index()] = i;
    }
    constexpr std::size_t kAlways = std::numeric_limits<std::size_t>::max();
    std::optional<Graph> result;
    for (std::size_t i = 0; i < graph.storages.size(); ++i)
        if (graph.storages[i].isOutput)
            lastRead[i] = graph.ops.size(); // it may be let go of, and made again at the end
    // Until when an op can make each storage again from what it reads, and that from what was read for it.
    std::vector<std::size_t> madeUntil(graph.storages.size(), kAlways);
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        std::size_t until = kAlways;
        for (const StorageId input : op.inputs) {
            const std::vector<std::size_t> &updates = updatedAt[input.index()];
            const auto next = std::upper_bound(updates.begin(), updates.end(), i);
            until = std::min({until, madeUntil[input.index()], next == updates.end() ? kAlways : *next});
        }
        const bool late = std::any_of(op.outputs.begin(), op.outputs.end(),
                                      [&](StorageId output) { return until < lastRead[output.index()]; });
        // A sum is made once, with all that is added to it.
        const bool ofSum = op.into || std::any_of(op.outputs.begin(), op.outputs.end(),
                                                  [&](StorageId output) { return !updatedAt[output.index()].empty(); });
        if (op.computeOnce) continue;
        if (late || ofSum) {
            if (!result) result = graph;
            result->ops[i].computeOnce = true;
            continue;
        }
        for (const StorageId output : op.outputs)
            madeUntil[output.index()] = until;
    }
    return result;
}

} // namespace remat
