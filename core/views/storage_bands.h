// SPDX-License-Identifier: Apache-2.0
// The largest storages of a plan, each as a band over the stretches it is alive.
#pragma once

#include "core/graph/graph.h"
#include "core/plan/timeline.h"

#include <vector>

namespace remat {

/// One copy of a storage, or a part of its life, in samples [first, end).
struct BandPiece {
    std::int32_t first = 0, end = 0;
    Category category = Category::KeptActivations;
};

struct StorageBand {
    StorageId storage;
    std::int64_t bytes = 0;
    std::vector<BandPiece> pieces; ///< by first sample; two at once where a second copy is made and dropped
};

/// Bands from the bottom up: the category that a storage is in for longest, then what is made first.
struct StorageBands {
    std::vector<StorageBand> bands;
    std::int64_t others = 0; ///< storages that have no band of their own
};

/// The `most` largest storages by the area they have in the picture: bytes times the time they are alive.
/// `also` has one besides, wherever it ranks. O(ranges log ranges).
StorageBands storageBands(const Graph &graph, const MemoryTimeline &timeline, std::size_t most, StorageId also = {});

/// The band at a height of `bytes` over the baseline in a sample; -1 for the rest and for nothing.
int bandAt(const StorageBands &bands, std::int32_t sample, std::int64_t bytes);

/// Where one storage lies in the stack of categories, per sample; bottom and top are equal where it is not alive.
/// Within a category the largest lie lowest, as `aliveAt` lists them.
struct StorageHeights {
    std::vector<std::int64_t> bottomBytes, topBytes;
};

/// O(samples + ranges × copies of the storage).
StorageHeights storageHeights(const Graph &graph, const MemoryTimeline &timeline, StorageId storage);

/// Per column of a plot where one band lies.
struct BandColumns {
    std::vector<std::int64_t> bottomBytes, topBytes; ///< per column; equal where the band is not there
    std::vector<Category> category;
};

/// The bands at the samples that columns show (-1: none), in the order of the bands; then the rest, up to the total of
/// each sample. O(bands × columns + pieces).
std::vector<BandColumns> bandColumns(const StorageBands &bands, const std::vector<std::int32_t> &samples,
                                     const std::vector<std::int64_t> &totalBytes);

} // namespace remat
