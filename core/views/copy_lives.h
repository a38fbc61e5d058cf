// SPDX-License-Identifier: Apache-2.0
// From when to when each copy of a storage is in device memory.
#pragma once

#include "core/plan/timeline.h"

#include <vector>

namespace remat {

/// One copy, in steps [firstStep, lastStep], its way to host memory and back included.
struct CopyLife {
    StorageId storage;
    std::int32_t firstStep = 0, lastStep = 0;
    Category category = Category::KeptActivations; ///< as it begins
    bool recomputed = false;
    bool heldAtTheEnd = false; ///< an output of the step, which nothing frees
};

/// By first step. O(ranges × log ranges).
std::vector<CopyLife> copyLives(const Graph &graph, const MemoryTimeline &timeline);

/// One more than the last step of the plan.
std::int32_t stepsOf(const MemoryTimeline &timeline);

} // namespace remat
