// Few copies of each tensor: Moccasin's retention intervals.
#pragma once

#include "solvers/solver.h"

namespace remat::moccasin {

constexpr int kMostCopies = 20;

struct IntervalOptions {
    int copies = 0; ///< how often an op may be computed: C; 0: twice, and as often as the search's start computes it
    bool warm = true;
    int thousandMoves = 100, seeds = 2;
    int work = 0;
};

/// The fastest plan in which every op v is computed at most C_v times, so that each of its tensors has at most C_v
/// retention intervals (Bartan, Li, Teague, Lott, Dilkina: Moccasin, ICML 2023), by CP-SAT. First computations keep the
/// order of the graph and recomputations stand in the slots between them (staging). Phase 1, on large graphs for which
/// there is no plan yet: the least bytes over the budget. Phase 2: the least time. Fails with a sentence where there is
/// no CP-SAT.
Expected<SolveOutcome> planIntervals(const SolveRequest &request, const SolveContext &context,
                                     const IntervalOptions &options);

} // namespace remat::moccasin
