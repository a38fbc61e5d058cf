// SPDX-License-Identifier: Apache-2.0
// Chunkings that bring what a graph needs at least under a target.
#pragma once

#include "core/base/stop_token.h"
#include "core/bounds/bounds.h"
#include "core/chunk/rewrite.h"
#include "core/costs/cost_table.h"
#include "core/costs/device.h"
#include "core/graph/optimizer.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace remat {

/// A model in chunks under costs: all that is known of it before it is planned.
struct ChunkedModel {
    Chunking chunking;
    std::shared_ptr<const Model> model;
    CostTable costs;
    PeakBound floor;
    double keepAllTimeUs = 0;
};

/// Most pieces that searches try, and that floors over all chunkings are for; more make kernels too small to be worth
/// it.
inline constexpr int kMostPieces = 64;

/// Makes what is planned of a model: its graph, with updates where the step holds them, and its costs.
struct ChunkSetting {
    std::function<Expected<Model>(Model chunked)> finish; ///< may be empty: the model as it is
    std::function<CostTable(const Model &finished)> costs;
    bool wideSums = true;           ///< sums of half-precision numbers as setUsualSums() says; else in their own type
    std::vector<std::string> whole; ///< nodes that run in no pieces, decided by hand
    int mostChunks = kMostPieces;   ///< pieces of a region that a search tries at most
};

/// Whether the setting leaves all nodes of the region to be cut.
bool mayRun(const ChunkRegion &region, const ChunkSetting &setting);

/// Twice as many pieces, or the most there may be.
int morePieces(int k, const ChunkSetting &setting);

/// The setting of a step with these updates, on a device by the roofline. Both are copied.
ChunkSetting settingOf(const Device &device, const Updates &updates);

/// The model with this chunking, in this setting. Fails as chunkedModel() does.
Expected<ChunkedModel> inSetting(const Model &model, const Chunking &chunking, const ChunkSetting &setting);

/// The op with the largest working set of those that count (all without a function); none where nothing is planned. The
/// outputs together are no op's fault. O(ops).
OpId neediestOf(const ChunkedModel &chunked, const std::function<bool(OpId)> &counts = {});

/// The chunking that brings the largest working set of an op to `targetBytes` or below at the least added time; where
/// none does, the one that brings it lowest. Region by region: around the op that needs most, each dim that may be cut,
/// in as few pieces as do; ops alike to it, in the same pass, are cut alike. No chunking where the graph is below the
/// target already, or cannot be brought lower. Deterministic but for the stop. Milliseconds to seconds.
Chunking chunkingForFloor(const Model &model, std::int64_t targetBytes, const ChunkSetting &setting,
                          const StopCheck &stop = {});

} // namespace remat
