// SPDX-License-Identifier: Apache-2.0
// Where the chain of forward ops is cut into blocks.
#pragma once

#include "core/clusters/cluster_tree.h"

namespace remat {

/// The forward and loss ops, as the cutting sees them. Position i stands before op i; position `ops.size()` at the end.
struct ForwardOrder {
    std::vector<OpId> ops;                   ///< graph order
    std::vector<char> counts;                ///< per op: 1 when it is large or slow enough to count for a block's size
    std::vector<std::uint64_t> looks;        ///< per op: equal for ops that do the same with the same sizes
    std::vector<std::int64_t> crossingBytes; ///< per position: made before, read by a forward op after
};

/// The forward and loss ops of a graph. `timeUs`: per op of the graph. O(graph).
ForwardOrder forwardOrder(const Graph &graph, const std::vector<double> &timeUs);

/// One way to cut.
struct BlockCut {
    std::vector<std::size_t> ends; ///< positions where the blocks end; the last is `ops.size()`
    double crossingBytes = 0;      ///< sum over all positions but the last
};

/// Cuts with blocks of allowed size: first the one where the fewest bytes cross, then ones that prefer positions which
/// look alike (the same place in every layer), fewest bytes first within each. Sizes that cannot be kept are relaxed:
/// the lower one first. Never empty. O(candidates × ops); at most about 100 candidates.
std::vector<BlockCut> cutCandidates(const ForwardOrder &order, const PartitionSizes &sizes);

} // namespace remat
