// SPDX-License-Identifier: Apache-2.0
// Binomial checkpointing of uniform chains.
#pragma once

#include "solvers/chain/chain_model.h"

namespace remat::chain {

/// Least number of forward steps beyond one per stage that reverses a chain of `length` stages of equal time with
/// `snapshots` inputs of stages held at once, that of the chain itself included: t·l − C(s + t, s + 1) with the least t
/// for which C(s + t, s) ≥ l. (Griewank, Walther: Algorithm 799: Revolve, ACM TOMS 2000, eq. 2 and 3.) `length` and
/// `snapshots` at least 1. O(t).
long long revolveExtraSteps(int length, int snapshots);

/// The schedule with that many steps: inputs of stages are held, every stage's results are computed again right before
/// its backward part. Backward parts run with option `backward` of their stage; the last one with the first.
/// O(stages²).
ChainSchedule revolveSchedule(const ChainModel &model, int snapshots);

/// Adds what it holds in stages `first` … `last` of a chain of `stages`, with the input of `first` held already, which
/// is one of the snapshots. O((last − first)²).
void addRevolve(int stages, int first, int last, int snapshots, ChainSchedule &schedule);

} // namespace remat::chain
