// SPDX-License-Identifier: Apache-2.0
// The same regions, cut along other dims.
#pragma once

#include "solvers/chunk/candidates.h"

#include <vector>

namespace remat {

/// For each kind of region of the chunking, and each other dim along which the op with its largest tensor may be cut:
/// the chunking with such regions grown anew around their ops, in as many pieces. An MLP that runs along its tokens may
/// run along its hidden width. Not each of them need be possible: inSetting() says so. O(regions × program).
std::vector<Chunking> alongOtherDims(const Model &model, const Chunking &chunking, const ChunkSetting &setting);

} // namespace remat
