// SPDX-License-Identifier: Apache-2.0
// The search over sets of recomputations on one block alone.
#pragma once

#include "core/base/stop_token.h"
#include "solvers/blocks/block_options.h"

namespace remat::hiremate {

/// Options of a block found by the greedy of solvers/search: for some amounts kept between forward and backward part,
/// and some limits on the memory of both, from plenty to little. Unlike just-in-time programs they may drop a storage
/// between two uses in the backward part and compute it again. The block stands alone (see `blockGraph`): the
/// op between the two parts takes up the memory that must not be kept. Milliseconds. Any thread.
std::vector<Option> searchedOptions(const FlatGraph &whole, const Chain &chain, const Block &block,
                                    const StopToken *stop, const Deadline &deadline);

} // namespace remat::hiremate
