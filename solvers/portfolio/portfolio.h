// SPDX-License-Identifier: Apache-2.0
// The portfolio: what people get who choose no planner.
#pragma once

#include "solvers/portfolio/members.h"

namespace remat::portfolio {

struct PortfolioSettings {
    MemberEffort effort;
    bool reorder = true;  ///< try other orders of first computations
    bool useTime = true;  ///< go on until the time is used up while plan and bound are more than 1 % apart
    bool hiremate = true; ///< try the hierarchical planner where annealing stays away from the bound
};

/// Runs the members until nothing is left to gain or the work that belongs to the time limit is used up. Plans within 1
/// % of their bound are left when no line gains any more; without a time limit, so are all, and those after all rounds.
/// The same settings, seed and time limit give the same plan on any machine for any number of threads, unless a stop or
/// the deadline itself cuts it short, which the message of the outcome says.
SolveOutcome run(const SolveRequest &request, const SolveContext &context, const PortfolioSettings &settings);

} // namespace remat::portfolio
