#include "solvers/bounds/sharp_bound.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace remat {

namespace {

constexpr double kMostQuickSeconds = 0.8;

} // namespace

SharpBound sharpBound(const BoundProblem &problem, const std::function<void(const TimeBound &)> &found)
{
    using Clock = std::chrono::steady_clock;
    SharpBound result;
    result.best = everyPlanBound(problem.graph, problem.costs, problem.budgetBytes);
    if (const auto none = noPlanFits(problem.graph, problem.costs, problem.budgetBytes)) result.best = *none;
    BoundsSoFar soFar;
    soFar.best = result.best;
    // The quick ones run even when there is no time, but not for long then.
    const Deadline quickDeadline(std::max(std::min(problem.deadline.secondsLeft(), 1e6), kMostQuickSeconds));
    const bool counted = problem.iterations < std::numeric_limits<std::int64_t>::max();
    for (const BoundMethod *method : boundMethods()) {
        MethodResult &entry = result.all.emplace_back();
        entry.method = method;
        const bool leftOut = !method->quick && (problem.onlyQuick || problem.stopped());
        if (result.best.infeasible || leftOut) continue;
        BoundProblem share = problem;
        const double left = problem.deadline.secondsLeft();
        if (!method->quick && !counted && method != boundMethods().back() && std::isfinite(left))
            share.deadline = Deadline(left / 2);
        if (method->quick && std::isfinite(left)) share.deadline = quickDeadline;
        const Clock::time_point start = Clock::now();
        entry.bound = method->run(share, soFar);
        entry.iterations = soFar.iterations - result.iterations;
        result.iterations = soFar.iterations;
        entry.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (!entry.bound || (!entry.bound->infeasible && entry.bound->extraUs <= result.best.extraUs)) continue;
        result.best = soFar.best = *entry.bound;
        if (found) found(result.best);
    }
    result.choice = std::move(soFar.closure);
    result.cuts = std::move(soFar.cuts);
    return result;
}

} // namespace remat
