// SPDX-License-Identifier: Apache-2.0
#include "solvers/solve/steer/blame.h"

#include "core/base/memory_units.h"
#include "core/base/stop_token.h"
#include "solvers/search/greedy.h"
#include "solvers/solve/steer/steered_graph.h"
#include "solvers/tools/flat.h"

#include <algorithm>
#include <fmt/core.h>
#include <limits>

namespace remat::steer {

namespace {

constexpr std::size_t kMostTried = 200;
constexpr double kMostSeconds = 2;

/// One decision of the pins.
struct One {
    Decision kind = Decision::Keep;
    std::int32_t id = -1;
    std::int64_t bytes = 0;
};

std::int64_t bytesMade(const Graph &graph, OpId op)
{
    std::int64_t bytes = 0;
    for (const StorageId output : graph.op(op).outputs)
        bytes += graph.storage(output).bytes;
    return bytes;
}

std::vector<One> largestFirst(const Graph &graph, const Pins &pins)
{
    std::vector<One> all;
    all.reserve(pins.keep.size() + pins.recompute.size() + pins.never.size());
    for (const StorageId storage : pins.keep)
        all.push_back({Decision::Keep, storage.value, graph.storage(storage).bytes});
    for (const OpId op : pins.recompute)
        all.push_back({Decision::Recompute, op.value, bytesMade(graph, op)});
    for (const OpId op : pins.never)
        all.push_back({Decision::Never, op.value, bytesMade(graph, op)});
    std::stable_sort(all.begin(), all.end(), [](const One &a, const One &b) { return a.bytes > b.bytes; });
    return all;
}

Pins without(Pins pins, const One &one)
{
    if (one.kind == Decision::Keep)
        std::erase(pins.keep, StorageId(one.id));
    else
        std::erase(one.kind == Decision::Recompute ? pins.recompute : pins.never, OpId(one.id));
    return pins;
}

std::string words(const Graph &graph, const One &one)
{
    if (one.kind == Decision::Keep) return "To keep " + graph.storage(StorageId(one.id)).name;
    const std::string &name = graph.op(OpId(one.id)).name;
    return one.kind == Decision::Recompute ? "To recompute " + name : "Never to recompute " + name;
}

constexpr std::int64_t kNoPlan = std::numeric_limits<std::int64_t>::max();

/// The smallest peak that the greedy search gets to; it aims at the budget and stops there.
std::int64_t reachedPeak(const Graph &graph, const CostTable &costs, const Pins &pins, std::int64_t budgetBytes,
                         const std::function<bool()> &stop)
{
    const Expected<SteeredGraph> steered = steerGraph(graph, costs, pins, Strictness::Relaxed);
    if (!steered) return kNoPlan;
    return search::greedyPlan(flatten(steered->graph, steered->costs), budgetBytes, {}, stop).peakBytes;
}

} // namespace

std::string mostBinding(const Graph &graph, const CostTable &costs, const Pins &pins, std::int64_t budgetBytes,
                        const std::function<bool()> &stop)
{
    const Deadline deadline(kMostSeconds);
    const auto enough = [&] { return stop() || deadline.passed(); };
    const std::int64_t withAll = reachedPeak(graph, costs, pins, budgetBytes, enough);
    std::vector<One> tried = largestFirst(graph, pins);
    if (tried.size() > kMostTried) tried.resize(kMostTried);

    const One *worst = nullptr;
    std::int64_t least = withAll;
    for (const One &one : tried) {
        if (enough()) break;
        const std::int64_t peak = reachedPeak(graph, costs, without(pins, one), budgetBytes, enough);
        if (peak >= least) continue;
        least = peak;
        worst = &one;
    }
    if (!worst) return {};
    if (least <= budgetBytes) return words(graph, *worst) + " binds most: without it there is a plan.";
    return fmt::format("{} binds most: without it the smallest peak reached is {}, with it {}.", words(graph, *worst),
                       formatMemory(least), formatMemory(withAll));
}

} // namespace remat::steer
