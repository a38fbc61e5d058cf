// SPDX-License-Identifier: Apache-2.0
// What a run writes to.
#pragma once

#include "core/graph/program.h"

#include <set>
#include <vector>

namespace remat {

/// New values of buffers that lie in the old ones by the trace. Where an operator makes them elsewhere, a run copies
/// them there, once: computed again, it makes the rest of the same. O(outputs).
std::vector<ValueId> writtenBack(const Program &program);

/// All that a run writes to, by an op or as a new value of a buffer. Inputs among them are copied, so that each run
/// starts from them as they were. O(program).
std::set<StorageId> writtenStorages(const Program &program);

} // namespace remat
