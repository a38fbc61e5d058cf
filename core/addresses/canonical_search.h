// SPDX-License-Identifier: Apache-2.0
// Looks for addresses within a capacity, to the end if need be: in the manner of MiniMalloc.
#pragma once

#include "core/addresses/layout.h"
#include "core/base/stop_token.h"

#include <cstdint>
#include <vector>

namespace remat {

enum class SearchEnd : std::uint8_t {
    Found,      ///< a layout within the capacity
    Impossible, ///< proven: there is none
    Unknown,    ///< out of nodes, or stopped
};

struct SearchResult {
    SearchEnd end = SearchEnd::Unknown;
    std::vector<std::int64_t> offsets; ///< when found
    std::int64_t nodes = 0;            ///< placements that were tried
};

/// Depth-first search over canonical layouts, in which every instance lies as low as those below it let it, from the
/// bottom up. It goes on where the floor is lower than on both sides and the least room is to spare: in one section of
/// time there, one of the instances that may lie on that floor does, or none. A branch ends where what is still to come
/// in some section no longer fits over its floor; no instance lies lower than what lies below it in any of its
/// sections, and no floor is lower than the lowest that may come there; what time takes apart is searched apart.
/// (Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine Learning", ASPLOS 2023, has
/// canonical layouts, sections and decomposition; the choice of a section is ours, and leaves no two orders of the same
/// placements.) Its three static orders of instances, and disturbed ones, take turns with growing shares of nodes.
/// Deterministic but for `stop`, which may be empty. O(nodes × sections × instances alive at once).
SearchResult searchLayout(const std::vector<MemoryInstance> &instances, std::int64_t capacityBytes,
                          std::int64_t mostNodes, const StopCheck &stop);

} // namespace remat
