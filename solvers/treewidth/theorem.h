// SPDX-License-Identifier: Apache-2.0
// The schedule of the theorem itself, with its own order of first computations.
#pragma once

#include "solvers/treewidth/schedule.h"

namespace remat::separators {

/// What the proof (README.md of this folder) says about the schedule of a dissection.
struct TheoremBound {
    double heldOps = 0;      ///< results of ops that are there at once, those of the running one included
    double computations = 0; ///< computations of all ops together
};

/// For a graph of `ops` ops that read what at most `reads` others make, taken apart by separators of at most
/// `separator` ops into halves: with L = ⌊log2 ops⌋ + 1 levels and a = separator · reads + 1,
///     heldOps = L · (separator + reads − 1) + 2,     computations = ops · (a^L − 1) / reads.
TheoremBound theoremBound(int ops, int separator, int reads);

/// The computation sequence of the theorem: region by region, each op once what its computation needs is there. To make
/// an op, the separators around it are computed from the outermost to its own, as far as it depends on them, in the
/// graph's order; what such an op reads from inside a region is made there in the same way. What lies beside the
/// path of regions in which the work is goes. `dissection` goes down to single bags. Throws TimeUp when stopped, or
/// when the sequence becomes too long to be checked and written in the time there is.
std::vector<OpId> theoremSequence(const FlatGraph &flat, const OpGraph &graph, const Dissection &dissection,
                                  const SolveContext &context = {});

} // namespace remat::separators
