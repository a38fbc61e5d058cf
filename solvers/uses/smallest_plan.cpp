// SPDX-License-Identifier: Apache-2.0
#include "solvers/uses/smallest_plan.h"

#include "core/base/units.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {

namespace {

constexpr int kMostTries = 8;
constexpr std::int64_t kCloseEnough = 100; ///< one part of so many

} // namespace

Expected<SmallestPlan> smallestPlan(const Planner &planner, const SolveRequest &request, const SolveContext &context,
                                    const SolveOutcome &missed, std::int64_t keepAllPeakBytes, double secondsPerTry)
{
    SmallestPlan smallest;
    const auto solveFor = [&](std::int64_t budgetBytes) {
        SolveRequest tried = request;
        tried.budgetBytes = budgetBytes;
        tried.bound.reset();
        SolveContext one = context;
        one.deadline = Deadline(secondsPerTry);
        return solve(planner, tried, one);
    };
    std::int64_t low = std::max<std::int64_t>(missed.smallestPeakBytes, 1), high = std::max(keepAllPeakBytes, low);
    for (int i = 0;
         i < kMostTries && !(context.stop && context.stop->stopRequested()) && high - low > high / kCloseEnough; ++i) {
        const std::int64_t budgetBytes = i == 0 ? low : low + (high - low) / 2;
        auto outcome = solveFor(budgetBytes);
        if (!outcome) return tl::unexpected(outcome.error());
        if (!outcome->plan) {
            low = budgetBytes;
            continue;
        }
        high = outcome->plan->predicted.peakBytes;
        smallest.outcome = std::move(*outcome);
    }
    if (!smallest.outcome.plan) {
        auto outcome = solveFor(keepAllPeakBytes);
        if (!outcome) return tl::unexpected(outcome.error());
        smallest.outcome = std::move(*outcome);
    }
    if (smallest.outcome.plan) {
        const std::int64_t peak = smallest.outcome.plan->predicted.peakBytes;
        smallest.sentence = fmt::format("The smallest budget that a plan was found for is {} bytes ({}): \"{}B\".",
                                        peak, formatBytes(peak), peak);
    }
    return smallest;
}

} // namespace remat
