// SPDX-License-Identifier: Apache-2.0
// Chunkings that people write down.
#pragma once

#include "solvers/chunk/candidates.h"

#include <string>

namespace remat {

/// The chunking that `head=8` or `NAME=8`, several with commas, names: the head with its loss, or what is around the op
/// of that name, in so many pieces; `batch=8`: all of the step, in so many micro-batches. Of the dims that may be cut
/// it takes the one that leaves least to hold. Fails with a sentence on names that are not there and on numbers that
/// cannot be.
///
/// withRegion() does so for one op after what is in chunks already: a region that has the op, or a piece of it, gets
/// this number of pieces; else one around the op is added.
Expected<Chunking> chunkingByName(const std::string &text, const Model &model, const ChunkSetting &setting);

Expected<Chunking> withRegion(Chunking chunking, const std::string &op, int k, const Model &model,
                              const ChunkSetting &setting);

} // namespace remat
