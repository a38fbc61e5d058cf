#include "solvers/bounds/sharp_bound.h"
#include "solvers/portfolio/members.h"
#include "solvers/search/to_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace remat::portfolio {

namespace {

/// Of the work that is left, for each program, at the first turn and at later ones; and no more than this at the first.
constexpr double kBoundShare = 0.12, kLaterShare = 0.3, kMostBoundUs = 5e5;
constexpr int kMostDoublings = 6;
/// Of the simplex method, at least: what the time that is not counted has room for.
constexpr std::int64_t kFewestIterations = 3000;
/// What an iteration on these programs takes, with all that goes with it: measured on graphs of 150 to 800 ops.
constexpr double kBoundIterationUs = 50;

} // namespace

void runBound(Board &board, Line &line, int turn)
{
    const double most = std::ldexp(kMostBoundUs, std::min(turn, kMostDoublings));
    const double us = std::min((turn > 0 ? kLaterShare : kBoundShare) * board.work().leftUs(), most);
    const auto iterations = std::max(kFewestIterations, static_cast<std::int64_t>(us / kBoundIterationUs));
    if (line.boundedAtUs == line.best.extraUs && line.boundedWith >= iterations) return; // it would be the same again
    const Plan plan = search::planOf(line.flat, line.best.set);
    BoundProblem problem{*line.flat.graph, *line.flat.costs, board.request().budgetBytes, &plan};
    problem.stop = board.context().stop;
    problem.deadline = board.context().deadline;
    problem.iterations = iterations;
    const SharpBound bound = sharpBound(problem);
    board.work().charge(kBoundIterationUs * static_cast<double>(bound.iterations));
    const bool whole = std::all_of(bound.all.begin(), bound.all.end(),
                                   [&](const MethodResult &result) { return result.iterations < problem.iterations; });
    line.boundedAtUs = line.best.extraUs;
    line.boundedWith = whole ? std::numeric_limits<std::int64_t>::max() : iterations;
    if (line.reordered)
        board.raiseBound(line, bound.best);
    else
        board.raiseBound(bound.best);
}

} // namespace remat::portfolio
