// SPDX-License-Identifier: Apache-2.0
#include "solvers/bounds/sharp_bound.h"
#include "solvers/portfolio/members.h"
#include "solvers/search/greedy.h"
#include "solvers/search/to_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace remat::portfolio {

namespace {

/// Shares of the work that is left, for each program, at the first turn and at later ones; no more than this at the
/// first, and so many times as much at each that follows: programs with whole storages end all at once.
constexpr double kBoundShare = 0.12, kLaterShare = 0.8, kMostBoundUs = 5e5, kMoreEachTurn = 4;
/// Share of the plan's added time: below this the bound is near in any case.
constexpr double kWellNear = 0.9 * kNear;
/// Iterations of the simplex method, at least: what the time that is not counted has room for.
constexpr std::int64_t kFewestIterations = 3000;
/// What an iteration on these programs takes, with all that goes with it: measured on graphs of 150 to 800 ops.
constexpr double kBoundIterationUs = 50;

} // namespace

void runBound(Board &board, Line &line, int turn)
{
    const double most = kMostBoundUs * std::pow(kMoreEachTurn, turn);
    const double us = std::min((turn > 0 ? kLaterShare : kBoundShare) * board.work().leftUs(), most);
    const auto iterations = std::max(kFewestIterations, static_cast<std::int64_t>(us / kBoundIterationUs));
    if (line.boundedAtUs == line.best.extraUs && line.boundedWith >= iterations) return; // it would be the same again
    const Plan plan = search::planOf(line.flat, line.best.set);
    BoundProblem problem{*line.flat.graph, *line.flat.costs, board.request().budgetBytes, &plan};
    problem.stop = board.context().stop;
    problem.deadline = board.context().deadline;
    problem.iterations = iterations;
    problem.before = line.cuts;
    problem.near = kWellNear;
    const SharpBound bound = sharpBound(problem);
    board.work().charge(kBoundIterationUs * static_cast<double>(bound.iterations));
    line.boundedAtUs = line.best.extraUs;
    line.boundedWith = bound.cutShort ? iterations : std::numeric_limits<std::int64_t>::max();
    line.cuts = bound.cuts;
    if (!bound.recomputes.empty())
        board.offer(line,
                    search::greedyPlan(line.flat, board.request().budgetBytes, bound.recomputes, board.stopCheck()));
    board.raiseBound(line, bound.best);
}

} // namespace remat::portfolio
