// SPDX-License-Identifier: Apache-2.0
// Chunkings in words.
#pragma once

#include "core/graph/chunking.h"

#include <string>

namespace remat {

/// What a region is called: `loss` where it has one, else its first node without the number that tells it from others.
std::string regionName(const ChunkRegion &region);

/// `the loss in 8 chunks`, `12 regions like gelu_backward in 4 chunks`, several with commas; `no chunks` for none.
std::string chunkingTitle(const Chunking &chunking);

} // namespace remat
