// SPDX-License-Identifier: Apache-2.0
#include "solvers/uses/largest_batch.h"

#include "core/plan/simulator.h"

#include <algorithm>

namespace remat {

Expected<std::int64_t> largestBatch(std::int64_t least, std::int64_t most, std::int64_t start, std::int64_t precision,
                                    const std::function<Expected<bool>(std::int64_t)> &fits)
{
    if (least > most) return least - 1;
    std::int64_t low = least - 1, high = most + 1, next = std::clamp(start, least, most);
    while (high - low > std::max<std::int64_t>(1, precision > 0 ? low / precision : 0)) {
        const Expected<bool> good = fits(next);
        if (!good) return tl::unexpected(good.error());
        (*good ? low : high) = next;
        next = high > most ? std::min(2 * low, most) : (low + high) / 2;
        if (next == low) break;
    }
    return low;
}

namespace {

/// What training takes where only the graph is another: states and update are of the parameters.
Expected<FitNeeds> needsOf(const Graph &graph, const SolveRequest &request, FitNeeds needs)
{
    const auto kept = simulate(graph, *request.costs, keepAllPlan(graph).steps);
    if (!kept) return tl::unexpected(kept.error());
    needs.stepBytes = kept->peakBytes;
    for (std::size_t storage = 0; storage < graph.storages.size(); ++storage)
        if (isResident(graph.storages[storage].kind))
            needs.residentBytes += graph.storages[storage].bytes - request.graph->storages[storage].bytes;
    return needs;
}

} // namespace

Expected<LargestBatches> largestBatches(const BatchLine &line, const FitNeeds &needs, std::int64_t memoryBytes,
                                        double reserve, const Planner &planner, const SolveRequest &request,
                                        const SolveContext &context)
{
    const auto keepAll = findPlanner("keep-all");
    if (!keepAll) return tl::unexpected(keepAll.error());
    const auto fits = [&](const Planner &by, const OptionSet &options, std::int64_t batch) -> Expected<bool> {
        if (context.stop && context.stop->stopRequested()) return false;
        const auto graph = graphOfBatch(*request.graph, line, batch);
        if (!graph) return false; // larger than any memory
        const auto own = needsOf(*graph, request, needs);
        if (!own) return tl::unexpected(own.error());
        SolveRequest asked = request;
        asked.graph = &*graph;
        asked.program = nullptr; // it belongs to another batch
        asked.start = nullptr;
        asked.options = options;
        SolveContext limited = context;
        limited.deadline = Deadline(kBatchSeconds);
        const auto fit = judgeFit(*own, memoryBytes, reserve, by, std::move(asked), limited);
        if (!fit) return tl::unexpected(fit.error());
        return fit->verdict <= FitVerdict::FitsWithPlan;
    };
    const auto nothing = makeOptions((*keepAll)->info.options, {});
    if (!nothing) return tl::unexpected(nothing.error());
    const auto asItIs = largestBatch(1, kMostSamples, line.batch, 0,
                                     [&](std::int64_t batch) { return fits(**keepAll, *nothing, batch); });
    if (!asItIs) return tl::unexpected(asItIs.error());
    const auto withPlan = largestBatch(*asItIs + 1, kMostSamples, line.batch, 50,
                                       [&](std::int64_t batch) { return fits(planner, request.options, batch); });
    if (!withPlan) return tl::unexpected(withPlan.error());
    return LargestBatches{*asItIs, *withPlan};
}

} // namespace remat
