// SPDX-License-Identifier: Apache-2.0
// How tests call a planner.
#pragma once

#include "core/plan/simulator.h"
#include "solvers/interface/solver.h"
#include "tests/support/graphs.h"

#include <limits>
#include <map>
#include <string>
#include <vector>

namespace remat::test {

/// A graph with the costs a test plans it with.
struct Case {
    Graph graph;
    CostTable costs;
    std::int64_t keepAllPeakBytes = 0;
    double keepAllTimeUs = 0;

    Case(Graph g, CostTable c) : graph(std::move(g)), costs(std::move(c))
    {
        const SequenceCost cost = sequenceCost(graph, costs, computeSequence(keepAllPlan(graph)));
        keepAllPeakBytes = cost.peakBytes;
        keepAllTimeUs = cost.timeUs;
    }
    explicit Case(const Graph &g) : Case(g, graphCosts(g)) {}

    std::int64_t percent(double share) const
    {
        return static_cast<std::int64_t>(static_cast<double>(keepAllPeakBytes) * share / 100);
    }
};

/// The same case with a link of that rate and no latency.
inline Case withLink(Case of, double bytesPerSecond)
{
    of.costs.linkBytesPerSecond = bytesPerSecond;
    of.costs.linkLatencyUs = 0;
    return of;
}

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline const StopCheck kNever = [] { return false; };

/// A solve that may take so long.
inline SolveContext within(double seconds, int threads = 2)
{
    SolveContext context;
    context.deadline = Deadline(seconds);
    context.threads = threads;
    return context;
}

/// The sample called `name` under the device `reference`.
inline Expected<Case> sampleCase(const std::string &name)
{
    Expected<Model> model = loadSample(name);
    if (!model) return tl::unexpected(model.error());
    const Expected<Device> device = findDevice("reference");
    if (!device) return tl::unexpected(device.error());
    CostTable costs = rooflineCosts(*model, *device);
    return Case(std::move(model->graph), std::move(costs));
}

inline Expected<SolveOutcome> plan(const std::string &planner, const Case &of, std::int64_t budgetBytes,
                                   const SolveContext &context = {}, const std::map<std::string, std::string> &set = {},
                                   std::shared_ptr<const Plan> start = nullptr, const Pins &pins = {})
{
    const Expected<const Planner *> found = findPlanner(planner);
    if (!found) return tl::unexpected(found.error());
    Expected<OptionSet> options = makeOptions((*found)->info.options, set);
    if (!options) return tl::unexpected(options.error());
    SolveRequest request;
    request.graph = &of.graph;
    request.costs = &of.costs;
    request.budgetBytes = budgetBytes;
    request.options = std::move(*options);
    request.start = std::move(start);
    request.pins = pins;
    return solve(**found, request, context);
}

/// What an option of a planner may be set to.
inline std::vector<std::string> choicesOf(const std::string &planner, const std::string &option)
{
    for (const OptionRecord &record : (*findPlanner(planner))->info.options)
        if (record.name == option) return record.choices;
    return {};
}

/// Added time in percent of keep-all.
inline double overhead(const Case &of, const SolveOutcome &outcome)
{
    return 100 * (outcome.plan->predicted.timeUs / of.keepAllTimeUs - 1);
}

/// The sentence of a failed call, for QVERIFY2.
template <class T>
std::string sentenceOf(const Expected<T> &result)
{
    return result ? std::string() : result.error().message;
}

} // namespace remat::test
