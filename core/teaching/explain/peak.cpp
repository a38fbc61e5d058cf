// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/explain/peak.h"

#include <algorithm>

namespace remat {

Moment momentAt(const Graph &graph, const MemoryTimeline &timeline, std::size_t sample)
{
    Moment moment;
    moment.sample = sample;
    moment.step = timeline.step[sample];
    moment.op = timeline.op[sample];
    moment.bytes = timeline.totalBytes[sample];
    moment.workspaceBytes = timeline.bytes[static_cast<std::size_t>(Category::Workspace)][sample];

    const std::vector<LiveRange> alive = aliveAt(graph, timeline, sample);
    std::vector<int> placeOf(graph.storages.size(), -1);
    for (const LiveRange &range : alive) {
        const Storage &storage = graph.storage(range.storage);
        placeOf[range.storage.index()] = static_cast<int>(moment.holders.size());
        moment.holders.push_back({range.storage, range.category, storage.bytes, range.recomputed, storage.isOutput,
                                  storage.producer, OpId(), -1});
    }
    std::size_t open = moment.holders.size();
    for (std::size_t at = sample; at < timeline.op.size() && open > 0; ++at) {
        for (const StorageId input : graph.op(timeline.op[at]).inputs) {
            const int place = placeOf[input.index()];
            if (place < 0) continue;
            placeOf[input.index()] = -1;
            --open;
            // A read after the end of this copy is of another one.
            if (timeline.step[at] > alive[static_cast<std::size_t>(place)].lastStep) continue;
            Holder &holder = moment.holders[static_cast<std::size_t>(place)];
            holder.nextReader = timeline.op[at];
            holder.nextStep = timeline.step[at];
        }
    }
    return moment;
}

} // namespace remat
