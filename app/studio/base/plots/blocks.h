// SPDX-License-Identifier: Apache-2.0
// Blocks in a row of a plot, and how neighbours too small to see fold into one mark. No painting.
#pragma once

#include "app/studio/base/plots/scale.h"

#include <cstdint>
#include <vector>

namespace remat::studio {

/// Something with a beginning and an end on the axis. `id` is the caller's.
struct Block {
    double from = 0, to = 0;
    std::int32_t id = 0;
};

/// One block as it is drawn, or several folded into a mark.
struct FoldedBlock {
    std::int32_t first = 0, count = 1; ///< blocks [first, first + count)
    double left = 0, right = 0;        ///< in pixels, within the row
    double covered = 0;                ///< pixels of it that are busy
};

/// Blocks between `left` and `right` in pixels; runs of blocks narrower than `least`, with gaps below `least`, become
/// one mark of at least one pixel. Blocks rise and do not overlap. O(log all + blocks in sight).
std::vector<FoldedBlock> foldBlocks(const std::vector<Block> &blocks, const Scale &scale, double left, double right,
                                    double least);

/// The block at a position, or the nearest within `slack`; -1 when there is none.
int blockAt(const std::vector<Block> &blocks, double position, double slack);

} // namespace remat::studio
