// SPDX-License-Identifier: Apache-2.0
// From any set of recomputations to one that fits, in milliseconds.
#pragma once

#include "core/base/stop_token.h"
#include "solvers/search/state.h"

namespace remat::search {

using remat::StopCheck;
class SearchStory;

/// Drops copies until the state fits its budget: again and again the gap whose drop, closure included, takes off most
/// overflow (bytes × slots) per added time. The price of a byte over the budget follows the drops taken, and rises
/// when none helps. May end over the budget, also because it has tried many drops for each op: `state.fits()` tells.
/// Commits. Deterministic. O(gaps + drops × a few) drops of 1 to 100 µs.
/// `story` is told of every drop; may be none.
void greedy(State &state, const StopCheck &stop, SearchStory *story = nullptr);

/// Removes every recomputation that the state can do without: one after the other, dearest first, kept out when the
/// overflow does not grow. Commits.
void prune(State &state, const StopCheck &stop, SearchStory *story = nullptr);

/// A plan of the search.
struct Found {
    std::vector<Recompute> set; ///< sorted
    double extraUs = 0;
    std::int64_t peakBytes = 0;
    bool fits = false;
    std::int64_t moves = 0; ///< moves of annealing that were made to find it, in all that led to it in one call
};
Found foundIn(const State &state);
/// Worse than every plan: over any budget, and endless.
Found nothingFound();
/// Whether `a` is the plan to keep: it fits and `b` does not, it is faster, or, when neither fits, its peak is lower.
bool isBetter(const Found &a, const Found &b);

/// `greedy` and `prune` from a set that may be empty, at once or, where that does not fit, step by step (`descend`).
Found greedyPlan(const FlatGraph &flat, std::int64_t budgetBytes, const std::vector<Recompute> &start,
                 const StopCheck &stop, SearchStory *story = nullptr);

} // namespace remat::search
