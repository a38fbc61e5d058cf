#include "solvers/portfolio/stages.h"
#include "solvers/search/peak.h"
#include "solvers/search/to_plan.h"

#include <algorithm>

namespace remat::portfolio {

namespace {

/// Moves of one attempt to lower the peak, as a share of those of a cooling.
constexpr std::int64_t kPeakShare = 4;
/// That are charged for: what the greedy does in an attempt counts, too.
constexpr std::int64_t kFewestMoves = 1000;
/// Steps down that an attempt takes, about.
constexpr double kSteps = 8;
/// Each attempt takes twice the moves of the one before, up to so many doublings.
constexpr int kDoublings = 6;

} // namespace

void greedyStage(Board &board, Line &line)
{
    const search::StopCheck stop = board.stopCheck();
    const std::int64_t budget = board.request().budgetBytes;
    board.work().charge(greedyUs(line.flat.ops) * (board.request().start ? 2 : 1));
    board.offer(line, search::greedyPlan(line.flat, budget, {}, stop));
    if (const Plan *start = board.request().start.get()) {
        const std::vector<OpId> steps = computeSequence(*start);
        const std::vector<Recompute> set =
            toRecomputes(line.flat, line.reordered ? renamed(steps, line.reordered->place) : steps);
        if (!set.empty()) board.offer(line, search::greedyPlan(line.flat, budget, set, stop));
        if (!line.reordered) board.offer(*start);
    }
}

void lowerPeakStage(Board &board, Line &line, const Effort &effort, int attempt)
{
    const std::int64_t budget = board.request().budgetBytes;
    search::State state(line.flat, budget);
    state.assign(line.best.set);
    search::PeakSettings lower;
    lower.targetBytes = budget;
    const double stepUs = kSteps * moveUs(line.flat.ops, line.best.set.size(), 1);
    lower.moves = board.work().fitting(
        (effort.movesPerOp * line.flat.ops / kPeakShare) << std::min(attempt, kDoublings), stepUs, 0.5);
    board.work().charge(stepUs * static_cast<double>(std::max<std::int64_t>(lower.moves, kFewestMoves)));
    lower.seed = board.context().seed + static_cast<std::uint64_t>(attempt);
    board.offer(line, search::lowerPeak(state, lower, board.stopCheck()));
}

} // namespace remat::portfolio
