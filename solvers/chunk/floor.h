// SPDX-License-Identifier: Apache-2.0
// What no chunking can bring a step below, and what a simple one does.
#pragma once

#include "solvers/chunk/candidates.h"

#include <optional>

namespace remat {

/// The least that any plan of any chunking needs with regions in up to `mostChunks` pieces, by the rules of modesOf():
/// some piece of each op that no plan can do without has to run, with what it reads and makes whole, and at least its
/// share of what is cut; and the outputs of the graph are held at the end. `op` is of the model's prepared() graph.
/// Fails on models without operators. O(ops × mostChunks).
Expected<PeakBound> floorInChunks(const Model &model, const ChunkSetting &setting, int mostChunks);

/// The chunking that brings the floor to an eighth of what it is, or as near to that as there is; to a quarter where an
/// eighth would be hardly lower. In more pieces the kernels of a loss take longer than what is saved is worth. None
/// where it would stay above nine tenths.
std::optional<ChunkedModel> lowerFloor(const Model &model, const PeakBound &floor, const ChunkSetting &setting);

} // namespace remat
