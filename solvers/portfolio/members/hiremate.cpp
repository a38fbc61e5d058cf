// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/pipeline.h"
#include "solvers/portfolio/members.h"
#include "solvers/search/to_plan.h"

#include <algorithm>
#include <cmath>

namespace remat::portfolio {

namespace {

/// Share of the work that is left, and no more than this; it rarely takes more than the charge.
constexpr double kHiremateShare = 0.3, kMostHiremateUs = 30e6, kMostChargedUs = 5e6;
/// Share of the time that is left, in case that this machine is slower than work is counted for.
constexpr double kTimeShare = 0.7;

} // namespace

void runHiremate(Board &board, Line &given)
{
    const SolveRequest &request = board.request();
    const double us = std::min(kHiremateShare * board.work().leftUs(), kMostHiremateUs);
    const auto thousands = static_cast<int>(us / kIterationUs / 1000);
    hiremate::PipelineOptions options;
    options.thousandIterations = std::max(1, thousands);
    options.rounds = 0; // the portfolio has other members for what is left
    board.work().charge(std::min(us, kMostChargedUs));
    SolveContext context = board.context();
    const double left = board.context().deadline.secondsLeft();
    if (std::isfinite(left)) context.deadline = Deadline(kTimeShare * left);
    context.progress = {};
    const Expected<SolveOutcome> outcome = hiremate::planHierarchically(request, context, options);
    if (context.deadline.passed() || (outcome && outcome->message == kTimeWasUp)) board.cutShort();
    if (!outcome || !outcome->plan) return;
    const std::vector<Recompute> set = search::startSet(given.flat, &*outcome->plan);
    if (!set.empty()) board.offer(given, search::greedyPlan(given.flat, request.budgetBytes, set, board.stopCheck()));
    board.offer(*outcome->plan);
}

} // namespace remat::portfolio
