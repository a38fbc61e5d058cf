// SPDX-License-Identifier: Apache-2.0
// Several cuts of a plan at once, as a linear program.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/graph.h"
#include "solvers/bounds/cut_reach.h"
#include "solvers/ilp/model.h"

#include <vector>

namespace remat {

/// A relaxation of all plans without offloads in the given order, seen at the first computations of some ops, the cuts
/// t_1 < … < t_K, and between them. Columns, all in [0, 1]:
///   x[s,k]    storage s, made before t_k, is held at t_k,
///   r[i,k]    op i, made before t_k, is computed again after t_k and before t_{k+1} (or the end),
///   ρ[i,k]    op i is computed again at some time after t_k,
/// and rows, with "there" for what t_k itself reads or makes:
///   x[s,k+1] ≤ x[s,k] + r[maker of s, k]                unless s is there at t_k or made after it
///   x[s,k] + r[maker of s, k] ≥ 1                       for s read by a first computation up to t_{k+1}; for outputs
///                                                       at the last cut
///   x[s,k] + r[maker of s, k] ≥ r[i,k]                  for each input s of i
///   ρ[i,k] ≤ r[i,k] + ρ[i,k+1]
///   x[s,k] + ρ[maker of s, k] ≥ 1                       for s needed after t_k
///   x[s,k] + ρ[maker of s, k] ≥ ρ[i,k]                  for each input s of i
///   Σ_s bytes(s) x[s,k] ≤ what t_k leaves of the budget.
/// The rows with ρ make it at least as strong as the closure bound at each of its cuts; without them a recomputation is
/// spread over the intervals. What may be computed only once has no r. The objective is the added time in µs. Of a plan
/// all columns are 0 or 1, and are marked as whole.
struct KCutProgram {
    ilp::Model model;
    std::vector<CutReach> reach;         ///< reach of each cut, ascending
    std::vector<std::vector<int>> held;  ///< columns x by [cut][storage]; −1: none
    std::vector<std::vector<int>> again; ///< columns r by [cut][op]; −1: none
    std::vector<int> memory;             ///< row per cut

    std::size_t cuts() const { return reach.size(); }
    /// The first op after the interval that begins at cut k; the number of ops at the last one.
    std::size_t endOf(std::size_t k, std::size_t ops) const { return k + 1 < cuts() ? reach[k + 1].cut.index() : ops; }
};
KCutProgram buildKCutProgram(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                             const std::vector<OpId> &cuts);

} // namespace remat
