// SPDX-License-Identifier: Apache-2.0
// What no plan can do without, and when.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/graph.h"

#include <cstdint>
#include <vector>

namespace remat {

/// An op is needed when every valid plan computes it: it makes an output of the graph, must be computed once because it
/// writes to its inputs or is a collective, or makes what such an op reads.
struct Needs {
    std::vector<char> op; ///< per op: 1 when it is needed; 0 for ops on the host, which take nothing of the device
    /// Per storage: the last needed op, in graph order, that reads it; the number of ops for outputs of the graph; -1
    /// when it is not needed.
    std::vector<std::int32_t> last;
    std::vector<std::int32_t> lastOfOp = {}; ///< per op: the latest `last` of what it makes; -1 without one
};

/// O(graph).
Needs needsOf(const Graph &graph);

/// The same as far as it holds at the first computation of op t in every order: only storages whose makers come before
/// t in all orders are needed, and only by ops that come after t in all of them, or as outputs of the graph. Others
/// have `last` -1; those whose readers may all come before t have t. O(graph).
Needs needsInAnyOrder(const Graph &graph, const Needs &needs, OpId t);

/// Time of all needed ops, once each.
double neededTimeUs(const Needs &needs, const CostTable &costs);

/// Needed ops at whose first computation, in graph order, more than the budget is held when everything that is needed
/// later is kept; the ones that hold most come first. O(graph log graph).
std::vector<OpId> cutsOverBudget(const Graph &graph, const CostTable &costs, const Needs &needs,
                                 std::int64_t budgetBytes);

} // namespace remat
