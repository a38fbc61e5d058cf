// SPDX-License-Identifier: Apache-2.0
// The same regions, cut along other dims, wider and narrower.
#pragma once

#include "solvers/chunk/candidates.h"

#include <vector>

namespace remat {

/// For each kind of region of the chunking, around the op with its largest tensor, the chunking with such regions grown
/// anew in as many pieces: along each other dim, since an MLP that runs along its tokens may run along its hidden
/// width; and along the same one with a quarter and four times the threshold that what is cut at its border joins at.
/// Not each of them need be possible: inSetting() says so. O(regions × program).
std::vector<Chunking> grownAnew(const Model &model, const Chunking &chunking, const ChunkSetting &setting);

} // namespace remat
