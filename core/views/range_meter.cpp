// SPDX-License-Identifier: Apache-2.0
#include "core/views/range_meter.h"

#include "core/views/copy_lives.h"

#include <algorithm>

namespace remat {

RangeMeter::RangeMeter(const Graph &graph, const MemoryTimeline &timeline)
{
    m_steps = stepsOf(timeline);
    for (const CopyLife &life : copyLives(graph, timeline)) {
        const std::int64_t bytes = graph.storage(life.storage).bytes;
        m_allocated.push_back({life.firstStep, bytes});
        if (!life.heldAtTheEnd) m_freed.push_back({life.lastStep, bytes});
    }
    for (std::vector<Change> *changes : {&m_allocated, &m_freed}) {
        std::sort(changes->begin(), changes->end(), [](const Change &a, const Change &b) { return a.step < b.step; });
        for (std::size_t i = 1; i < changes->size(); ++i)
            (*changes)[i].sumBytes += (*changes)[i - 1].sumBytes;
    }
}

std::int64_t RangeMeter::between(const std::vector<Change> &changes, std::int32_t first, std::int32_t end)
{
    const auto sumBefore = [&](std::int32_t step) -> std::int64_t {
        const auto place =
            std::lower_bound(changes.begin(), changes.end(), step,
                             [](const Change &change, std::int32_t value) { return change.step < value; });
        return place == changes.begin() ? 0 : (place - 1)->sumBytes;
    };
    return sumBefore(end) - sumBefore(first);
}

RangeFigures RangeMeter::measure(const MemoryTimeline &timeline, const SampleAxis &axis, Span range) const
{
    RangeFigures figures;
    const std::vector<double> &edges = axis.edges();
    range.from = std::clamp(range.from, 0.0, axis.length());
    range.to = std::clamp(range.to, 0.0, axis.length());
    if (axis.count() == 0 || range.to <= range.from) return figures;
    figures.firstSample = axis.sampleAt(range.from);
    figures.endSample = axis.sampleAt(range.to) + 1;
    if (figures.endSample - figures.firstSample > 1 && edges[figures.endSample - 1] >= range.to) --figures.endSample;

    const double fromUs = axis.toTime(range.from), toUs = axis.toTime(range.to);
    figures.fromUs = fromUs;
    figures.toUs = toUs;
    figures.timeUs = toUs - fromUs;
    const std::size_t count = axis.count();
    const std::int32_t first = figures.firstSample == 0 ? 0 : timeline.step[figures.firstSample];
    const std::int32_t end = figures.endSample < count ? timeline.step[figures.endSample] : m_steps;
    figures.firstStep = first;
    figures.steps = end - first;
    figures.allocatedBytes = between(m_allocated, first, end);
    figures.freedBytes = between(m_freed, first, end);
    double sum = 0, weight = 0;
    for (std::size_t i = figures.firstSample; i < figures.endSample; ++i) {
        const double begins = i == 0 ? 0 : timeline.startUs[i];
        const double ends = i + 1 < count ? timeline.startUs[i + 1] : std::max(timeline.timeUs, timeline.endUs[i]);
        const double inside = std::max(0.0, std::min(ends, toUs) - std::max(begins, fromUs));
        sum += inside * static_cast<double>(timeline.totalBytes[i]);
        weight += inside;
        figures.maxBytes = std::max(figures.maxBytes, timeline.totalBytes[i]);
        if (timeline.recompute[i])
            figures.recomputeUs +=
                std::max(0.0, std::min(timeline.endUs[i], toUs) - std::max(timeline.startUs[i], fromUs));
    }
    figures.meanBytes = weight > 0 ? sum / weight : static_cast<double>(figures.maxBytes);
    return figures;
}

} // namespace remat
