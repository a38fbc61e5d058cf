// SPDX-License-Identifier: Apache-2.0
// Branch and cut by CBC in this very process. For the files of this folder and the helper only.
#pragma once

#include "solvers/ilp/cbc.h"

namespace remat::ilp {

/// Violation up to which values are a solution.
constexpr double kTolerance = 1e-5;

/// As solve(), less what it does with the start: that only gives a cutoff here, so that a model without anything better
/// comes back as infeasible. An assertion of Clp that fails ends the process.
Solution solveInProcess(const Model &model, const Limits &limits);

} // namespace remat::ilp
