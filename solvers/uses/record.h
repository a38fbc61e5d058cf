// SPDX-License-Identifier: Apache-2.0
// A solve that writes down how the planner came to its plan.
#pragma once

#include "solvers/interface/solver.h"

namespace remat {

/// Graphs with more ops make stories that nobody can follow.
constexpr int kMostStoryOps = 80;

struct Recorded {
    SolveOutcome outcome;
    Story story;
};

/// Names of the planners that tell how they plan, in the order of lists.
std::vector<std::string> tellingPlanners();

/// As solve(), with the story: `remat-story/1`, core/teaching/stories/README.md. Fails with a sentence where the
/// planner does not tell, the graph is too large, decisions were made by hand, or nothing is to be decided since
/// keep-all fits. Blocks.
Expected<Recorded> solveAndRecord(const Planner &planner, const SolveRequest &request, const SolveContext &context);

} // namespace remat
