// SPDX-License-Identifier: Apache-2.0
// Regions that are alike, and the op that stands for one.
#pragma once

#include "core/chunk/region.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace remat {

/// Regions of a chunking by name and number of pieces, such as the MLPs of all layers, each kind as indices into
/// `Chunking::regions`. They are changed together.
std::vector<std::vector<std::size_t>> kindsOf(const Chunking &chunking);

/// An op of a region, and the size of its largest tensor in bytes.
struct LargestOp {
    NodeId node;
    std::int64_t bytes = -1;
};

/// The first op of the region that makes the largest tensor of all. Views have none, and where the region's nodes are
/// pieces of another region there is none, either.
LargestOp largestOf(const Program &program, const ChunkRegion &region);

} // namespace remat
