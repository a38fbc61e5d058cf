// SPDX-License-Identifier: Apache-2.0
// Which inputs a run changes although no operator of the trace writes in place.
#pragma once

#include "core/graph/program.h"

#include <vector>

namespace remat {

/// New values of buffers that lie in the old ones by the trace. Where an operator makes them elsewhere, a run copies
/// them there, once: computed again, it makes the rest of the same. O(outputs).
std::vector<ValueId> writtenBack(const Program &program);

} // namespace remat
