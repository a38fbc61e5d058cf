#include "solvers/portfolio/stages.h"
#include "solvers/search/to_plan.h"

#include <algorithm>

namespace remat::portfolio {

namespace {

/// Of the time that is left; and no more than this.
constexpr double kTimeShare = 0.3, kMostSeconds = 30;

} // namespace

void hiremateStage(Board &board, Line &given)
{
    const Expected<const Planner *> planner = findPlanner("hiremate");
    if (!planner) return;
    SolveRequest request = board.request();
    Expected<OptionSet> options = makeOptions((*planner)->info().options, {});
    if (!options) return;
    request.options = *std::move(options);
    SolveContext context = board.context();
    context.deadline = Deadline(std::min(kTimeShare * board.context().deadline.secondsLeft(), kMostSeconds));
    context.progress = {};
    const Expected<SolveOutcome> outcome = (*planner)->plan(request, context);
    if (!outcome || !outcome->plan) return;
    const std::vector<Recompute> set = search::startSet(given.flat, &*outcome->plan);
    if (!set.empty()) board.offer(given, search::greedyPlan(given.flat, request.budgetBytes, set, board.stopCheck()));
    board.offer(*outcome->plan);
}

} // namespace remat::portfolio
