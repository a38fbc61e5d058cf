// SPDX-License-Identifier: Apache-2.0
// The rewrite: a graph whose regions run in pieces is an ordinary graph.
#pragma once

#include "core/graph/chunking.h"
#include "core/graph/model.h"

#include <string>
#include <utility>

namespace remat {

/// The program with its regions in pieces, one region after the other, from prepared(program): for each group of a
/// region (order.h) k copies of its nodes, one piece after the other, named `mm#3`; slices (views) of what stands
/// outside; a `cat` of what is read whole, unless all readers take a part of it (joins.h); running sums (of single
/// numbers one at the end), the first of them the first piece's, written in place where they become gradients of
/// parameters (sums_in_place.h). Values that leave a region keep their name. Deterministic: who has the trace and the
/// chunking has the graph. Fails as regionNodes() and groupsInOrder() do, and where a result would lie in memory in
/// another way than before. O(program × k).
Expected<Program> inChunks(const Program &program, const Chunking &chunking);

/// The model in chunks, its graph built. Fails on models without a program, and as inChunks() does. Without regions it
/// is the model as it is.
Expected<Model> chunkedModel(const Model &model, const Chunking &chunking);

/// Whether gradients are added up as they were traced, or in place as they are in a model in chunks.
enum class Sums : std::uint8_t { AsTraced, InPlace };

/// The model with the program that regions are named in, prepared(), and its graph; fails like chunkedModel().
Expected<Model> preparedModel(const Model &model, Sums sums = Sums::AsTraced);

/// Name of the node that a copy was made from, and the number of its piece: `mm#3` -> `mm`, 3. -1: no copy.
std::pair<std::string, int> chunkOf(const std::string &name);

} // namespace remat
