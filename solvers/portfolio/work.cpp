#include "solvers/portfolio/work.h"

#include <algorithm>
#include <cmath>

namespace remat::portfolio {

namespace {

/// Of the time limit.
constexpr double kShare = 0.75;
/// Seeds that run side by side.
constexpr int kThreads = 2;

double squared(int ops)
{
    return static_cast<double>(ops) * static_cast<double>(ops);
}

} // namespace

WorkClock::WorkClock(double limitSeconds) : m_leftUs(kShare * limitSeconds * 1e6) {}

std::int64_t WorkClock::fitting(std::int64_t wanted, double us, double share) const
{
    const double fit = share * leftUs() / us;
    return fit < static_cast<double>(wanted) ? static_cast<std::int64_t>(fit) : wanted;
}

double startUs(int ops)
{
    return 20.0 * ops + 0.006 * squared(ops);
}

double greedyUs(int ops)
{
    return 8.0 * ops;
}

double cutUs(int ops)
{
    return 10.0 * ops + 0.018 * squared(ops);
}

double moveUs(int ops, std::size_t recomputations, int seeds)
{
    const double density = static_cast<double>(recomputations) / std::max(ops, 1);
    const int turns = (seeds + kThreads - 1) / kThreads;
    return (1 + 5e-4 * ops + 10 * density) * turns;
}

double slideUs(std::size_t computations)
{
    return 4 + 0.01 * static_cast<double>(std::min<std::size_t>(computations, 1500));
}

} // namespace remat::portfolio
