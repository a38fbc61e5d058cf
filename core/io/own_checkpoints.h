// Which parts of a model its own code checkpoints, as the trace has it.
#pragma once

#include "core/graph/model.h"

#include <vector>

namespace remat {

/// For each op of the model's graph the number of the part that the model computes again by itself and the op lies in,
/// -1 for none. Empty when the model checkpoints nothing, and for graphs as JSON. Reads the trace again; any thread.
Expected<std::vector<int>> readOwnCheckpoints(const Model &model);

} // namespace remat
