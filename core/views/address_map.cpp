// SPDX-License-Identifier: Apache-2.0
#include "core/views/address_map.h"

#include "core/addresses/layout.h"

#include <algorithm>
#include <map>

namespace remat {

std::shared_ptr<const AddressMap> makeAddressMap(const CostedModel &model, const Plan &plan,
                                                 const MemoryTimeline &timeline)
{
    const Graph &given = model.graph();
    const bool planParameters = plan.parametersPlanned && !given.parametersPlanned;
    const Graph graph = planParameters ? withPlannedParameters(given) : given;
    const std::vector<MemoryInstance> instances = memoryInstances(graph, *model.costs, plan.steps);
    const MemoryLayout layout = layOut(instances);

    // A copy that is offloaded or brought back is several ranges, each where the one before ends.
    std::map<std::pair<std::size_t, std::int32_t>, const LiveRange *> rangeAt;
    for (const LiveRange &range : timeline.ranges)
        rangeAt.emplace(std::pair(range.storage.index(), range.firstStep), &range);

    auto map = std::make_shared<AddressMap>();
    map->heightBytes = layout.heightBytes;
    map->loadBytes = layout.loadBytes;
    map->fragmentation = layout.fragmentation();
    map->blocks.reserve(instances.size());
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const MemoryInstance &instance = instances[i];
        AddressBlock block;
        block.offset = layout.offsets[i];
        block.bytes = instance.bytes;
        block.endStep = instance.endStep;
        map->largestBytes = std::max(map->largestBytes, instance.bytes);
        if (!instance.storage) {
            block.op = instance.workspaceOf;
            block.firstStep = instance.firstStep;
            block.category = Category::Workspace;
            map->blocks.push_back(block);
            continue;
        }
        block.storage = instance.storage;
        block.op = graph.storage(instance.storage).producer;
        for (std::int32_t at = instance.firstStep; at < instance.endStep;) {
            const auto found = rangeAt.find({instance.storage.index(), at});
            const LiveRange *range = found == rangeAt.end() ? nullptr : found->second;
            block.firstStep = at;
            block.endStep = range ? std::clamp(range->lastStep + 1, at + 1, instance.endStep) : instance.endStep;
            if (range) block.category = range->category;
            // What is left after the last range is the step that frees it.
            const bool last = rangeAt.find({instance.storage.index(), block.endStep}) == rangeAt.end();
            if (last) block.endStep = instance.endStep;
            map->blocks.push_back(block);
            at = block.endStep;
        }
    }
    std::stable_sort(map->blocks.begin(), map->blocks.end(),
                     [](const AddressBlock &a, const AddressBlock &b) { return a.firstStep < b.firstStep; });
    return map;
}

std::int64_t gapBytesAt(const AddressMap &map, std::int32_t step)
{
    std::int64_t top = 0, held = 0;
    for (const AddressBlock &block : map.blocks) {
        if (block.firstStep > step) break;
        if (block.endStep <= step) continue;
        top = std::max(top, block.offset + block.bytes);
        held += block.bytes;
    }
    return top - held;
}

} // namespace remat
