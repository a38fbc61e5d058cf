// SPDX-License-Identifier: Apache-2.0
// Plans whose addresses fit the budget, not only their peak.
#pragma once

#include "solvers/interface/solver.h"

#include <cstdint>

namespace remat {

/// How often the planner is asked at most.
constexpr int kMostFitTries = 8;

/// A plan whose address layout is within the budget, or why there is none.
struct AddressFit {
    SolveOutcome outcome;              ///< its plan, if any, has the budget that was asked for
    int tries = 0;                     ///< how often the planner was asked
    std::int64_t triedBudgetBytes = 0; ///< for which budget in the end
    std::int64_t heightBytes = 0;      ///< height of the layout of the plan; without one the lowest there was, 0: none
};

/// As solve(); and when the layout of a plan (`layOutWell`, as `remat layout` makes it) is higher than the budget, the
/// planner is asked again for less: by as much as the layout was too high, or halfway to a budget for which there was
/// no plan. Ends with the first plan that fits, after `kMostFitTries`, or when the context's time is up, of which each
/// try may take half of what is left. Progress tells of no plans, since nobody knows yet whether they fit.
/// Deterministic where the planner is and time is not short. Blocks; call it on a worker thread.
Expected<AddressFit> solveToFit(const Planner &planner, const SolveRequest &request, const SolveContext &context);

} // namespace remat
