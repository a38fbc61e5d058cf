// SPDX-License-Identifier: Apache-2.0
// The module tree of a graph in chunks: the pieces of a region stand together.
#pragma once

#include "core/clusters/cluster_tree.h"
#include "core/graph/chunking.h"

namespace remat {

/// The module tree with a cluster for each region, `loss in chunks`, below the innermost module that holds all of the
/// region, and in it a cluster for each piece, `chunk 3 of 8`, with its forward and its backward ops. Pieces count as
/// alike, so that pictures stack them, although the first begins the sums that the others add to. Modules that are
/// empty then go. O(ops × depth).
ClusterTree chunkClusters(const ClusterTree &modules, const Graph &graph, const Chunking &chunking);

} // namespace remat
