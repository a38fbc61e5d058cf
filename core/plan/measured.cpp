// SPDX-License-Identifier: Apache-2.0
#include "core/plan/measured.h"

#include "core/base/units.h"
#include "core/plan/plan_verdict.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <map>

namespace remat {

namespace {

/// `12 MiB more` or `12 MiB less`.
std::string moreOrLess(std::int64_t bytes)
{
    return formatBytes(std::abs(bytes), bytes > 0 ? Rounding::Up : Rounding::Down) + (bytes > 0 ? " more" : " less");
}

/// The largest of each key, largest first.
template <class Key, class Gap, class Size>
std::vector<Gap> largest(const std::map<Key, Gap> &gaps, std::size_t most, const Size &size)
{
    std::vector<Gap> sorted;
    sorted.reserve(gaps.size());
    for (const auto &[key, gap] : gaps)
        sorted.push_back(gap);
    std::stable_sort(sorted.begin(), sorted.end(), [&](const Gap &a, const Gap &b) { return size(a) > size(b); });
    sorted.resize(std::min(sorted.size(), most));
    return sorted;
}

} // namespace

const std::vector<StepMeasurement> *measuredSteps(const Plan &plan)
{
    if (!plan.validated || plan.validated->steps.empty() || plan.validated->steps.size() != plan.steps.size() ||
        !recordBelongs(*plan.validated, plan))
        return nullptr;
    return &plan.validated->steps;
}

MemoryGap memoryGap(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps,
                    const Simulation &simulated, const std::vector<StepMeasurement> &measured, std::size_t step)
{
    MemoryGap gap{step, steps[step].op};
    gap.bytes = measured[step].heldBytes - simulated.steps[step].heldBytes;
    gap.workspaceBytes = measured[step].workspaceBytes - costs.workspace(gap.op);
    gap.madeBytes = measured[step].madeBytes;
    for (const StorageId output : graph.op(gap.op).outputs)
        gap.madeBytes -= graph.storage(output).bytes;
    return gap;
}

std::string gapSentence(const Graph &graph, const MemoryGap &gap)
{
    const std::string &name = graph.op(gap.op).name;
    const auto share = [&](std::int64_t part) { return gap.bytes > 0 ? part : -part; };
    const std::int64_t workspace = share(gap.workspaceBytes), made = share(gap.madeBytes),
                       held = share(gap.heldBytes());
    if (workspace >= made && workspace >= held)
        return fmt::format("{} needs {} workspace than the cost table says.", name, moreOrLess(gap.workspaceBytes));
    if (made >= held) return fmt::format("{} makes {} than the trace says.", name, moreOrLess(gap.madeBytes));
    return fmt::format("When {} runs, the storages held weigh {} than the trace says.", name,
                       moreOrLess(gap.heldBytes()));
}

MeasuredGaps measuredGaps(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps,
                          const Simulation &simulated, const std::vector<StepMeasurement> &measured, std::size_t most)
{
    std::map<OpId, MemoryGap> memory;
    std::map<std::pair<OpId, StorageId>, TimeGap> time; // key: an op, or copies of a storage
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const Step &at = steps[step];
        if (at.kind == StepKind::Compute) {
            const MemoryGap gap = memoryGap(graph, costs, steps, simulated, measured, step);
            MemoryGap &known = memory[at.op];
            if (std::abs(gap.bytes) > std::abs(known.bytes)) known = gap;
        }
        const StepMeasurement &took = measured[step];
        if (at.kind == StepKind::Free || took.endUs <= 0) continue;
        const TimeGap gap{step, took.endUs - took.startUs, simulated.steps[step].endUs - simulated.steps[step].startUs};
        TimeGap &known = time[{at.op, at.storage}];
        if (std::abs(gap.us()) >= std::abs(known.us())) known = gap;
    }
    std::erase_if(memory, [](const auto &item) { return item.second.bytes == 0; });
    MeasuredGaps gaps;
    gaps.memory = largest(memory, most, [](const MemoryGap &gap) { return std::abs(gap.bytes); });
    gaps.time = largest(time, most, [](const TimeGap &gap) { return std::abs(gap.us()); });
    return gaps;
}

} // namespace remat
