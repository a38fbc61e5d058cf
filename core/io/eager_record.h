// SPDX-License-Identifier: Apache-2.0
// What a trace says of how eager PyTorch runs its ops, beside the graph.
#pragma once

#include "core/graph/model.h"
#include "core/plan/eager_frees.h"

#include <cstdint>
#include <vector>

namespace remat {

struct EagerRecord {
    std::vector<int> checkpoints; ///< per op the part that the model checkpoints by itself, -1: none; empty: no parts
    std::vector<std::int64_t> formulas; ///< per op the function of autograd whose formula it is part of, -1: none
    std::vector<EagerHold> holds;
};

/// All lists are empty for graphs as JSON. Reads the trace again; any thread.
Expected<EagerRecord> readEagerRecord(const Model &model);

} // namespace remat
