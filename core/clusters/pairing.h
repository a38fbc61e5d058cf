// Which forward op a backward op belongs to.
#pragma once

#include "core/graph/graph.h"

namespace remat {

/// Per op: for backward ops the forward (or loss) op they belong to, by `Op::forwardOp` or else by autograd's sequence
/// number (the last forward op that has it); none for all others. O(ops).
std::vector<OpId> forwardTwins(const Graph &graph);

} // namespace remat
