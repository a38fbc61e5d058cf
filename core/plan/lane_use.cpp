// SPDX-License-Identifier: Apache-2.0
#include "core/plan/lane_use.h"

#include "core/base/units.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <utility>

namespace remat {

namespace {

/// A lane that works this share of the time leaves hardly anything to gain elsewhere.
constexpr double kBusy = 0.9;

std::string shareText(double partUs, double wholeUs)
{
    return formatShare(wholeUs > 0 ? partUs / wholeUs : 0);
}

} // namespace

Expected<LaneUse> laneUse(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps)
{
    const Expected<Simulation> simulation = simulate(graph, costs, steps);
    if (!simulation) return tl::unexpected(simulation.error());
    LaneUse use;
    use.timeUs = simulation->timeUs;
    use.recomputeUs = simulation->recomputeUs;
    for (const Step &step : steps) {
        if (step.kind == StepKind::Compute)
            (graph.op(step.op).onHost ? use.hostUs : use.computeUs) += costs.time(step.op);
        else if (step.kind != StepKind::Free)
            (step.kind == StepKind::Offload ? use.toHostUs : use.fromHostUs) +=
                copyTimeUs(costs, graph.storage(step.storage).bytes);
    }
    return use;
}

const char *limitName(const LaneUse &use)
{
    const std::array<std::pair<double, const char *>, 4> lanes = {{{use.computeUs, "computing"},
                                                                   {use.toHostUs, "the link to host memory"},
                                                                   {use.fromHostUs, "the link from host memory"},
                                                                   {use.hostUs, "updates on the host"}}};
    const auto most =
        *std::max_element(lanes.begin(), lanes.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    return most.first >= kBusy * use.timeUs ? most.second : "waiting";
}

std::string limitSentence(const LaneUse &use)
{
    std::string text = limitName(use);
    text += fmt::format(": the device works {} of the time", shareText(use.computeUs, use.timeUs));
    if (use.recomputeUs > 0) text += fmt::format(" ({} of it again)", shareText(use.recomputeUs, use.computeUs));
    text += fmt::format(", the link {} out and {} back", shareText(use.toHostUs, use.timeUs),
                        shareText(use.fromHostUs, use.timeUs));
    if (use.hostUs > 0) text += ", updates on the host " + shareText(use.hostUs, use.timeUs);
    return text;
}

} // namespace remat
