// SPDX-License-Identifier: Apache-2.0
// The whole search: greedy, annealing from several seeds, re-heats from the best.
#pragma once

#include "solvers/search/anneal.h"

#include <functional>

namespace remat::search {

struct SearchSettings {
    std::int64_t budgetBytes = 0;
    std::int64_t moves = 300'000; ///< moves of the first, long cooling of each seed
    int seeds = 2;                ///< annealed side by side; the number decides the result, threads do not
    int reheats = 6;              ///< shorter coolings from the best plan afterwards
    std::uint64_t seed = 0;
    int threads = 1;
    double enoughUs = 0;          ///< extra time at which there is nothing left to gain
    SearchStory *story = nullptr; ///< told of the greedy from nothing and of the first cooling of the first seed
};

/// What a search tells while it runs, from any thread.
struct SearchReport {
    const char *activity = "";
    double done = 0;               ///< share of all rounds
    const Found *better = nullptr; ///< set when there is a better plan
};
using SearchListener = std::function<void(const SearchReport &)>;

/// Starts from `start` (sorted, may be empty), from nothing and from the choices behind closure bounds, whichever the
/// greedy makes most of; lowers the peak first when none fits; then anneals. When no plan fits, the result has the
/// smallest peak met. The same settings and start give the same plan for any number of threads, unless `stop` cuts it
/// short.
Found searchPlan(const FlatGraph &flat, const std::vector<Recompute> &start, const SearchSettings &settings,
                 const StopCheck &stop, const SearchListener &tell = {});

/// One round of it: anneals from `from` with every seed of the settings side by side; the best, `from` included.
Found annealSideBySide(const FlatGraph &flat, const Found &from, const SearchSettings &settings,
                       const AnnealSettings &cooling, const StopCheck &stop);

} // namespace remat::search
