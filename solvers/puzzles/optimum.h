// SPDX-License-Identifier: Apache-2.0
// What makes a puzzle: its proven optimum, a play that reaches it, par, and a budget where there is none yet.
#pragma once

#include "solvers/puzzles/search.h"

namespace remat {

/// Least extra time within the budget; of those the fewest bytes copied; of those the lowest peak, found by asking
/// again with ever smaller budgets. Sets `optimum`, `solution` and `parUs`, and returns the positions looked at. Fails
/// with a sentence where no play keeps the budget, where the proof takes too many positions, and where the play that
/// was found does not pass the checker.
Expected<std::int64_t> proveOptimum(Puzzle &puzzle, const PuzzleEffort &effort = {});

/// Extra time of a fair play: all of the forward pass once more, which is what segments of √n cost; half as much again
/// as the optimum where that is more.
double fairUs(const Puzzle &puzzle, double optimumUs);

/// What a hint may look at: less than two seconds on any machine that runs the window (tests/benchmarks measures it).
PuzzleEffort hintEffort();

/// A puzzle out of some ops of a model, at the tightest of a few budgets between floor and keep-all whose optimum can
/// be proven. Fails with a sentence where there is none.
Expected<Puzzle> puzzleFromOps(const Graph &graph, const CostTable &costs, const std::vector<OpId> &ops,
                               const std::string &name, const PuzzleEffort &effort = {});

} // namespace remat
