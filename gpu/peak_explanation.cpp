// SPDX-License-Identifier: Apache-2.0
#include "gpu/peak_explanation.h"

#include "core/plan/measured.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace remat {
namespace {

constexpr std::size_t kMostReasons = 5;

} // namespace

PeakExplanation explainPeak(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps,
                            const Simulation &simulated, const Replay &measured)
{
    PeakExplanation result;
    const auto predicted = static_cast<double>(simulated.peakBytes);
    const double difference = static_cast<double>(measured.peakBytes) - predicted;
    if (std::abs(difference) <= kPeakTolerance * predicted) return result;
    result.withinTolerance = false;
    if (difference < 0) {
        const Step &peak = steps[simulated.peakStep];
        if (peak.kind == StepKind::Compute)
            result.reasons.push_back(
                "The predicted peak is not reached: " +
                gapSentence(graph, memoryGap(graph, costs, steps, simulated, measured.steps, simulated.peakStep)));
        return result;
    }
    const auto limit = static_cast<std::int64_t>(predicted * (1 + kPeakTolerance));
    std::map<OpId, MemoryGap> reasons; // per op the largest
    for (std::size_t index = 0; index < steps.size(); ++index) {
        if (steps[index].kind != StepKind::Compute || measured.steps[index].heldBytes <= limit) continue;
        const MemoryGap gap = memoryGap(graph, costs, steps, simulated, measured.steps, index);
        if (measured.steps[index].heldBytes - std::max<std::int64_t>(0, gap.workspaceBytes) > limit)
            result.workspaceExplains = false;
        MemoryGap &known = reasons[gap.op];
        if (gap.bytes > known.bytes) known = gap;
    }
    std::vector<MemoryGap> sorted;
    for (const auto &[op, gap] : reasons)
        if (gap.bytes > 0) sorted.push_back(gap);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const MemoryGap &a, const MemoryGap &b) { return a.bytes > b.bytes; });
    for (std::size_t index = 0; index < std::min(sorted.size(), kMostReasons); ++index)
        result.reasons.push_back(gapSentence(graph, sorted[index]));
    return result;
}

bool workspaceKnown(const CostSource &costs, const ValidationRecord &run)
{
    // A profile's source is named after the title of its device (`profileCosts`), number of threads included.
    return costs.kind == "profile" && !run.deviceTitle.empty() && costs.device == run.deviceTitle;
}

} // namespace remat
