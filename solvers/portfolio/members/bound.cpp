#include "solvers/bounds/sharp_bound.h"
#include "solvers/portfolio/members.h"
#include "solvers/search/to_plan.h"

#include <algorithm>
#include <cmath>

namespace remat::portfolio {

namespace {

/// Of the work that is left, for each program; and no more than this at the first turn.
constexpr double kBoundShare = 0.07, kMostBoundUs = 1e6;
constexpr int kMostDoublings = 10;
/// One at one cut, and one at several; later turns are charged for more cuts, too.
constexpr double kPrograms = 2, kLaterPrograms = 3;
/// Of the simplex method, at least: what the time that is not counted has room for.
constexpr std::int64_t kFewestIterations = 3000;

} // namespace

void runBound(Board &board, Line &line, int turn)
{
    const double most = std::ldexp(kMostBoundUs, std::min(turn, kMostDoublings));
    const double us = std::min(kBoundShare * board.work().leftUs(), most);
    const Plan plan = search::planOf(line.flat, line.best.set);
    BoundProblem problem{*line.flat.graph, *line.flat.costs, board.request().budgetBytes, &plan};
    problem.stop = board.context().stop;
    problem.deadline = board.context().deadline;
    problem.iterations = std::max(kFewestIterations, static_cast<std::int64_t>(us / kIterationUs));
    board.work().charge((turn > 0 ? kLaterPrograms : kPrograms) * us);
    const TimeBound bound = sharpBound(problem).best;
    if (line.reordered)
        board.raiseBound(line, bound);
    else
        board.raiseBound(bound);
}

} // namespace remat::portfolio
