// SPDX-License-Identifier: Apache-2.0
// The members of the portfolio: ways to a better plan. Each offers what it finds to the board and leaves its lines
// better or as they were; none needs another to have run before, apart from a plan to start from.
#pragma once

#include "solvers/portfolio/board.h"

namespace remat::portfolio {

/// How much work the counted members may do.
struct MemberEffort {
    std::int64_t movesPerOp = 100; ///< moves of the first cooling of each line and seed
    int seeds = 2;                 ///< side by side
    int rounds = 30;               ///< rounds of annealing after the first, all lines together
    int patience = 6;              ///< rounds of a line without gain before it rests
};

/// A plan at once: the greedy from nothing and from the start of the request.
void runGreedy(Board &board, Line &line);

/// The choices behind closure bounds in the line's order, as plans: keeps at a cut what such a bound keeps there and
/// brings back the rest later.
void runCut(Board &board, Line &line);

/// Lowers the peak of the line's plan until it fits or goes no lower; each attempt takes more moves than the one
/// before. True when it is lower afterwards.
bool runLowerPeak(Board &board, Line &line, const MemberEffort &effort);

/// One round of annealing: long from a plan that is new, shorter and cooler from one that was annealed before. True
/// when the line is better afterwards.
bool runAnneal(Board &board, Line &line, const MemberEffort &effort);

/// Orders of first computations in which keeping everything holds less: a line for each that is new, with a plan.
void runOrders(Board &board, std::vector<std::unique_ptr<Line>> &lines, const MemberEffort &effort);

/// The plan of a line with its computations, recomputations included, slid to where they hold less: a line for the
/// order of first computations that this gives, if it is new, with that plan, repaired and pruned. `round` says how far
/// the slides aim.
void runSlide(Board &board, std::vector<std::unique_ptr<Line>> &lines, const Line &from, int round);

/// Plan and bound that are this close, as a share of the bound's added time, are left at that.
constexpr double kNear = 0.01;

/// Raises the bound of a line's order by the programs behind `remat bound`, at the tight places of the line's plan,
/// which must fit, up to where it is near the plan; and offers the plan that these programs choose, where they end
/// below that. Each turn may take more work than the one before; nothing is done where more would bring nothing.
void runBound(Board &board, Line &line, int turn);

/// The hierarchical planner, with a part of the work that is left; what it finds in the given order is annealed there.
void runHiremate(Board &board, Line &given);

} // namespace remat::portfolio
