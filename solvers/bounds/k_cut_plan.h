// SPDX-License-Identifier: Apache-2.0
// The plan that a whole solution of the program of several cuts stands for.
#pragma once

#include "solvers/bounds/k_cut_model.h"
#include "solvers/tools/flat.h"

#include <vector>

namespace remat {

/// What it computes again, each as late as those who read it allow, sorted: a solution does not say when between two
/// cuts an op is computed again. The plan takes no more time than the solution; between cuts, and while it computes
/// again, it may hold more than the budget. `x` by column. O(cuts × graph).
std::vector<Recompute> recomputesOf(const FlatGraph &flat, const KCutProgram &program, const std::vector<double> &x);

/// Where cuts are missing for such a plan to be within the budget: first computations of needed ops where it holds
/// more, the worst first, at most `most`; of those that are cuts already, the one before. None where no further cut
/// helps: the plan fits, or is over the budget only while it computes again between two cuts that follow each other.
std::vector<OpId> missingCuts(const FlatGraph &flat, const KCutProgram &program, std::int64_t budgetBytes,
                              const std::vector<Recompute> &recomputes, std::size_t most);

} // namespace remat
