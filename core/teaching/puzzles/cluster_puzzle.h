// SPDX-License-Identifier: Apache-2.0
// A puzzle's graph out of a part of a model.
#pragma once

#include "core/teaching/puzzles/puzzle.h"

namespace remat {

/// The ops as a graph of their own: what they read from before is an input and always there; what the rest of the
/// network does between their forward and their backward pass is one op of no time, `rest_of_network`, which is
/// computed once. Ops whose results nothing needs are left out. The budget is the keep-all peak and the optimum is not
/// known yet. Fails with a sentence where the part is no puzzle: too large, or with nothing to reach. O(graph).
Expected<Puzzle> clusterPuzzle(const Graph &graph, const CostTable &costs, const std::vector<OpId> &ops,
                               const std::string &name);

} // namespace remat
