// SPDX-License-Identifier: Apache-2.0
// Recomputation and paging decided together, part by part of the forward pass.
#pragma once

#include "solvers/offload/candidates.h"

namespace remat::offload {

struct OffmateSettings {
    std::int64_t budgetBytes = 0; ///< budget for the graph with what the request plans
    int levels = 10;              ///< plans that only compute again, for ever less memory
    int movesPerOp = 10;          ///< moves of annealing, for each of these
    int parts = 12;               ///< parts of the forward pass
    int tries = 400;              ///< plans made and timed, at most
};

/// Offers plans in which every part of the forward pass has a level, which says what of it is computed again, and
/// whether its results may leave the device; planned parameters and states always may. A level is a set of
/// recomputations that a search found for one amount of memory, `first` and nothing being two of them. All parts alike
/// come first; from the best of these, one part after the other is changed, and what stays free for copies on their
/// way, until nothing gains any more; then single recomputations. Plans are judged by the simulator. `flat` is the
/// graph with its parameters resident. Counted work: the same settings and seed give the same plans, unless the context
/// stops it.
Expected<void> offerCombinations(const FlatGraph &flat, const SolveRequest &request, const SolveContext &context,
                                 const OffmateSettings &settings, const std::vector<std::vector<Recompute>> &first,
                                 Candidates &candidates);

} // namespace remat::offload
