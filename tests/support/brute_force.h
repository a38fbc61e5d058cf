// SPDX-License-Identifier: Apache-2.0
// Exact answers for small graphs, by looking at every state there is.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/graph.h"
#include "core/plan/pins.h"

#include <cstdint>
#include <optional>

namespace remat::test {

/// The smallest time of any plan without offloads that computes every op, makes its first computations in graph order
/// and stays within the budget; nothing when there is no such plan.
///
/// Dijkstra over states (set of planned storages held, number of first computations done); an edge computes the next op
/// or one that was computed before, or drops a storage at no cost. Memory during an op counts a storage that is still
/// held and made again twice, as the rules say. Exact: a plan is a path, since nothing but that state decides what may
/// follow. Up to 2^storages × (ops + 1) states, of which those with a use are looked at: asserts at 24 storages.
///
/// With `pins`: what is to be kept is made by ops that are computed once (which is the same where they make one storage
/// each), and what is to be recomputed goes when the last op before the first backward op has been computed.
std::optional<double> bruteForceOptimum(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                                        const Pins &pins = {});

/// The smallest peak of any valid plan, in any order, recomputation included; ops that nothing needs may be left out.
/// With `offloads`, plans may also park in host memory whatever was made, and planned parameters.
///
/// Bottleneck Dijkstra over states (storages held, storages ever made that are worth remembering: all with offloads,
/// those that may be made only once without). Up to 4^storages states: about 8 storages with offloads.
std::int64_t bruteForceSmallestPeak(const Graph &graph, const CostTable &costs, bool offloads = false);

} // namespace remat::test
