// SPDX-License-Identifier: Apache-2.0
// Few copies of each tensor: Moccasin's retention intervals.
#pragma once

#include "solvers/interface/solver.h"

namespace remat::moccasin {

constexpr int kMostCopies = 20;

struct IntervalOptions {
    int copies = 0;   ///< how often an op may be computed: C; 0: as often as it pays
    bool warm = true; ///< starts from a search
    bool cuts = true; ///< asks the bound of several cuts
    int thousandMoves = 100, seeds = 2;
    int work = 0;
};

/// The fastest plan in which every op v is computed at most C_v times, so that each of its tensors has at most C_v
/// retention intervals, in the model of interval_model.h (Bartan, Li, Teague, Lott, Dilkina: Moccasin, ICML 2023), by
/// CP-SAT. First computations keep the order of the graph and recomputations stand in the slots between them (staging).
/// Phase 1, on large graphs for which there is no plan yet: the least bytes over the budget. Phase 2: the least time.
/// Where CP-SAT does not end in moments, and after each proof, the bound of several cuts is asked, too (`cuts`).
/// Without a number C_v begins at 2, or at as often as the search's start computes v, and grows once the optimum with
/// it is proven, until no plan with more computations can be better (copies_that_pay.h) or C_v is kMostCopies: only
/// then is the plan called optimal. Fails with a sentence where there is no CP-SAT.
Expected<SolveOutcome> planIntervals(const SolveRequest &request, const SolveContext &context,
                                     const IntervalOptions &options);

} // namespace remat::moccasin
