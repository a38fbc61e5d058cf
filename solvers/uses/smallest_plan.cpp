// SPDX-License-Identifier: Apache-2.0
#include "solvers/uses/smallest_plan.h"

#include "core/base/units.h"
#include "core/plan/simulator.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {

namespace {

constexpr int kMostTries = 8, kMostInVain = 2;
constexpr std::int64_t kCloseEnough = 100; ///< one part of so many
constexpr double kSecondsPerOp = 0.005, kShortestTry = 0.3, kLongestTry = 2;

} // namespace

Expected<SmallestPlan> smallestPlan(const Planner &planner, const SolveRequest &request, const SolveContext &context,
                                    const SolveOutcome &missed, std::int64_t keepAllPeakBytes)
{
    const double ops = static_cast<double>(request.graph->ops.size());
    const double seconds =
        std::min(context.deadline.totalSeconds(), std::clamp(kSecondsPerOp * ops, kShortestTry, kLongestTry));
    SmallestPlan smallest;
    SolveRequest tried = request;
    tried.bound.reset();
    std::int64_t low = std::max<std::int64_t>(missed.smallestPeakBytes, 1), high = std::max(keepAllPeakBytes, low);
    const auto startFrom = [&](std::shared_ptr<const Plan> plan) {
        const auto simulation = simulate(*request.graph, *request.costs, plan->steps);
        if (!simulation || simulation->peakBytes >= high) return;
        high = std::max(simulation->peakBytes, low);
        tried.start = std::move(plan);
    };
    const auto startFromReached = [&](const SolveOutcome &outcome) {
        if (outcome.smallest.empty()) return;
        Plan reached;
        reached.steps = withEarliestFrees(*request.graph, outcome.smallest);
        startFrom(std::make_shared<const Plan>(std::move(reached)));
    };
    const auto solveFor = [&](std::int64_t budgetBytes) {
        tried.budgetBytes = budgetBytes;
        SolveContext one = context;
        one.deadline = Deadline(seconds);
        return solve(planner, tried, one);
    };
    if (request.start) startFrom(request.start);
    startFromReached(missed);
    const auto isOver = [&] {
        return (context.stop && context.stop->stopRequested()) || context.deadline.passed() ||
               high - low <= high / kCloseEnough;
    };
    for (int i = 0, inVain = 0; i < kMostTries && inVain < kMostInVain && !isOver(); ++i) {
        const std::int64_t budgetBytes = i == 0 ? low : low + (high - low) / 2;
        auto outcome = solveFor(budgetBytes);
        if (!outcome) return tl::unexpected(outcome.error());
        if (!outcome->plan) {
            const std::int64_t before = high;
            low = budgetBytes;
            startFromReached(*outcome);
            inVain = high < before ? 0 : inVain + 1;
            continue;
        }
        inVain = 0;
        high = outcome->plan->predicted.peakBytes;
        smallest.outcome = std::move(*outcome);
    }
    if (!smallest.outcome.plan || smallest.outcome.plan->predicted.peakBytes > high) {
        auto outcome = solveFor(high);
        if (!outcome) return tl::unexpected(outcome.error());
        if (outcome->plan) smallest.outcome = std::move(*outcome);
    }
    if (smallest.outcome.plan) {
        const std::int64_t peak = smallest.outcome.plan->predicted.peakBytes;
        smallest.sentence = fmt::format("The smallest budget that a plan was found for is {} bytes ({}): \"{}B\".",
                                        peak, formatBytes(peak), peak);
    }
    return smallest;
}

} // namespace remat
