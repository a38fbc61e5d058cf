// SPDX-License-Identifier: Apache-2.0
#include "solvers/portfolio/members.h"
#include "solvers/search/peak.h"
#include "solvers/search/to_plan.h"

#include <algorithm>

namespace remat::portfolio {

namespace {

/// Moves of one attempt to lower the peak, as a share of those of a cooling.
constexpr std::int64_t kPeakShare = 4;
/// That have room in what is left of the work, one after the other.
constexpr double kSteps = 16;
/// Each attempt of a line takes twice the moves of the one before, up to so many doublings.
constexpr int kDoublings = 6;

} // namespace

void runGreedy(Board &board, Line &line)
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

bool runLowerPeak(Board &board, Line &line, const MemberEffort &effort)
{
    const double usPerMove = moveUs(line.flat.ops, line.best.set.size(), effort.seeds);
    search::PeakSettings lower;
    lower.targetBytes = board.request().budgetBytes;
    lower.moves = (effort.movesPerOp * line.flat.ops / kPeakShare) << std::min(line.lowerings, kDoublings);
    lower.moves = board.work().fitting(lower.moves, usPerMove, 1 / kSteps);
    lower.mostMoves = board.work().fitting(lower.mostMoves, usPerMove, 0.5);
    lower.seed = board.context().seed + static_cast<std::uint64_t>(line.lowerings++);
    const search::Found found = search::lowerPeakSideBySide(line.flat, line.best, lower, effort.seeds,
                                                            board.context().threads, board.stopCheck());
    board.work().charge(usPerMove * static_cast<double>(std::max(found.moves, kFewestMoves)));
    const std::int64_t before = line.best.peakBytes;
    board.offer(line, found);
    return line.best.fits || line.best.peakBytes < before;
}

} // namespace remat::portfolio
