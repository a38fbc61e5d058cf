// SPDX-License-Identifier: Apache-2.0
#include "solvers/portfolio/work.h"

#include <algorithm>
#include <cmath>

namespace remat::portfolio {

namespace {

/// What pieces of work take, in µs. tests/benchmarks/fit_work.py measures and fits them again: moves, slides and cuts
/// take a half to twice what is charged here, start and greedy less. They decide how much work is done in a time limit,
/// so that other figures give other plans: new ones are a decision, not to be taken over from any machine.
constexpr double kStartPerOp = 20, kStartPerOpSquared = 0.006;
constexpr double kGreedyPerOp = 8;
constexpr double kCutPerOp = 10, kCutPerOpSquared = 0.018;
constexpr double kMove = 1, kMovePerOp = 5e-4, kMovePerDensity = 10; ///< density: recomputations per op
constexpr double kSlide = 4, kSlidePerComputation = 0.01;
constexpr std::size_t kMostSlidePlaces = 1500; ///< a slide reaches no further

/// Share of the time limit.
constexpr double kShare = 0.75;
/// Share of that, each time that there is more.
constexpr double kMore = 0.25;
/// Seeds that run side by side.
constexpr int kThreads = 2;

double squared(int ops)
{
    return static_cast<double>(ops) * static_cast<double>(ops);
}

} // namespace

WorkClock::WorkClock(double limitSeconds) : m_wholeUs(kShare * limitSeconds * 1e6), m_leftUs(m_wholeUs) {}

void WorkClock::grantMore()
{
    m_leftUs = leftUs() + kMore * m_wholeUs;
}

std::int64_t WorkClock::fitting(std::int64_t wanted, double us, double share) const
{
    const double fit = share * leftUs() / us;
    return fit < static_cast<double>(wanted) ? static_cast<std::int64_t>(fit) : wanted;
}

double startUs(int ops)
{
    return kStartPerOp * ops + kStartPerOpSquared * squared(ops);
}

double greedyUs(int ops)
{
    return kGreedyPerOp * ops;
}

double cutUs(int ops)
{
    return kCutPerOp * ops + kCutPerOpSquared * squared(ops);
}

double moveUs(int ops, std::size_t recomputations, int seeds)
{
    const double density = static_cast<double>(recomputations) / std::max(ops, 1);
    const int turns = (seeds + kThreads - 1) / kThreads;
    return (kMove + kMovePerOp * ops + kMovePerDensity * density) * turns;
}

double slideUs(std::size_t computations)
{
    return kSlide + kSlidePerComputation * static_cast<double>(std::min(computations, kMostSlidePlaces));
}

} // namespace remat::portfolio
