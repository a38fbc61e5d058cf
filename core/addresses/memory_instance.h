// SPDX-License-Identifier: Apache-2.0
// Every stretch of device memory that a plan allocates, with its lifetime: what an address planner places.
#pragma once

#include "core/plan/plan.h"

#include <vector>

namespace remat {

/// A copy of a storage (of a planned parameter too, from the start of the plan where it begins on the device), a second
/// copy that is dropped at once, or the workspace of an op. Lives in steps [firstStep, endStep).
struct MemoryInstance {
    StorageId storage; ///< none for workspace
    OpId workspaceOf;  ///< none for storages
    std::int32_t firstStep = 0, endStep = 0;
    std::int64_t bytes = 0;
};

/// The instances of a plan, by first step; instances without bytes are left out. The steps must be possible (as the
/// checker says). O(steps × degree).
std::vector<MemoryInstance> memoryInstances(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps);

/// The largest sum of bytes alive at one step: no layout is lower. O(instances log instances).
std::int64_t largestLoad(const std::vector<MemoryInstance> &instances);

} // namespace remat
