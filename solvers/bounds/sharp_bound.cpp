// SPDX-License-Identifier: Apache-2.0
#include "solvers/bounds/sharp_bound.h"

#include "core/bounds/plan_bound.h"
#include "core/plan/simulator.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace remat {

namespace {

constexpr double kMostQuickSeconds = 0.8;
/// Share of the time that is left, for each of the slow ones but the last.
constexpr double kShare = 0.75;
/// A plan is the best there is when no more than this share of its added time is left.
constexpr double kMet = 1e-6;

/// Added time of the problem's plan; infinite when there is none that counts.
double addedByPlan(const BoundProblem &problem)
{
    constexpr double kNone = std::numeric_limits<double>::infinity();
    if (!problem.plan || kindOfPlan(problem.graph, *problem.plan) != HoldsFor::GivenOrder) return kNone;
    const Expected<Simulation> simulation = simulate(problem.graph, problem.costs, problem.plan->steps);
    if (!simulation || simulation->peakBytes > problem.budgetBytes) return kNone;
    return simulation->timeUs - neededTimeUs(needsOf(problem.graph), problem.costs);
}

} // namespace

SharpBound sharpBound(const BoundProblem &problem, const std::function<void(const TimeBound &)> &found)
{
    using Clock = std::chrono::steady_clock;
    SharpBound result;
    result.best = everyPlanBound(problem.graph, problem.costs, problem.budgetBytes);
    if (const auto none = noPlanFits(problem.graph, problem.costs, problem.budgetBytes)) result.best = *none;
    BoundsSoFar soFar;
    soFar.best = result.best;
    soFar.enoughUs = (1 - problem.near) * addedByPlan(problem);
    // The quick ones run even when there is no time, but not for long then.
    const Deadline quickDeadline(std::max(std::min(problem.deadline.secondsLeft(), 1e6), kMostQuickSeconds));
    for (const BoundMethod *method : boundMethods()) {
        MethodResult &entry = result.all.emplace_back();
        entry.method = method;
        const bool met = result.best.extraUs >= soFar.enoughUs * (1 - kMet);
        const bool leftOut = !method->quick && (problem.onlyQuick || problem.stopped() || met);
        if (result.best.infeasible || leftOut) continue;
        BoundProblem share = problem;
        const double left = problem.deadline.secondsLeft();
        if (!method->quick && !problem.counted() && method != boundMethods().back() && std::isfinite(left))
            share.deadline = Deadline(kShare * left);
        if (method->quick && std::isfinite(left)) share.deadline = quickDeadline;
        const Clock::time_point start = Clock::now();
        entry.bound = method->run(share, soFar);
        entry.iterations = soFar.iterations - result.iterations;
        result.cutShort = result.cutShort || soFar.cutShort || entry.iterations >= problem.iterations;
        result.iterations = soFar.iterations;
        entry.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (!entry.bound || (!entry.bound->infeasible && entry.bound->extraUs <= result.best.extraUs)) continue;
        result.best = soFar.best = *entry.bound;
        if (found) found(result.best);
    }
    result.choice = std::move(soFar.closure);
    result.recomputes = std::move(soFar.recomputes);
    result.cuts = std::move(soFar.cuts);
    return result;
}

} // namespace remat
