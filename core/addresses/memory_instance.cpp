// SPDX-License-Identifier: Apache-2.0
#include "core/addresses/memory_instance.h"

#include <algorithm>
#include <utility>

namespace remat {

std::vector<MemoryInstance> memoryInstances(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps)
{
    constexpr std::int32_t kAbsent = -1;
    std::vector<std::int32_t> since(graph.storages.size(), kAbsent);
    const std::vector<char> onHost = beginsOnHost(graph, steps);
    for (std::size_t s = 0; s < since.size(); ++s)
        if (graph.storages[s].plannedParameter && !onHost[s]) since[s] = 0;
    std::vector<MemoryInstance> instances;
    const auto add = [&](StorageId storage, OpId workspaceOf, std::int32_t first, std::int32_t end,
                         std::int64_t bytes) {
        if (bytes > 0) instances.push_back({storage, workspaceOf, first, end, bytes});
    };
    const auto count = static_cast<std::int32_t>(steps.size());
    for (std::int32_t i = 0; i < count; ++i) {
        const Step &step = steps[i];
        if (step.kind == StepKind::Compute) {
            for (const StorageId output : graph.op(step.op).outputs) {
                if (since[output.index()] == kAbsent)
                    since[output.index()] = i;
                else
                    add(output, {}, i, i + 1, graph.storage(output).bytes);
            }
            add({}, step.op, i, i + 1, costs.workspace(step.op));
        } else if (step.kind == StepKind::Prefetch) {
            since[step.storage.index()] = i;
        } else if (step.kind == StepKind::Free) {
            add(step.storage, {}, std::exchange(since[step.storage.index()], kAbsent), i,
                graph.storage(step.storage).bytes);
        }
    }
    for (std::size_t s = 0; s < since.size(); ++s)
        if (since[s] != kAbsent) add(StorageId(s), {}, since[s], count, graph.storages[s].bytes);
    std::stable_sort(instances.begin(), instances.end(),
                     [](const MemoryInstance &a, const MemoryInstance &b) { return a.firstStep < b.firstStep; });
    return instances;
}

std::int64_t largestLoad(const std::vector<MemoryInstance> &instances)
{
    std::vector<std::pair<std::int32_t, std::int64_t>> changes;
    changes.reserve(2 * instances.size());
    for (const MemoryInstance &instance : instances) {
        changes.emplace_back(instance.firstStep, instance.bytes);
        changes.emplace_back(instance.endStep, -instance.bytes);
    }
    std::sort(changes.begin(), changes.end()); // ends before beginnings at the same step
    std::int64_t load = 0, largest = 0;
    for (const auto &[step, change] : changes)
        largest = std::max(largest, load += change);
    return largest;
}

} // namespace remat
