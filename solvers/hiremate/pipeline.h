// The hierarchical planner from end to end.
#pragma once

#include "solvers/solver.h"

namespace remat::hiremate {

/// Blocks → options per distinct block → program over the chain → composition replayed on the whole graph → tightened
/// until it fits → undo. Small graphs and graphs without a backward part are solved as one exact program instead.
/// Keeps the deadline and returns the best plan it has when stopped. (H-Rockmate: Zhao et al., ICML 2023 and HiRemate,
/// ICML 2025, on the joint graph.)
Expected<SolveOutcome> planHierarchically(const SolveRequest &request, const SolveContext &context);

} // namespace remat::hiremate
