// Proven optimal plans for graphs of up to some two hundred ops.
#pragma once

#include "solvers/solver.h"

namespace remat::checkmate {

/// Solves the whole-graph program by branch and cut. It starts coarse in every slot: what that proves holds for all
/// plans in graph order, and when the plan it gives fits, it is the best of them. Otherwise the slots in which that
/// plan goes over the budget are made fine and the program is solved again, each time for something better than the
/// best plan so far. Between solves the plan is repaired, and columns whose reduced cost says that no better plan uses
/// them are fixed. Options: `passes`, `max-ops`, `path-cuts`.
Expected<SolveOutcome> planExactly(const SolveRequest &request, const SolveContext &context);

} // namespace remat::checkmate
