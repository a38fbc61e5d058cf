// SPDX-License-Identifier: Apache-2.0
// Rows that the linear relaxation of the whole-graph program lacks: recomputations need their inputs as a whole.
#pragma once

#include "solvers/checkmate/model.h"

#include <functional>

namespace remat::checkmate {

/// What is read at the first computation of op v and was made before op t ≤ v is held at t, or made again in the slots
/// after t up to v; then so is each of its maker's inputs, and so on along any path of storages s_1, s_2, … where s_1
/// is read by v and s_{k+1} by the maker of s_k:
///     Σ_k S[t,s_k] + Σ_{t < t' ≤ v} R[t', maker of the last] ≥ 1,
/// with paging plus all MIn by which an s_k comes back meanwhile.
/// The program implies that for whole numbers only: its relaxation spreads one recomputation over many slots, and the
/// inputs of each part then count once instead of once each. Appends the rows most violated by `x` to the model, one
/// for each (t, v) at most and `limit` in all; returns how many. O(ops² × edges).
int addPathCuts(const FlatGraph &flat, SlotProgram &slots, const std::vector<double> &x, int limit);

/// Told of a relaxation that was solved, and of how many rows were added before it.
using RelaxationListener = std::function<void(const ilp::Relaxation &, int rows)>;

/// Solves the relaxation, again and again with the rows it violates, until it gains little. The rows found are appended
/// to the model; the relaxation returned is the best of them. `told`, which may be empty, hears of each.
ilp::Relaxation tightenByPathCuts(const FlatGraph &flat, SlotProgram &slots, const ilp::Limits &limits,
                                  const RelaxationListener &told = {});

} // namespace remat::checkmate
