// SPDX-License-Identifier: Apache-2.0
// From a choice about the forward pass to a plan of the whole training graph, for planners that know only the forward.
#pragma once

#include "solvers/interface/solver.h"
#include "solvers/tools/flat.h"

#include <limits>
#include <vector>

namespace remat {

/// As `Hold::from`: the forward pass itself makes it. Segments fall along the backward part, so it comes before all.
constexpr int kForwardPass = std::numeric_limits<int>::max();

/// A forward storage that is held for later segments: from the segment in whose backward part it is made again (or the
/// forward pass) until the backward part of segment `until` has ended.
struct Hold {
    int storage = 0;
    int from = kForwardPass;
    int until = 0;
};

/// Planners such as √n decide which forward storages to keep and in which segments the rest is computed again; those
/// for chains also compute checkpoints again, and hold them for a while.
struct ForwardChoice {
    std::vector<char> kept;   ///< per storage; those that may be computed only once are always kept
    std::vector<int> segment; ///< per op, ascending along the forward part and descending along the backward part
    std::vector<Hold> holds;  ///< beside what is kept; any order
    std::vector<char> anew;   ///< per segment; what it makes again serves one backward op only. Empty: none does
    /// Per segment: what it computes again in its backward part, and when, beside what is missing nevertheless. Sorted.
    /// Empty, or empty for a segment: only what is missing.
    std::vector<std::vector<Recompute>> programs;
    std::vector<Recompute> asTheyAre; ///< added to the plan as they are; any order
};

/// Recomputations of a plan that can be replayed, checked and written within a fifth of the time, and fit into memory.
/// Depends on the time limit, not on the clock.
std::size_t mostRecomputes(const FlatGraph &flat, const SolveContext &context);
/// Throws TimeUp when a plan has more of them, which a planner would have to take for no plan.
void checkLength(std::size_t recomputes, std::size_t most);

/// The recomputations of that choice: before each backward op, what it reads and is not there is computed again from
/// what is kept or held, as late as possible; what a segment computed again stays for the rest of that segment's
/// backward ops (unless it makes everything anew) and goes after its last reader there, so that each segment is
/// computed again once. What a segment makes again only to hold it follows what it is made from. Sorted, nothing
/// useless. O(segments × storages + sequence × degree). Throws TimeUp when time is up meanwhile, or when the plan would
/// become too long to be checked and written in the time there is; the length depends on the time limit alone.
std::vector<Recompute> translate(const FlatGraph &flat, const ForwardChoice &choice, const SolveContext &context = {});

} // namespace remat
