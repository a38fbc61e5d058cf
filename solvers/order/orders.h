// SPDX-License-Identifier: Apache-2.0
// Orders of first computations worth planning in.
#pragma once

#include "solvers/order/slide.h"

#include <vector>

namespace remat {

/// The order in which the graph stands.
std::vector<OpId> givenOrder(const Graph &graph);

/// Takes ops that read nothing but residents, make next to nothing and have no readers (new counters of a batch norm)
/// to the end, where each is a slot of its own: outputs of the graph that were given up can be computed again there,
/// with nothing else in memory.
std::vector<OpId> withSlotsAtEnd(const Graph &graph, const std::vector<OpId> &order);

/// Lowers what keeping everything would hold over the budget (`slideBelow` on the graph's own order).
std::vector<OpId> leastOverflowOrder(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                                     const SlideLimits &limits);

/// The given order, and those above that differ from it and from each other.
std::vector<std::vector<OpId>> candidateOrders(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                                               const SlideLimits &limits);

} // namespace remat
