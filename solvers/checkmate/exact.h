// SPDX-License-Identifier: Apache-2.0
// Proven optimal plans for graphs of up to some two hundred ops.
#pragma once

#include "solvers/interface/solver.h"
#include "solvers/tools/flat.h"

namespace remat::checkmate {

struct ExactSettings {
    int passes = 0;                    ///< times that a slot may run through the ops; 0: automatic
    bool warm = true;                  ///< a search looks for a first plan
    bool pathCuts = true;              ///< tighten the relaxation before branching
    int mostComputations = 0;          ///< limit for any op, its first included; 0: any number
    std::int64_t searchMoves = 60'000; ///< moves of the search for a first plan, a second's worth
    /// Limit of the simplex method, for each program: see ilp::Limits.
    std::int64_t iterations = std::numeric_limits<std::int64_t>::max();
    Story *story = nullptr; ///< how the program is solved is written there; may be none
};

/// Solves the whole-graph program by branch and cut. It starts coarse in every slot: what that proves holds for all
/// plans in graph order, and when the plan it gives fits, it is the best of them. Otherwise the slots in which that
/// plan goes over the budget are made fine and the program is solved again, each time for something better than the
/// best plan so far. While there is no plan at all it is solved for the least bytes over the budget first. Columns
/// whose reduced cost says that no better plan uses them are fixed before branching. What the outcome says of the bound
/// is what these programs prove, and what the context knew.
SolveOutcome planExactly(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat,
                         const ExactSettings &settings);

} // namespace remat::checkmate
