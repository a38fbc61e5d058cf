// SPDX-License-Identifier: Apache-2.0
// The closure bound at one cut: what must be computed again, with all that this needs.
#pragma once

#include "core/bounds/bounds.h"

namespace remat {

/// The closure bound with what it would do at its cut: the skeleton of a plan.
struct CutClosure {
    TimeBound bound;
    double usPerByte = 0; ///< the price of memory at which the bound was found
    /// At the first computation of `bound.cut`, beside what that op reads and makes: what is held, and what is computed
    /// again later. Fits the budget at that cut, and takes the least time of all choices at some price. Ascending;
    /// both empty when nothing must be computed again.
    std::vector<StorageId> kept;
    std::vector<OpId> recomputed;
};

/// Closure bound, the maximum over the cuts it looks at. As in the cut-knapsack bound, when op t is first computed
/// every other storage that is needed later is held or made again; moreover, an op that is computed again needs each of
/// its inputs held or made again in turn:
///     min Σ cost(i) r(i)   with  x(s) + r(maker of s) ≥ 1      for every storage s needed later,
///                                x(s) + r(maker of s) ≥ r(i)   for every input s of i,
///                                Σ bytes(s) x(s) ≤ what t leaves of the budget.
/// The memory row goes into the objective with a price per byte (Lagrange); what is left is a minimum cut (the closure
/// problem of Picard 1976), and the best price is found by intersecting the lines of the two nearest solutions. The
/// result is that of the linear relaxation, so that whole storages may make the 0/1 knapsack bound the better one.
/// Every price at every cut gives a valid bound: the cuts that hold most are tried first, all of them where the graph
/// has a thousand ops, and work stops after a fixed amount, about a second, so that the result does not depend on the
/// machine unless `stop` comes first. Says nothing about feasibility: that is what the other bounds are for.
///
/// `holdsFor` is GivenOrder, or AnyOrder: then "made before" and "needed later" are what holds in every order
/// (`needsInAnyOrder`), and the bound is at most as high.
CutClosure cutClosure(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, const StopCheck &stop = {},
                      HoldsFor holdsFor = HoldsFor::GivenOrder);

/// Its bound alone.
TimeBound cutClosureBound(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                          const StopCheck &stop = {}, HoldsFor holdsFor = HoldsFor::GivenOrder);

} // namespace remat
