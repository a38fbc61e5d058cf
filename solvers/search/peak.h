// SPDX-License-Identifier: Apache-2.0
// The smallest peak that sets of recomputations reach.
#pragma once

#include "solvers/search/anneal.h"

#include <limits>

namespace remat::search {

struct PeakSettings {
    std::int64_t targetBytes = 0;                                      ///< low enough: the work ends there
    std::int64_t moves = 60'000;                                       ///< moves of each attempt to get a little lower
    std::int64_t mostMoves = std::numeric_limits<std::int64_t>::max(); ///< for all attempts; the last may exceed it
    std::uint64_t seed = 0;
};

/// Lowers the peak of `state` step by step: from the lowest plan so far to a budget a little below its peak, by greedy
/// drops and then by annealing that ends at the first plan that fits. Steps shrink when they fail. Returns the plan
/// with the smallest peak; `fits` says whether it is within the target. The state's budget is the target afterwards.
Found lowerPeak(State &state, const PeakSettings &settings, const StopCheck &stop);

/// The same from several seeds on up to `threads` threads, from the plan of `from`: the best, with the moves of the one
/// that made most. Threads do not change the result.
Found lowerPeakSideBySide(const FlatGraph &flat, const Found &from, const PeakSettings &settings, int seeds,
                          int threads, const StopCheck &stop);

} // namespace remat::search
