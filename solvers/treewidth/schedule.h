// SPDX-License-Identifier: Apache-2.0
// The training graph as the separators see it, and the schedule they make.
#pragma once

#include "solvers/interface/solver.h"
#include "solvers/tools/flat.h"
#include "solvers/treewidth/dissection.h"

#include <vector>

namespace remat::separators {

/// The training graph as undirected graph: a node per op, an edge where one reads what the other makes. What is an
/// output or may be made only once ties nothing together, since it is kept anyway; and where `keepTiny` says so, what
/// is tiny.
struct OpGraph {
    std::vector<std::vector<int>> neighbours;
    std::vector<std::int64_t> bytes; ///< bytes of what each op makes
    std::vector<char> kept;          ///< per storage
};

OpGraph opGraph(const FlatGraph &flat, bool keepTiny = true);

/// The schedule of a dissection: while ops of a region run, the separators around it are held; what other regions made
/// goes, unless it is read or the walk is back in its region within `patience` ops. What is read and not there is
/// computed again. O(ops × storages). Throws TimeUp as `translate` does.
std::vector<Recompute> schedule(const FlatGraph &flat, const std::vector<char> &kept, const Dissection &dissection,
                                int patience, const SolveContext &context = {});

/// Storages whose absence makes first computations wait, dearest wait first.
std::vector<int> dearestMissing(const FlatGraph &flat, const std::vector<Recompute> &recomputes);

} // namespace remat::separators
