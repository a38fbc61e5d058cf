// Few copies of each tensor: Moccasin's retention intervals.
#pragma once

#include "solvers/solver.h"

namespace remat::moccasin {

struct IntervalOptions {
    int copies = 2;    ///< how often an op may be computed: C
    int exactOps = 80; ///< larger graphs are searched
    int thousandMoves = 300, seeds = 2;
};

/// The fastest plan in which every op is computed at most C times, so that each of its tensors has at most C retention
/// intervals (Bartan, Li, Teague, Lott, Dilkina: Moccasin, ICML 2023). First computations keep the order of the graph
/// and recomputations stand in the slots between them (staging). Small graphs: first the least bytes over the budget,
/// then, once something fits, the least time, both by branch and cut. Large graphs: annealing over the same plans.
Expected<SolveOutcome> planIntervals(const SolveRequest &request, const SolveContext &context,
                                     const IntervalOptions &options);

} // namespace remat::moccasin
