// SPDX-License-Identifier: Apache-2.0
// Counted time: what members cost in work, so that plans do not depend on the clock.
#pragma once

#include <cstdint>

namespace remat::portfolio {

/// Time as an ordinary machine with two threads would take it, from numbers of moves, slides, iterations and ops alone:
/// the same on every machine. All in µs; within a factor of two of what a machine of 2024 takes.
class WorkClock
{
public:
    /// For a time limit of so many seconds, which may be infinite: a part of it stays free for machines that are
    /// slower.
    explicit WorkClock(double limitSeconds);
    /// For a machine that is faster than the ordinary one: a part of the same again, so that its work comes in pieces
    /// that are the same everywhere and only how many there are depends on it.
    void grantMore();

    void charge(double us) { m_leftUs -= us; }
    double leftUs() const { return m_leftUs > 0 ? m_leftUs : 0; }
    /// How many pieces of work at `us` each fit into a share of what is left; at most `wanted`.
    std::int64_t fitting(std::int64_t wanted, double us, double share) const;

private:
    double m_wholeUs = 0, m_leftUs = 0;
};

/// Bounds and greedy first plan of a graph.
double startUs(int ops);
/// The greedy, from one start.
double greedyUs(int ops);
/// Choices behind closure bounds.
double cutUs(int ops);
/// A move of annealing on plans with so many recomputations, with so many seeds side by side.
double moveUs(int ops, std::size_t recomputations, int seeds);
double slideUs(std::size_t computations);
/// An iteration of the simplex method on the hierarchical planner's programs, with all that goes with it: an
/// estimate, on the high side; `remat-benchmark growth --solver hiremate` times whole solves.
constexpr double kIterationUs = 100;
/// Moves that a member is charged for at least: what goes with them is not free.
constexpr std::int64_t kFewestMoves = 1000;

} // namespace remat::portfolio
