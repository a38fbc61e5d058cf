// SPDX-License-Identifier: Apache-2.0
// A small graph as `remat-graph/1`, for puzzles that hold theirs.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/graph.h"

#include <nlohmann/json_fwd.hpp>

namespace remat {

/// What `parseGraphJson` reads back as the same graph with the same times.
nlohmann::ordered_json graphAsJson(const Graph &graph, const CostTable &costs);

} // namespace remat
