// SPDX-License-Identifier: Apache-2.0
// Which forward op a backward op belongs to.
#pragma once

#include "core/graph/graph.h"

namespace remat {

/// Per op: for backward ops the forward (or loss) op they belong to, by `Op::forwardOp` or else by autograd's sequence
/// number (the last forward op that has it); none for all others. O(ops).
std::vector<OpId> forwardTwins(const Graph &graph);

/// Labels of the backward ops, in order, that never rise from one op to the next: the longest non-rising subsequence of
/// `wanted` (-1: no wish) stays, everything else goes with the op before it, and what stands before the first with
/// `lastBlock`. O(n log n).
std::vector<int> fallingLabels(const std::vector<int> &wanted, int lastBlock);

} // namespace remat
