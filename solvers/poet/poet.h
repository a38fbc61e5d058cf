// SPDX-License-Identifier: Apache-2.0
// POET's 0/1 program over recomputation and paging (Patil et al., ICML 2022), and how graphs too large for it are
// planned.
#pragma once

#include "solvers/interface/solver.h"

namespace remat::poet {

struct PoetSettings {
    bool energy = false;             ///< energy is minimised instead of time
    double overheadLimitPercent = 0; ///< plans may take so much longer than keep-all; 0: no limit
    int runs = 28;                   ///< into about how many runs of ops a larger graph is merged
    int thousandIterations = 1000;   ///< a program takes so many thousand iterations of the simplex method
    ParameterOptions parameters;
};

/// The plan of least time, or of least energy where the costs name figures. Options as `SolveRequest` has them are not
/// read. Fails with a sentence where energy is asked for and the device has no figures. Blocks; any thread.
Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context, const PoetSettings &settings);

} // namespace remat::poet
