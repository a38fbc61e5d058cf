// SPDX-License-Identifier: Apache-2.0
// One training step at any batch: sizes of storages on straight lines through two traces of it.
#pragma once

#include "core/graph/graph.h"

namespace remat {

/// What a second trace of the same step, with another batch, says of a graph.
struct BatchLine {
    std::int64_t batch = 0, otherBatch = 0; ///< samples of the graph, and of the second trace
    /// Which size of the input that is: 0 for the first one, which is the batch by habit; another is a length, say.
    std::size_t dimension = 0;
    std::vector<std::int64_t> otherBytes; ///< per storage of the graph, what it has in the second trace
};

/// Compares the two. The batch is the first size in which the first input that differs does; of inputs without sizes,
/// as JSON graphs have them, it is their bytes in lowest terms. Fails with a sentence where they are not the same ops
/// on the same storages, or their inputs have the same sizes. O(graphs).
Expected<BatchLine> batchLine(const Graph &graph, const Graph &other);

/// The graph with `batch` samples, at least 1: each storage grows or shrinks by the same bytes a sample, in steps of
/// 512 bytes as PyTorch allocates where both traces do. Fails where the sizes pass what a graph may have. O(graph).
Expected<Graph> graphOfBatch(const Graph &graph, const BatchLine &line, std::int64_t batch);

} // namespace remat
