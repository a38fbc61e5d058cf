// SPDX-License-Identifier: Apache-2.0
#include "core/plan/timeline.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace remat {

namespace {

/// Steps [first, last].
struct Span {
    std::int32_t first = 0, last = -1;
};

/// A copy in device memory whose end is not known yet.
struct OpenCopy {
    std::int32_t firstStep = 0;
    bool recomputed = false;
    std::vector<Span> transfers; ///< while a copy from or to host memory runs
};

class Walk
{
public:
    Walk(const Graph &graph, const std::vector<Step> &steps, const Simulation &simulation, MemoryTimeline &timeline)
        : m_graph(graph),
          m_steps(steps),
          m_simulation(simulation),
          m_timeline(timeline),
          m_open(graph.storages.size()),
          m_hostRecomputed(graph.storages.size(), 0),
          m_computed(graph.ops.size(), 0)
    {
    }

    void run()
    {
        const std::vector<char> onHost = beginsOnHost(m_graph, m_steps);
        for (std::size_t s = 0; s < m_open.size(); ++s)
            if (m_graph.storages[s].plannedParameter && !onHost[s]) m_open[s] = OpenCopy{};
        for (std::size_t i = 0; i < m_steps.size(); ++i)
            if (m_steps[i].kind == StepKind::Compute) addSample(i);
        for (std::size_t i = 0; i < m_steps.size(); ++i)
            follow(static_cast<std::int32_t>(i), m_steps[i], m_simulation.steps[i]);
        for (std::size_t s = 0; s < m_open.size(); ++s)
            if (m_open[s]) close(StorageId(s), static_cast<std::int32_t>(m_steps.size()) - 1);
        std::stable_sort(m_timeline.ranges.begin(), m_timeline.ranges.end(),
                         [](const LiveRange &a, const LiveRange &b) { return a.firstStep < b.firstStep; });
    }

private:
    void addSample(std::size_t step)
    {
        const OpId op = m_steps[step].op;
        m_timeline.step.push_back(static_cast<std::int32_t>(step));
        m_timeline.op.push_back(op);
        if (m_graph.op(op).onHost) {
            m_timeline.startUs.push_back(m_lastEndUs);
        } else {
            m_timeline.startUs.push_back(m_simulation.steps[step].startUs);
            m_lastEndUs = m_simulation.steps[step].endUs;
        }
        m_timeline.endUs.push_back(m_lastEndUs);
        m_timeline.recompute.push_back(m_computed[op.index()] ? 1 : 0);
        m_computed[op.index()] = 1;
        m_timeline.totalBytes.push_back(m_simulation.steps[step].heldBytes);
    }

    void follow(std::int32_t i, const Step &step, const StepMemory &clock)
    {
        if (step.kind == StepKind::Compute) {
            const bool recomputed = m_timeline.recompute[m_sample++] != 0;
            for (const StorageId output : m_graph.op(step.op).outputs) {
                std::optional<OpenCopy> &copy = m_open[output.index()];
                if (copy)
                    addRange(output, {i, i}, category(output, true), true); // the second copy, dropped at once
                else
                    copy = OpenCopy{i, recomputed, {}};
            }
            return;
        }
        std::optional<OpenCopy> &copy = m_open[step.storage.index()];
        char &hostRecomputed = m_hostRecomputed[step.storage.index()];
        if (step.kind == StepKind::Free) {
            close(step.storage, i - 1);
        } else if (step.kind == StepKind::Offload) {
            hostRecomputed = copy->recomputed ? 1 : 0;
            copy->transfers.push_back({std::max(i, firstStepEndingAfter(clock.startUs)), lastStepBefore(clock.endUs)});
        } else {
            copy = OpenCopy{i, hostRecomputed != 0, {}};
            copy->transfers.push_back({i, lastStepBefore(clock.endUs)});
        }
    }

    /// The step of the first sample that still runs after `us`; past all steps when there is none.
    std::int32_t firstStepEndingAfter(double us) const
    {
        const auto at = std::upper_bound(m_timeline.endUs.begin(), m_timeline.endUs.end(), us);
        return at == m_timeline.endUs.end() ? static_cast<std::int32_t>(m_steps.size())
                                            : m_timeline.step[static_cast<std::size_t>(at - m_timeline.endUs.begin())];
    }

    /// The step of the last sample that starts before `us`; -1 when there is none.
    std::int32_t lastStepBefore(double us) const
    {
        const auto at = std::lower_bound(m_timeline.startUs.begin(), m_timeline.startUs.end(), us);
        if (at == m_timeline.startUs.begin()) return -1;
        return m_timeline.step[static_cast<std::size_t>(at - m_timeline.startUs.begin()) - 1];
    }

    Category category(StorageId storage, bool recomputed) const
    {
        switch (m_graph.storage(storage).kind) {
        case StorageKind::Parameter:
            return Category::Weights;
        case StorageKind::State:
            return Category::States;
        case StorageKind::ParameterGradient:
            return Category::ParameterGradients;
        case StorageKind::Gradient:
            return Category::Gradients;
        default:
            return recomputed ? Category::RecomputedActivations : Category::KeptActivations;
        }
    }

    /// Ends a copy: its transfers become ranges of their own.
    void close(StorageId storage, std::int32_t lastStep)
    {
        const OpenCopy copy = *std::exchange(m_open[storage.index()], std::nullopt);
        const Category own = category(storage, copy.recomputed);
        std::int32_t next = copy.firstStep;
        for (Span transfer : copy.transfers) {
            transfer = {std::max(transfer.first, next), std::min(transfer.last, lastStep)};
            if (transfer.first > transfer.last) continue;
            addRange(storage, {next, transfer.first - 1}, own, copy.recomputed);
            addRange(storage, transfer, Category::Offloaded, copy.recomputed);
            next = transfer.last + 1;
        }
        addRange(storage, {next, lastStep}, own, copy.recomputed);
    }

    void addRange(StorageId storage, Span span, Category category, bool recomputed)
    {
        if (span.first > span.last) return;
        m_timeline.ranges.push_back({storage, span.first, span.last, category, recomputed});
    }

    const Graph &m_graph;
    const std::vector<Step> &m_steps;
    const Simulation &m_simulation;
    MemoryTimeline &m_timeline;
    std::vector<std::optional<OpenCopy>> m_open; ///< per storage
    std::vector<char> m_hostRecomputed;          ///< per storage: the copy in host memory was of a recomputed one
    std::vector<char> m_computed;
    std::size_t m_sample = 0;
    double m_lastEndUs = 0; ///< end of the last op on the device
};

/// Adds the ranges up, and the workspaces.
void fillBands(const Graph &graph, const CostTable &costs, MemoryTimeline &timeline)
{
    const std::size_t samples = timeline.step.size();
    for (std::vector<std::int64_t> &band : timeline.bytes)
        band.assign(samples + 1, 0);
    const auto sampleFrom = [&](std::int32_t step) {
        return static_cast<std::size_t>(std::lower_bound(timeline.step.begin(), timeline.step.end(), step) -
                                        timeline.step.begin());
    };
    for (const LiveRange &range : timeline.ranges) {
        std::vector<std::int64_t> &band = timeline.bytes[static_cast<std::size_t>(range.category)];
        band[sampleFrom(range.firstStep)] += graph.storage(range.storage).bytes;
        band[sampleFrom(range.lastStep + 1)] -= graph.storage(range.storage).bytes;
    }
    for (std::vector<std::int64_t> &band : timeline.bytes) {
        std::partial_sum(band.begin(), band.end(), band.begin());
        band.pop_back();
    }
    std::vector<std::int64_t> &workspace = timeline.bytes[static_cast<std::size_t>(Category::Workspace)];
    for (std::size_t i = 0; i < samples; ++i)
        workspace[i] = costs.workspace(timeline.op[i]);
}

} // namespace

const char *categoryName(Category category)
{
    switch (category) {
    case Category::Weights:
        return "Weights";
    case Category::States:
        return "Optimizer states";
    case Category::ParameterGradients:
        return "Parameter gradients";
    case Category::KeptActivations:
        return "Kept activations";
    case Category::Offloaded:
        return "Offloaded";
    case Category::Gradients:
        return "Gradients";
    case Category::RecomputedActivations:
        return "Recomputed activations";
    case Category::Workspace:
        return "Workspace";
    }
    return "";
}

Expected<MemoryTimeline> buildTimeline(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps)
{
    const Expected<Simulation> simulation = simulate(graph, costs, steps);
    if (!simulation) return tl::unexpected<Error>(simulation.error());
    MemoryTimeline timeline;
    timeline.peakBytes = simulation->peakBytes;
    timeline.timeUs = simulation->timeUs;
    Walk(graph, steps, *simulation, timeline).run();
    fillBands(graph, costs, timeline);
    if (!timeline.totalBytes.empty())
        timeline.peakSample = static_cast<std::size_t>(
            std::max_element(timeline.totalBytes.begin(), timeline.totalBytes.end()) - timeline.totalBytes.begin());
    return timeline;
}

Expected<MemoryTimeline> planTimeline(const Graph &graph, const CostTable &costs, const Plan &plan)
{
    if (plan.parametersPlanned == graph.parametersPlanned) return buildTimeline(graph, costs, plan.steps);
    if (!plan.parametersPlanned) return fail("The plan keeps parameters resident; the graph at hand plans them.");
    return buildTimeline(withPlannedParameters(graph), costs, plan.steps);
}

std::vector<LiveRange> aliveAt(const Graph &graph, const MemoryTimeline &timeline, std::size_t sample)
{
    std::vector<LiveRange> alive;
    if (sample >= timeline.step.size()) return alive;
    const std::int32_t step = timeline.step[sample];
    for (const LiveRange &range : timeline.ranges) {
        if (range.firstStep > step) break;
        if (range.lastStep >= step) alive.push_back(range);
    }
    std::stable_sort(alive.begin(), alive.end(), [&](const LiveRange &a, const LiveRange &b) {
        return graph.storage(a.storage).bytes > graph.storage(b.storage).bytes;
    });
    return alive;
}

} // namespace remat
