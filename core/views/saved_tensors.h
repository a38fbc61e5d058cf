// SPDX-License-Identifier: Apache-2.0
// What is saved for the backward pass, tensor by tensor and summed. No painting.
#pragma once

#include "core/views/find_ops.h"
#include "core/views/op_groups.h"

#include <string>
#include <vector>

namespace remat {

/// One storage that the forward pass or the loss makes and the backward pass reads.
struct SavedTensor {
    StorageId storage;
    OpId producer;
    Fate fate = Fate::Kept;
    std::int32_t sinceStep = 0, untilStep = 0; ///< steps of the plan: its first copy is made, its last one is freed
    double sinceUs = 0, untilUs = 0;           ///< the same on the compute lane
    std::vector<OpId> readers;                 ///< ops of the backward pass, in graph order
};

/// All of them under a plan, the largest first and equal ones in graph order. `readers` is per storage, as
/// `readersOf()` says. O(graph + ranges × log samples).
std::vector<SavedTensor> savedTensors(const Graph &graph, const MemoryTimeline &timeline,
                                      const std::vector<std::vector<OpId>> &readers);

/// Those that meet the filter, in their order: `kept`, `recomputed`, `offloaded` and `size` are about the tensor
/// itself, all else about the op that makes it. O((tensors + ops) × terms).
std::vector<SavedTensor> filtered(const std::vector<SavedTensor> &tensors, const Filter &filter,
                                  const SearchedOps &searched);

struct SavedSum {
    std::string name; ///< empty: what belongs to no group
    std::int64_t tensors = 0;
    std::int64_t bytes = 0;
    std::int64_t keptBytes = 0, recomputedBytes = 0, offloadedBytes = 0; ///< parts of `bytes`
};

/// By module, block, kind of op or type; the largest first.
std::vector<SavedSum> savedSums(const Graph &graph, const std::vector<SavedTensor> &tensors, GroupBy by);

} // namespace remat
