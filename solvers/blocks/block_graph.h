// SPDX-License-Identifier: Apache-2.0
// A block as a graph of its own, for planners that know nothing of blocks.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/graph.h"
#include "solvers/blocks/block_options.h"

#include <optional>

namespace remat::hiremate {

/// Forward ops of the block, one op without results in between, backward ops. Op i of the block is op i here, or i + 1
/// from the backward part on; storages keep their local numbers. Interfaces are always there; those that an op makes,
/// and the constants beside it, are workspace. Only forward ops may be computed again.
struct BlockGraph {
    Graph graph;
    CostTable costs;
    int between = 0; ///< number of the op in between: its workspace is memory that nothing may be kept in

    /// Bytes of internal storages that live on from the forward to the backward part when all are kept.
    std::int64_t crossingBytes = 0;
};

BlockGraph blockGraph(const FlatGraph &flat, const Chain &chain, const Block &block);

/// What a set of recomputations in that graph makes of the block; nothing when it computes something again before the
/// backward part, unless `forwardToo`.
std::optional<Option> toOption(const Chain &chain, const Block &block, const std::vector<Recompute> &set,
                               bool forwardToo = false);

} // namespace remat::hiremate
