// Few copies of each tensor: Moccasin's retention intervals.
#pragma once

#include "solvers/solver.h"

namespace remat::moccasin {

/// The fastest plan in which every op is computed at most C times, so that each of its tensors has at most C retention
/// intervals (Bartan, Li, Teague, Lott, Dilkina: Moccasin, ICML 2023). First computations keep the order of the graph
/// and recomputations stand in the slots between them (staging). Small graphs: first the least bytes over the budget,
/// then, once something fits, the least time, both by branch and cut. Large graphs: annealing over the same plans.
/// Options: `copies`, `exact-ops`, `moves`, `seeds`.
Expected<SolveOutcome> planIntervals(const SolveRequest &request, const SolveContext &context);

} // namespace remat::moccasin
