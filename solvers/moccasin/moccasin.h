// Few copies of each tensor: Moccasin's retention intervals.
#pragma once

#include "solvers/solver.h"

namespace remat::moccasin {

struct IntervalOptions {
    int copies = 2; ///< how often an op may be computed: C
    bool warm = true;
    int thousandMoves = 100, seeds = 2;
    int work = 0;
};

/// The fastest plan in which every op is computed at most C times, so that each of its tensors has at most C retention
/// intervals (Bartan, Li, Teague, Lott, Dilkina: Moccasin, ICML 2023), by CP-SAT. First computations keep the order of
/// the graph and recomputations stand in the slots between them (staging). Phase 1, on large graphs for which there is
/// no plan yet: the least bytes over the budget. Phase 2: the least time. Fails with a sentence where there is no
/// CP-SAT.
Expected<SolveOutcome> planIntervals(const SolveRequest &request, const SolveContext &context,
                                     const IntervalOptions &options);

} // namespace remat::moccasin
