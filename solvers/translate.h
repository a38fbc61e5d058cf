// From a choice about the forward pass to a plan of the whole training graph, for planners that know only the forward.
#pragma once

#include "solvers/flat.h"

#include <vector>

namespace remat {

/// Planners such as √n decide which forward storages to keep and in which segments the rest is computed again.
struct ForwardChoice {
    std::vector<char> kept;   ///< per storage; those that may be computed only once are always kept
    std::vector<int> segment; ///< per op, ascending along the forward part and descending along the backward part
};

/// The recomputations of that choice: before each backward op, what it reads and is not there is computed again from
/// what is kept, as late as possible; what a segment computed again stays for the rest of that segment's backward ops
/// and goes after its last reader there, so that each segment is computed again once. Sorted, nothing useless.
std::vector<Recompute> translate(const FlatGraph &flat, const ForwardChoice &choice);

} // namespace remat
