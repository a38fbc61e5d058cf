// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/state.h"

#include "solvers/hiremate/compose.h"

#include <algorithm>
#include <cmath>

namespace remat::hiremate {

namespace {

/// Added time above the bound, as a share of the bound's and of the whole, below which further rounds are not worth it.
constexpr double kGoodEnough = 0.01, kGoodEnoughOfAll = 0.001;
/// Iterations of the simplex method per second of the time limit, on the low side.
constexpr double kIterationsPerSecond = 8000;

} // namespace

SolveState::SolveState(const SolveRequest &asking, const SolveContext &around, const FlatGraph &graph,
                       const PipelineOptions &options)
    : asked(options),
      settings(options),
      request(asking),
      context(around),
      flat(graph),
      budgetBytes(asking.budgetBytes),
      evaluator(*asking.graph, *asking.costs),
      incumbent(graph, around, asking.budgetBytes),
      stop([this] { return context.shouldStop(); }),
      seed(around.seed),
      keepAll(replay(graph, evaluator, {}))
{
}

bool SolveState::nearBound(double share) const
{
    if (!incumbent.found()) return false;
    const double over = incumbent.bestTimeUs() - context.boundTimeUs;
    return over < std::max(1e-6 * keepAll.timeUs, share * (context.boundTimeUs - keepAll.timeUs));
}

bool SolveState::goodEnough() const
{
    return nearBound(kGoodEnough) ||
           (incumbent.found() && incumbent.bestTimeUs() - context.boundTimeUs < kGoodEnoughOfAll * keepAll.timeUs);
}

bool SolveState::mayGoOn() const
{
    return asked.rounds > 0 && std::isfinite(context.deadline.totalSeconds());
}

std::int64_t SolveState::mostIterations() const
{
    return static_cast<std::int64_t>(kIterationsPerSecond * context.deadline.totalSeconds());
}

std::int64_t SolveState::iterations() const
{
    const std::int64_t most = std::int64_t(1000) * settings.thousandIterations;
    return std::min(most, std::max<std::int64_t>(iterationsUntil - iterationsDone, 1));
}

ilp::Limits SolveState::chainLimits(double share) const
{
    ilp::Limits limits;
    limits.stop = context.stop;
    limits.iterations = iterations();
    const double left = share * context.deadline.secondsLeft();
    if (std::isfinite(left)) limits.deadline = Deadline(std::max(0.0, left - std::clamp(0.05 * left, 0.1, 1.0)));
    limits.seed = static_cast<int>(seed % 1000000);
    if (incumbent.found()) limits.known = incumbent.bestTimeUs() - keepAll.timeUs;
    return limits;
}

} // namespace remat::hiremate
