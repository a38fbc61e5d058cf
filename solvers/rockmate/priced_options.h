// SPDX-License-Identifier: Apache-2.0
// Options of a block without an integer program.
#pragma once

#include "core/base/stop_token.h"
#include "solvers/blocks/block_options.h"

namespace remat::rockmate {

/// One option for each price of memory: what costs less time per byte to compute again than the price is dropped, from
/// nothing to everything; each with what is computed again shared or made anew. The first keeps everything;
/// undominated, at most `limit`. O(storages² × ops). Throws TimeUp when `stop` says so, or when the block is so large
/// that its options would not fit into memory. Once they have more than `stepsAtOnce` steps, 24 bytes each, they are
/// thinned before more are made.
std::vector<hiremate::Option> pricedOptions(const hiremate::Chain &chain, const hiremate::Block &block, int limit,
                                            const StopCheck &stop = {}, std::size_t stepsAtOnce = 10'000'000);

/// `first`, then what of `more` differs from it and from one another, undominated and at most `limit` in all.
std::vector<hiremate::Option> mergeOptions(std::vector<hiremate::Option> first, std::vector<hiremate::Option> more,
                                           int limit);

} // namespace remat::rockmate
