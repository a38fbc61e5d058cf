// The portfolio: what people get who choose no planner.
#pragma once

#include "solvers/portfolio/members.h"

namespace remat::portfolio {

struct Settings {
    Effort effort;
    bool reorder = true;  ///< try other orders of first computations
    bool windows = false; ///< solve windows of the best plan exactly at the end
    bool hiremate = true; ///< try the hierarchical planner where annealing stays away from the bound
};

/// Runs the members until nothing is left to gain, the rounds or the work that belongs to the time limit are used up or
/// no line gains any more. The same settings, seed and time limit give the same plan on any machine for any number of
/// threads, unless a stop or the deadline itself cuts it short, which the message of the outcome says.
SolveOutcome run(const SolveRequest &request, const SolveContext &context, const Settings &settings);

} // namespace remat::portfolio
