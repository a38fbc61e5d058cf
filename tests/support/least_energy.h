// SPDX-License-Identifier: Apache-2.0
// The least energy of a small graph with copies to host memory, by looking at every state there is.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/graph.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace remat::test {

/// The least joules of any plan that makes its first computations in graph order, stays within the budget and takes at
/// most `mostTimeUs`; nothing when there is no such plan.
///
/// Best-first search over states (storages held, storages with a copy in host memory, first computations done). With a
/// limit on time a state has many labels, none better than another in energy and all clocks of the rules: those of the
/// three lanes, and per storage when it can be read, freed and fetched. Shares no code with planner or simulator. Up to
/// about 9 storages without a limit on time, 6 with one; asserts at 12.
std::optional<double> bruteForceLeastJoules(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                                            double mostTimeUs = std::numeric_limits<double>::infinity());

} // namespace remat::test
