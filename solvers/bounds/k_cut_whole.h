// SPDX-License-Identifier: Apache-2.0
// The program of several cuts with whole storages.
#pragma once

#include "solvers/bounds/bound_method.h"
#include "solvers/bounds/k_cut_refine.h"
#include "solvers/cp/cp_sat.h"

#include <vector>

namespace remat {

/// What a solve of it came to.
struct WholeCuts {
    double provenUs = 0;         ///< proven added time; never more than what is enough
    bool ended = false;          ///< `provenUs` is the optimum, or what is enough where nothing is below it
    bool cutShort = false;       ///< by a limit; a program that is too large is neither
    std::vector<double> x;       ///< where it ended with an optimum below what is enough: that, by column
    std::int64_t iterations = 0; ///< iterations of the simplex method, or what took as long
};

/// Solves the program for something below `enoughUs` of added time, which may be infinite: by CBC, and where that
/// does not end in moments, by CP-SAT if this machine has it. Columns that the relaxation decides are fixed before.
/// Ends with the problem's limits; nothing for a program that is too large for both. Deterministic in counted work.
WholeCuts solveWhole(const BoundProblem &problem, const KCutRefined &cuts, double enoughUs, std::int64_t iterations);

/// The same, by one of them alone.
WholeCuts solveWholeByCbc(const BoundProblem &problem, const ilp::Model &model, double enoughUs,
                          std::int64_t iterations);
WholeCuts solveWholeByCpSat(const BoundProblem &problem, const cp::Helper &helper, const ilp::Model &model,
                            double enoughUs, std::int64_t iterations);

} // namespace remat
