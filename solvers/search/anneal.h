// SPDX-License-Identifier: Apache-2.0
// Simulated annealing over sets of recomputations, counted in moves.
#pragma once

#include "solvers/search/greedy.h"

#include <cstdint>
#include <functional>

namespace remat::search {

struct AnnealSettings {
    std::int64_t moves = 100'000;
    std::uint64_t seed = 0;
    /// Temperatures at start and end, as multiples of the median time of the ops that make large storages.
    double hot = 2, cold = 0.05;
    double priceUs = 0;           ///< per byte and slot over the budget to start with; 0: a guess that adapts itself
    double enoughUs = 0;          ///< extra time at which there is nothing left to gain
    SearchStory *story = nullptr; ///< told of every move; may be none
};

/// Kirkpatrick, Gelatt, Vecchi, Science 1983: walks from `state` (committed before) by random moves, taking what lowers
/// extra time + price × overflow and, while hot, some of what does not. The price follows the share of moves that end
/// within the budget. Returns the best plan met, pruned; when none fits, the one with the least overflow. `better` is
/// called at each new best that fits, the first included. Stops early when `stop` says so or `enoughUs` is reached.
/// The same settings and start give the same plan, bit for bit. About 5 µs a move on 1,000 ops.
Found anneal(State &state, const AnnealSettings &settings, const StopCheck &stop,
             const std::function<void(double extraUs)> &better = {});

} // namespace remat::search
