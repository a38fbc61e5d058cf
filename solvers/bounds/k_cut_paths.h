// SPDX-License-Identifier: Apache-2.0
// Rows that the program of several cuts lacks: recomputations between two cuts need their inputs as a whole.
#pragma once

#include "solvers/bounds/k_cut_model.h"

namespace remat {

/// What a first computation after t_k and up to t_l reads and was made before t_k is held at t_k or made again in
/// between; then so is each input of its maker, and so on along any path of storages s_1, s_2, … where s_1 is read by
/// such a computation and s_{j+1} by the maker of s_j:
///     Σ_j x[s_j,k] + Σ_{k ≤ k' < l} r[maker of the last, k'] ≥ 1.
/// The rows with ρ are those of l = the end with paths of one storage. The same rows on slots: checkmate/path_cuts.h.
/// Appends those most violated by `x` to the program's model, two for each (k, l) at most and `limit` in all; returns
/// how many. O(cuts² × edges).
int addPathRows(const Graph &graph, KCutProgram &program, const std::vector<double> &x, int limit);

} // namespace remat
