// SPDX-License-Identifier: Apache-2.0
// Whether any plan of a graph of up to 64 storages takes less energy than one that is known.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/graph.h"

#include <cstdint>
#include <limits>

namespace remat::test {

struct EnergySearch {
    bool ended = false; ///< every state that could lead to less was looked at; otherwise there were too many
    double joules = 0;  ///< the least of all plans when that is less than what was to be beaten, which it is otherwise
    std::int64_t states = 0; ///< that were looked at
};

/// Search over states (storages held, storages that were copied to host memory, first computations done) for a plan
/// that makes its first computations in graph order, stays within the budget and takes less than `joulesToBeat`. Exact
/// for graphs of any shape whose states are few enough. Shares no code with planner, simulator or integer program.
///
/// It is Dijkstra's algorithm with four things more, none of which loses a plan of least energy. A copy to host memory
/// is paid for when it first comes back, since it could be made at any time while the storage was held. What comes back
/// comes just before it is read. What goes, goes when room is needed, and no more than that. And a state is left out
/// when what it still has to pay for at least makes it no less than what is to be beaten: everything that is missing
/// and needed, and what has to be missing at the tight places, by a bound on their linear program. What is made again
/// pays for what that reads, too, where it is not held and not needed for itself.
///
/// With `mostTimeUs` finite, all computations together and the copies each way may take no more than that; what ops
/// wait for copies is not seen, so `joules` is no more than the least then, and may be less.
EnergySearch searchLessEnergy(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, double joulesToBeat,
                              double mostTimeUs = std::numeric_limits<double>::infinity(),
                              std::int64_t mostStates = 3'000'000);

} // namespace remat::test
