#include "solvers/bounds/sharp_bound.h"
#include "solvers/portfolio/members.h"
#include "solvers/search/to_plan.h"

#include <algorithm>

namespace remat::portfolio {

namespace {

/// Of the work that is left, for each program; and no more than this.
constexpr double kBoundShare = 0.07, kMostBoundUs = 1e6;
/// One at one cut, and one at several.
constexpr double kPrograms = 2;

} // namespace

void runBound(Board &board, const Line &given)
{
    const double us = std::min(kBoundShare * board.work().leftUs(), kMostBoundUs);
    const Plan plan = search::planOf(given.flat, given.best.set);
    BoundProblem problem{*board.request().graph, *board.request().costs, board.request().budgetBytes, &plan};
    problem.stop = board.context().stop;
    problem.deadline = board.context().deadline;
    problem.iterations = std::max<std::int64_t>(1000, static_cast<std::int64_t>(us / kIterationUs));
    board.work().charge(kPrograms * us);
    board.raiseBound(sharpBound(problem).best);
}

} // namespace remat::portfolio
