// SPDX-License-Identifier: Apache-2.0
// The program of several cuts at those cuts that matter, with the rows that matter.
#pragma once

#include "solvers/bounds/bound_method.h"
#include "solvers/bounds/k_cut_model.h"
#include "solvers/ilp/linear.h"

namespace remat {

/// A program of several cuts, and the best that is known of its relaxation.
struct KCutRefined {
    KCutProgram program; ///< path rows included
    ilp::Relaxation relaxation;
    std::int64_t iterations = 0; ///< iterations of the simplex method, in all relaxations that led to it
    bool cutShort = false;       ///< with more time or iterations there may be better cuts
};

/// Solves the relaxation of the program at the cuts `start`, adds the path rows that it violates (k_cut_paths.h), drops
/// cuts that do not bind, and adds those where its solution holds too much (crowded_places.h), or those beside the ones
/// that bind where there is none; over and over, until that gains nothing or the problem's time or iterations, all
/// relaxations together, are over. The best relaxation met; none when the program of the start is too large or Clp
/// fails on it. Deterministic in counted work.
std::optional<KCutRefined> refineCuts(const BoundProblem &problem, const std::vector<OpId> &start);

/// The relaxation of the program at these cuts (ascending), with path rows for as long as they raise it, in at most so
/// many iterations of the simplex method. None when the program is too large or Clp fails on it. Deterministic in
/// counted work.
std::optional<KCutRefined> relaxCuts(const BoundProblem &problem, const std::vector<OpId> &cuts,
                                     std::int64_t iterations);

/// Columns that a program may have, about: Clp solves that in seconds.
constexpr std::size_t kMostKCutColumns = 20'000;

} // namespace remat
