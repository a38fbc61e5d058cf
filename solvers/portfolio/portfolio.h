// The portfolio: what people get who choose no planner.
#pragma once

#include "solvers/portfolio/stages.h"

namespace remat::portfolio {

struct Settings {
    Effort effort;
    bool reorder = true;  ///< try other orders of first computations
    bool hiremate = true; ///< try the hierarchical planner where annealing stays away from the bound
};

/// Runs the stages until nothing is left to gain, the rounds are used up or no line gains any more. A stop or the
/// deadline cuts it short; otherwise the same settings and seed give the same plan on any machine for any number of
/// threads, unless the hierarchical planner ran, which is given seconds.
SolveOutcome run(const SolveRequest &request, const SolveContext &context, const Settings &settings);

} // namespace remat::portfolio
