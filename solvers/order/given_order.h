// What another order of first computations reaches, the graph's own order reaches too.
#pragma once

#include "core/graph/graph.h"

#include <optional>
#include <vector>

namespace remat {

/// A sequence with the same results, a peak that is not higher, and first computations in the order of the graph, from
/// any possible sequence. So no budget is out of reach in one order and within reach in another, unless something may
/// be computed only once: orders differ in time alone.
///
/// Why: an op and all that it takes can be computed as the sequence does it up to there, leaving out what is not needed
/// for it; that holds no more than the sequence does, and nothing of it has to stay. Everything an op takes comes
/// before it in the graph. So ops are computed in passes, each for a run of ops whose first computations follow the
/// graph's order in the sequence; each pass starts with empty memory, and the last one is the sequence itself.
///
/// None when an op that may be computed only once would be computed in more than one pass. The result has at most as
/// many passes as ops; a sequence in graph order comes back as it is. O(passes × sequence).
std::optional<std::vector<OpId>> inGivenOrder(const Graph &graph, const std::vector<OpId> &sequence);

} // namespace remat
