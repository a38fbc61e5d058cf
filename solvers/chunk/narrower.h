// SPDX-License-Identifier: Apache-2.0
// Smaller regions in place of large ones, and one more.
#pragma once

#include "solvers/chunk/candidates.h"

#include <vector>

namespace remat {

/// For each kind of region of the chunking: the chunkings with only its ops of the backward pass, or of the forward
/// one, in pieces; and with only the op that makes its largest tensor, in as many pieces or twice as many. Then those
/// with one more region, of the op alone that needs most of those that are whole, in 2 and 4 pieces, along each dim.
/// Small regions have fewer kernels. Not each need be possible: inSetting() says so. `chunked` is the model in
/// `chunking`. O(regions × program).
std::vector<Chunking> narrowerOf(const Model &model, const ChunkedModel &chunked, const ChunkSetting &setting);

} // namespace remat
