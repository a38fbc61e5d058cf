// SPDX-License-Identifier: Apache-2.0
#include "core/views/copy_lives.h"

#include <algorithm>
#include <map>

namespace remat {

std::int32_t stepsOf(const MemoryTimeline &timeline)
{
    std::int32_t steps = timeline.step.empty() ? 0 : timeline.step.back() + 1;
    for (const LiveRange &range : timeline.ranges)
        steps = std::max(steps, range.lastStep + 1);
    return steps;
}

std::vector<CopyLife> copyLives(const Graph &graph, const MemoryTimeline &timeline)
{
    std::vector<CopyLife> lives;
    std::map<std::pair<std::size_t, std::int32_t>, std::size_t> endingBefore; // storage and step, of a life
    for (const LiveRange &range : timeline.ranges) {
        const auto before = endingBefore.find({range.storage.index(), range.firstStep});
        std::size_t at = lives.size();
        if (before != endingBefore.end()) {
            at = before->second;
            endingBefore.erase(before);
            lives[at].lastStep = range.lastStep;
        } else {
            lives.push_back({range.storage, range.firstStep, range.lastStep, range.category, range.recomputed, false});
        }
        endingBefore[{range.storage.index(), range.lastStep + 1}] = at;
    }
    const std::int32_t steps = stepsOf(timeline);
    for (CopyLife &life : lives)
        life.heldAtTheEnd = life.lastStep + 1 >= steps && graph.storage(life.storage).isOutput;
    return lives;
}

} // namespace remat
