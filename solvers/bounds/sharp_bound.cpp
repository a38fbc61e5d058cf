#include "solvers/bounds/sharp_bound.h"

#include <chrono>
#include <cmath>

namespace remat {

SharpBound sharpBound(const BoundProblem &problem, const std::function<void(const TimeBound &)> &found)
{
    using Clock = std::chrono::steady_clock;
    SharpBound result;
    result.best = everyPlanBound(problem.graph, problem.costs, problem.budgetBytes);
    if (const auto none = noPlanFits(problem.graph, problem.costs, problem.budgetBytes)) result.best = *none;
    BoundsSoFar soFar;
    soFar.best = result.best;
    for (const BoundMethod *method : boundMethods()) {
        MethodResult &entry = result.all.emplace_back();
        entry.method = method;
        const bool stopped = (problem.stop && problem.stop->stopRequested()) || problem.deadline.passed();
        if (result.best.infeasible || (stopped && !method->quick)) continue;
        BoundProblem share = problem;
        const double left = problem.deadline.secondsLeft();
        if (!method->quick && method != boundMethods().back() && std::isfinite(left))
            share.deadline = Deadline(left / 2);
        const Clock::time_point start = Clock::now();
        entry.bound = method->run(share, soFar);
        entry.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (!entry.bound || (!entry.bound->infeasible && entry.bound->extraUs <= result.best.extraUs)) continue;
        result.best = soFar.best = *entry.bound;
        if (found) found(result.best);
    }
    result.choice = std::move(soFar.closure);
    return result;
}

} // namespace remat
