// SPDX-License-Identifier: Apache-2.0
// Bytes by module at one moment of a plan, as an icicle: each module a bar as long as what it holds, its parts beside.
#pragma once

#include "core/clusters/cluster_tree.h"
#include "core/plan/timeline.h"

#include <vector>

namespace remat {

struct IcicleCell {
    ClusterId cluster;
    int level = 0;                         ///< 0: the root
    std::int64_t fromBytes = 0, bytes = 0; ///< place along the bar of the root, and length
};

/// Cells of all clusters that hold anything at a sample, parents before children, in the tree's order. What modules
/// hold themselves comes after their parts. A module of which one part holds everything is left out for that part, and
/// so are storages that no op made. O(clusters + ranges × depth).
std::vector<IcicleCell> icicle(const Graph &graph, const MemoryTimeline &timeline, const ClusterTree &tree,
                               std::size_t sample);

} // namespace remat
