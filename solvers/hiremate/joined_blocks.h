// SPDX-License-Identifier: Apache-2.0
// Blocks that skips join, planned anew together in the best plan.
#pragma once

#include "solvers/hiremate/state.h"

#include <vector>

namespace remat::hiremate {

struct Chain;

/// Some sets of at most `size` blocks (ascending): each begins with two blocks between which many bytes pass, and takes
/// in the block that exchanges most with those it has. Different ones, those with the most bytes first, at most `most`.
std::vector<std::vector<int>> joinedBlocks(const FlatGraph &flat, const Chain &chain, int size, std::size_t most);

/// Plans sets of blocks of the chain anew in the best plan, from a pair to ever larger ones, all blocks last, and again
/// with other sets while that gains: what they make may be computed again anywhere, what others make stays as it is or
/// is kept, and the memory of every step is that of the whole plan, so that what overlaps has its exact price.
/// Options of one block know neither the other end of its skips nor what else is computed again there. By annealing,
/// counted as work. Any number of threads gives the same plan.
void planJoinedAnew(SolveState &solve, const Chain &chain);

} // namespace remat::hiremate
