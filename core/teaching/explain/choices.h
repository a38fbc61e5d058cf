// SPDX-License-Identifier: Apache-2.0
// Why a plan computes an op again, and why it keeps a storage: each choice against its opposite.
#pragma once

#include "core/costs/cost_table.h"
#include "core/plan/plan.h"

#include <optional>
#include <vector>

namespace remat {

/// The plan with one choice turned round, everything else as it was.
struct WhatIf {
    std::int64_t peakBytes = 0;
    double timeUs = 0;
    std::int64_t overBytes = 0; ///< bytes over the plan's budget; 0 when it fits or there is no budget
    int computations = 0;       ///< how many fewer, or more, the plan then has
};

/// Why an op is computed again, told of the longest time for which what it makes is away.
struct WhyRecomputed {
    OpId op;
    StorageId storage;            ///< what it makes, the storage that is read first then
    int times = 0;                ///< computations after the first
    std::int32_t droppedStep = 0; ///< the free, in the plan's steps
    std::int32_t neededStep = 0;  ///< the first read of the new copy
    OpId reader;
    double againUs = 0;         ///< time of this computation alone
    std::optional<WhatIf> kept; ///< had the copy been kept; none for plans that copy to host memory
};

/// None when the op is computed at most once. The steps must be possible. O(steps × degree).
std::optional<WhyRecomputed> whyRecomputed(const Graph &graph, const CostTable &costs, const Plan &plan, OpId op);

/// Why a storage is kept, told of the longest time between two uses of one copy.
struct WhyKept {
    StorageId storage;
    std::int64_t bytes = 0;
    bool output = false;         ///< held to the end
    bool once = false;           ///< made by an op that may be computed only once
    std::int32_t usedStep = 0;   ///< made or read last before that time, in the plan's steps
    std::int32_t neededStep = 0; ///< read again
    OpId reader;
    std::vector<OpId> chain; ///< what would have to be computed again to have it then, in order
    double chainUs = 0;
    std::optional<WhatIf> dropped; ///< had it been dropped; none where `once`, and for plans that copy to host memory
};

/// None when nothing makes the storage, when it is not used after it was made, or never rests between two uses. The
/// steps must be possible. O(steps × degree).
std::optional<WhyKept> whyKept(const Graph &graph, const CostTable &costs, const Plan &plan, StorageId storage);

/// Why a storage is parked in host memory, told of the longest time it is there.
struct WhyOffloaded {
    StorageId storage;
    std::int64_t bytes = 0;
    std::int32_t copiedStep = 0; ///< the offload, in the plan's steps
    std::int32_t freedStep = 0;  ///< the free of the device's copy
    std::int32_t backStep = 0;   ///< the prefetch
    std::int32_t neededStep = 0; ///< read for the first time after that; the prefetch itself when nothing reads it
    OpId reader;                 ///< may be none
    double copyUs = 0;           ///< each way, beside computing
    double againUs = -1;         ///< time to make it again instead, by its op alone; negative when that is not allowed
};

/// None when it never leaves the device, or never comes back. O(steps × degree).
std::optional<WhyOffloaded> whyOffloaded(const Graph &graph, const CostTable &costs, const Plan &plan,
                                         StorageId storage);

} // namespace remat
