// SPDX-License-Identifier: Apache-2.0
// Where every storage of a plan would lie in one arena of device memory, and for how long.
#pragma once

#include "core/model/open_model.h"

namespace remat {

/// A stretch of an instance's life in one category: a rectangle of the map.
struct AddressBlock {
    StorageId storage; ///< none for workspace
    OpId op;           ///< whose workspace it is, or what made the storage; may be none
    std::int64_t offset = 0, bytes = 0;
    std::int32_t firstStep = 0, endStep = 0;
    Category category = Category::KeptActivations;
};

/// Immutable; made on a worker thread.
struct AddressMap {
    std::vector<AddressBlock> blocks; ///< by first step
    std::int64_t heightBytes = 0;     ///< height of the arena
    std::int64_t loadBytes = 0;       ///< largest sum held at one step: the height without gaps
    double fragmentation = 0;         ///< share of the height that is lost to gaps, 0 … 1
    std::int64_t largestBytes = 0;    ///< size of the largest block
};

/// Lays the plan out and says which category each stretch belongs to. Any thread; up to a second or two for plans of
/// tens of thousands of steps.
std::shared_ptr<const AddressMap> makeAddressMap(const CostedModel &model, const Plan &plan,
                                                 const MemoryTimeline &timeline);

/// Bytes of the arena below the highest block that no block holds at a step.
std::int64_t gapBytesAt(const AddressMap &map, std::int32_t step);

} // namespace remat
