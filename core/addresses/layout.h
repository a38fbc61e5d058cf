// SPDX-License-Identifier: Apache-2.0
// Static address planning: an offset for every memory instance of a plan, known before the first step runs.
#pragma once

#include "core/addresses/memory_instance.h"
#include "core/base/stop_token.h"

#include <optional>
#include <string>

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

/// How long `layOutWell` may look.
struct LayoutEffort {
    std::int64_t mostNodes = 200'000; ///< limit for all searches together
    StopCheck stop;                   ///< ends with the best so far; may be empty
};

/// A layout, and what is known about how good it is.
struct SearchedLayout {
    MemoryLayout layout;
    std::int64_t boundBytes = 0; ///< no layout is lower: the load, or more where that was proven impossible
    std::int64_t nodes = 0;      ///< placements that were tried
};

/// The layout of `layOut`, then ever lower ones by search (`searchLayout`): for the load itself, then between what is
/// known to be possible and what is not, in rounds of ever more nodes. Deterministic but for the stop.
SearchedLayout layOutWell(const std::vector<MemoryInstance> &instances, const LayoutEffort &effort);

/// A sentence about the first thing that is wrong with a layout: another number of offsets, one below 0, two instances
/// that share an address while both live, a height that is not where the highest ends. Nothing when it is sound. Shares
/// no code with what makes layouts. O(instances × log instances) for sound ones.
std::optional<std::string> layoutFault(const std::vector<MemoryInstance> &instances, const MemoryLayout &layout);

} // namespace remat
