// SPDX-License-Identifier: Apache-2.0
// Costs of one training step at any batch, from those of two traces of it.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/batch_line.h"

namespace remat {

/// Times and workspaces with `batch` samples: each op's on the straight line through what it has in the two traces, and
/// never less than nothing. `other` is of the line's second trace. O(ops).
CostTable costsOfBatch(const CostTable &costs, const CostTable &other, const BatchLine &line, std::int64_t batch);

} // namespace remat
