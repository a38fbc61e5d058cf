// SPDX-License-Identifier: Apache-2.0
// Decisions by hand about ops that run in chunks.
#pragma once

#include "core/graph/chunking.h"
#include "core/plan/pins.h"

namespace remat {

/// Pins of a graph as pins of the same graph in chunks: a decision about an op is one about each of its pieces, and a
/// storage to be kept stays in pieces where it is made so. Names tell which is which. Fails with a sentence where the
/// chunked graph has no such op or storage, and where its pieces run in the backward pass and none can be computed
/// again after the forward pass. O(ops + storages + pins).
Expected<Pins> pinsInChunks(const Pins &pins, const Graph &whole, const Chunking &chunking, const Graph &chunked);

} // namespace remat
