// SPDX-License-Identifier: Apache-2.0
#include "solvers/portfolio/members.h"

#include <algorithm>
#include <array>

namespace remat::portfolio {

namespace {

struct Round {
    double hot = 1, moves = 1; ///< as shares of the first cooling's
};
/// What follows the first cooling, over and over: from cool and short to as hot and twice as long.
constexpr std::array<Round, 5> kRounds = {{{0.15, 0.4}, {0.4, 0.5}, {0.15, 0.8}, {0.8, 1}, {1, 2}}};
/// Share of the work that is left, for the first cooling of a line.
constexpr double kFirstShare = 0.4;

} // namespace

bool runAnneal(Board &board, Line &line, const MemberEffort &effort)
{
    search::SearchSettings settings;
    settings.budgetBytes = board.request().budgetBytes;
    settings.seeds = effort.seeds;
    settings.seed = board.context().seed;
    settings.threads = board.context().threads;
    search::AnnealSettings cooling;
    cooling.enoughUs = board.enoughUs(line);
    cooling.seed = static_cast<std::uint64_t>(line.rounds);
    cooling.moves = effort.movesPerOp * line.flat.ops;
    if (line.rounds > 0) {
        const Round &round = kRounds[static_cast<std::size_t>(line.rounds - 1) % kRounds.size()];
        cooling.hot *= round.hot;
        cooling.moves = static_cast<std::int64_t>(round.moves * static_cast<double>(cooling.moves));
    }
    const double usPerMove = moveUs(line.flat.ops, line.best.set.size(), effort.seeds);
    cooling.moves = board.work().fitting(cooling.moves, usPerMove, line.rounds > 0 ? 1 : kFirstShare);
    board.work().charge(usPerMove * static_cast<double>(std::max(cooling.moves, kFewestMoves)));
    ++line.rounds;
    const search::Found before = line.best;
    board.offer(line, search::annealSideBySide(line.flat, line.best, settings, cooling, board.stopCheck()));
    const bool gained = search::isBetter(line.best, before);
    line.gainless = gained ? 0 : line.gainless + 1;
    return gained;
}

} // namespace remat::portfolio
