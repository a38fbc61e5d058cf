// SPDX-License-Identifier: Apache-2.0
// Least energy by branch and cut: of a whole graph, or of a window of a plan.
#pragma once

#include "solvers/offload/candidates.h"

namespace remat::offload {

struct LeastEnergySettings {
    std::int64_t budgetBytes = 0; ///< budget for the graph that the plan window is made from
    double mostTimeUs = 0;        ///< limit on the plan's time; 0: none
    std::vector<char> stays;      ///< per storage 1: is not copied; empty: all may be
    /// Limit of the simplex method, for each program: see ilp::Limits.
    std::int64_t iterations = std::numeric_limits<std::int64_t>::max();
    int mostColumns = 60000; ///< larger programs are not solved
    const StopToken *stop = nullptr;
    Deadline deadline;
    int seed = 0;
};

struct LeastEnergyResult {
    bool solved = false;    ///< nothing in the window is better than the best candidate now
    bool tooLarge = false;  ///< more columns than allowed: nothing was done
    double boundJoules = 0; ///< no plan in the window takes less, proven
    /// The proof is of plans that compute an op at most once a slot, as POET's program does: a slot had to become fine,
    /// and the graph is large.
    bool oncePerSlot = false;
};

/// Decides anew, for least energy, which ops of `again` (per op) the best candidate computes again and when, and
/// which of their storages are copied, as makeWindow() says; a candidate better than the best is offered. The program
/// starts with coarse slots: what that proves holds for all plans. Where its plan goes over the budget the slots become
/// fine, as in checkmate/exact.h, which says what is proven then. Copies are bound to the limit on time only lane by
/// lane: where that lets a plan through that the simulator finds too long, the result is a bound and no proof. There
/// must be a best candidate.
Expected<LeastEnergyResult> solveExactly(const FlatGraph &flat, const std::vector<char> &again,
                                         const LeastEnergySettings &settings, Candidates &candidates);

} // namespace remat::offload
