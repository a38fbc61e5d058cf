// SPDX-License-Identifier: Apache-2.0
// Chunkings that people write down.
#pragma once

#include "solvers/chunk/candidates.h"

#include <string>

namespace remat {

/// The chunking that `head=8` or `NAME=8`, several with commas, names: the head with its loss, or what is around the op
/// of that name, in so many pieces. Of the dims that may be cut it takes the one that leaves least to hold. Fails with
/// a sentence on names that are not there and on numbers that cannot be.
Expected<Chunking> chunkingByName(const std::string &text, const Model &model, const ChunkSetting &setting);

} // namespace remat
