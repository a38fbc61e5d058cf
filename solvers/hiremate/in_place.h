// SPDX-License-Identifier: Apache-2.0
// The best plan, improved block by block; and what it does in each block as an option of that block.
#pragma once

#include "solvers/hiremate/all_options.h"

namespace remat::hiremate {

/// One block of the chain after the other is planned anew in its place in the best plan, while that brings something.
void planBlocksAnew(SolveState &solve, const Chain &cut);

/// The same with the blocks of every other cut, which is a matter of moments: they see what those of the first one do
/// not, such as both ends of a skip.
void descend(SolveState &solve);

/// What the best plan so far does in each of the largest clusters, and could do in its place, are options of it, too.
void addOptionsOfBest(SolveState &solve, const Hierarchy &hierarchy, AllOptions &options);

} // namespace remat::hiremate
