// SPDX-License-Identifier: Apache-2.0
#include "core/views/range_sums.h"

#include "core/views/copy_lives.h"

#include <algorithm>
#include <map>

namespace remat {

namespace {

std::string groupOf(const Graph &graph, const CopyLife &life, GroupBy by)
{
    const Storage &storage = graph.storage(life.storage);
    switch (by) {
    case GroupBy::Category:
        return categoryName(life.category);
    case GroupBy::Storage:
        return storage.name;
    case GroupBy::Type:
        return scalarType(storage.type);
    case GroupBy::Module:
    case GroupBy::Block:
    case GroupBy::Kind:
        break;
    }
    return storage.producer ? groupOf(graph, storage.producer, by) : std::string();
}

} // namespace

std::vector<RangeSum> rangeSums(const Graph &graph, const MemoryTimeline &timeline, const RangeFigures &figures,
                                GroupBy by)
{
    std::map<std::string, RangeSum> sums;
    const bool ofOps = by != GroupBy::Category && by != GroupBy::Storage;
    for (std::size_t i = figures.firstSample; ofOps && i < figures.endSample; ++i) {
        RangeSum &sum = sums[groupOf(graph, timeline.op[i], by)];
        const double us =
            std::max(0.0, std::min(timeline.endUs[i], figures.toUs) - std::max(timeline.startUs[i], figures.fromUs));
        ++sum.computations;
        sum.timeUs += us;
        if (timeline.recompute[i]) sum.recomputeUs += us;
    }
    const auto inside = [&figures](std::int32_t step) {
        return step >= figures.firstStep && step < figures.firstStep + figures.steps;
    };
    for (const CopyLife &life : copyLives(graph, timeline)) {
        const bool came = inside(life.firstStep), went = inside(life.lastStep) && !life.heldAtTheEnd;
        if (!came && !went) continue;
        RangeSum &sum = sums[groupOf(graph, life, by)];
        const std::int64_t bytes = graph.storage(life.storage).bytes;
        if (came) sum.cameBytes += bytes;
        if (went) sum.wentBytes += bytes;
        if (by == GroupBy::Storage) sum.storage = life.storage;
    }
    std::vector<RangeSum> sorted;
    sorted.reserve(sums.size());
    for (auto &[name, sum] : sums) {
        sum.name = name;
        sorted.push_back(std::move(sum));
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const RangeSum &a, const RangeSum &b) {
        const auto moved = [](const RangeSum &sum) { return sum.cameBytes + sum.wentBytes; };
        return moved(a) != moved(b) ? moved(a) > moved(b) : a.timeUs > b.timeUs;
    });
    return sorted;
}

} // namespace remat
