// SPDX-License-Identifier: Apache-2.0
// Options of blocks from a plan of the whole graph.
#pragma once

#include "core/base/stop_token.h"
#include "solvers/blocks/block_options.h"

namespace remat::hiremate {

/// What a plan does in the blocks of a chain of the whole graph, and what else could be done in its places. With these
/// options the program over any chain of blocks knows what is good in a plan that came from another one. The graph, the
/// chain and the recomputations outlive it. One object per thread.
class PlanOptions
{
public:
    /// O(plan).
    PlanOptions(const FlatGraph &flat, const Chain &chain, const std::vector<Recompute> &plan);

    /// The block's own ops that are computed again in its own backward part. Those computed for the backward part of
    /// another block are the chain's to decide.
    Option ofBlock(const Block &block) const;

    /// `ofBlock`, and what the search finds for the block within the memory that is really free where its ops run: the
    /// budget less what the plan holds of other blocks just then, and, between its two parts, at the tightest place.
    /// `stop` may not be empty.
    std::vector<Option> inPlace(const Block &block, std::int64_t budgetBytes, std::uint64_t seed,
                                const StopCheck &stop) const;

    /// The plan with the block done as the search finds it in place: mostly within the budget, and no slower.
    std::vector<Recompute> planAnew(const Block &block, std::int64_t budgetBytes, std::uint64_t seed,
                                    const StopCheck &stop) const;

private:
    bool isOwn(const Block &block, const Recompute &again) const;
    std::vector<Recompute> foundInPlace(const Block &block, const std::vector<Recompute> &own, std::int64_t budgetBytes,
                                        std::uint64_t seed, const StopCheck &stop) const;
    std::vector<Recompute> ownSet(const Block &block) const; ///< as `toOption` numbers them
    Option optionOf(const Block &block, const std::vector<Recompute> &set) const;

    const FlatGraph &m_flat;
    const Chain &m_chain;
    const std::vector<Recompute> &m_plan;
    std::vector<std::int64_t> m_held; ///< per slot: the most while the op or what is computed again for it runs
};

} // namespace remat::hiremate
