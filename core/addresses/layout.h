// Static address planning: an offset for every memory instance of a plan, known before the first step runs.
#pragma once

#include "core/addresses/memory_instance.h"

namespace remat {

struct MemoryLayout {
    std::vector<std::int64_t> offsets; ///< per instance, in bytes
    std::int64_t heightBytes = 0;      ///< end of the highest instance
    std::int64_t loadBytes = 0;        ///< largest sum alive at one step: the height without fragmentation

    /// Share of the height that no instance ever needed at once, 0 … 1.
    double fragmentation() const
    {
        return heightBytes > 0 ? 1 - static_cast<double>(loadBytes) / static_cast<double>(heightBytes) : 0;
    }
};

/// Places the instances in the order of time, as an allocator would; then one after the other into the lowest gap that
/// is free over their whole life, in several orders (by size, as the greedy memory planner of TensorFlow Lite for
/// Microcontrollers does, by area, by length of life), and then again and again with what stood at the top placed
/// earlier, while that is likely to help; returns the lowest layout found, at once when it reaches the load. Plans of
/// tens of thousands of steps are only placed in the order of time. Dynamic storage allocation is NP-hard: the height
/// may be above the best. Deterministic; work is bounded by a count, about a second. O(rounds × instances²) at worst.
MemoryLayout layOut(const std::vector<MemoryInstance> &instances);

} // namespace remat
