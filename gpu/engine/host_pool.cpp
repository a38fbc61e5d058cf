// SPDX-License-Identifier: Apache-2.0
#include "gpu/engine/host_pool.h"

#include <algorithm>
#include <numeric>

namespace remat {

namespace {

constexpr std::int32_t kNone = -1;

/// A copy while the plan is followed.
struct Copy {
    std::int32_t begin = kNone, end = kNone;
    std::vector<std::size_t> steps; ///< that write or read it
    bool fetched = false;           ///< a prefetch has read it since, and nothing waited for that yet
    bool onHost = false;            ///< an op on the host reads it, for which no copy of another storage waits
};

} // namespace

HostLayout hostLayout(const Graph &graph, const std::vector<Step> &steps)
{
    HostLayout result;
    result.offsets.assign(steps.size(), 0);
    result.homes.assign(graph.storages.size(), 0);
    std::vector<std::pair<MemoryInstance, std::vector<std::size_t>>> copies;
    std::vector<Copy> open(graph.storages.size());
    const auto count = static_cast<std::int32_t>(steps.size());
    const auto finish = [&](StorageId storage) {
        Copy &copy = open[storage.index()];
        if (copy.begin == kNone || graph.storage(storage).bytes == 0) return;
        const std::int32_t end = copy.fetched || copy.onHost || copy.end == kNone ? count : copy.end;
        copies.emplace_back(MemoryInstance{storage, {}, copy.begin, end, graph.storage(storage).bytes},
                            std::move(copy.steps));
        copy = {};
    };
    const auto waitedFor = [&](StorageId storage, std::int32_t step) {
        Copy &copy = open[storage.index()];
        if (!copy.fetched) return;
        copy.fetched = false;
        copy.end = step;
    };
    for (std::int32_t i = 0; i < count; ++i) {
        const Step &step = steps[static_cast<std::size_t>(i)];
        if (step.kind == StepKind::Compute) {
            for (const StorageId input : graph.op(step.op).inputs) {
                if (graph.op(step.op).onHost)
                    open[input.index()].onHost = true;
                else
                    waitedFor(input, i);
            }
            continue;
        }
        Copy &copy = open[step.storage.index()];
        const bool home = graph.storage(step.storage).plannedParameter;
        if (step.kind == StepKind::Free) {
            waitedFor(step.storage, i);
        } else if (step.kind == StepKind::Offload) {
            // An offload waits for the prefetch that brought its storage.
            waitedFor(step.storage, i);
            if (!home) finish(step.storage);
            copy.begin = home ? 0 : i;
            copy.steps.push_back(static_cast<std::size_t>(i));
        } else {
            if (home) copy.begin = 0;
            copy.fetched = true;
            copy.steps.push_back(static_cast<std::size_t>(i));
        }
    }
    for (std::size_t s = 0; s < open.size(); ++s) {
        if (!graph.storages[s].plannedParameter) {
            finish(StorageId(s));
            continue;
        }
        if (graph.storages[s].bytes > 0)
            copies.emplace_back(MemoryInstance{StorageId(s), {}, 0, count, graph.storages[s].bytes},
                                std::move(open[s].steps));
    }
    std::stable_sort(copies.begin(), copies.end(),
                     [](const auto &a, const auto &b) { return a.first.firstStep < b.first.firstStep; });
    std::vector<MemoryInstance> instances;
    instances.reserve(copies.size());
    for (const auto &copy : copies)
        instances.push_back(copy.first);
    const MemoryLayout layout = layOut(instances);
    result.bytes = layout.heightBytes;
    for (std::size_t i = 0; i < copies.size(); ++i) {
        for (const std::size_t step : copies[i].second)
            result.offsets[step] = layout.offsets[i];
        const StorageId storage = copies[i].first.storage;
        if (graph.storage(storage).plannedParameter) result.homes[storage.index()] = layout.offsets[i];
    }
    return result;
}

} // namespace remat
