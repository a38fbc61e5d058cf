// SPDX-License-Identifier: Apache-2.0
// Plans from the linear relaxation by two-phase rounding.
#pragma once

#include "solvers/checkmate/model.h"
#include "solvers/interface/solver.h"

namespace remat::checkmate {

/// Phase two: the fewest recomputations that have everything held where `held[slot][storage]` says so. In each slot
/// what the first computation reads, and what is to be held from there on, is computed again unless it was held or just
/// made, with its closure. Sorted. The rest is earliest frees.
std::vector<Recompute> completeHeld(const FlatGraph &flat, const std::vector<std::vector<char>> &held);

enum class RoundingWay { Both, Deterministic, Randomised };

struct RoundingOptions {
    RoundingWay way = RoundingWay::Both;
    int samples = 100;            ///< randomised roundings
    double allowancePercent = 10; ///< how much smaller the relaxation's budget is at first
    double stepPercent = 5;       ///< from one allowance to the next
    bool every = false;           ///< go on with smaller budgets of the relaxation when a plan fits
    bool fineSlots = false;       ///< the relaxation looks at memory while ops are computed again
    int maxOps = 250;
};

/// Checkmate's approximation (Jain et al., MLSys 2020, section 5): the linear relaxation at a budget somewhat smaller
/// than the real one, what is held rounded at nine thresholds or at random, recomputations completed. The fastest plan
/// within the real budget is taken; when none fits the smaller budget shrinks, and grows when the relaxation itself has
/// no solution. With `every` it shrinks in any case: as in the authors' figures, whose plans are the fastest that
/// fit of a sweep over budgets.
Expected<SolveOutcome> planByRounding(const SolveRequest &request, const SolveContext &context,
                                      const RoundingOptions &options);

} // namespace remat::checkmate
