// SPDX-License-Identifier: Apache-2.0
// Checkpoints of checkpoints: segments that are cut into segments.
#pragma once

#include "solvers/chain/chain_model.h"

namespace remat::chain {

/// Cuts the chain into `checkpoints` + 1 segments as even as can be, holds the input of each, and does the same with
/// each segment when its backward part comes, down to single stages: g(n) = k + g(n / (k + 1)) inputs are held at once,
/// which for k = 1 is about log₂ n, and every stage is computed again at most log_{k+1} n times. (Chen, Xu, Zhang,
/// Guestrin: Training Deep Nets with Sublinear Memory Cost, 2016, the recursion to O(log n).)
/// `checkpoints` at least 1. Backward parts run with the option that keeps the least. O(stages).
ChainSchedule recursiveSchedule(const ChainModel &model, int checkpoints);

} // namespace remat::chain
