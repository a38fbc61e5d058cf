// SPDX-License-Identifier: Apache-2.0
// A sweep as a table that other programs read.
#pragma once

#include "solvers/uses/sweep.h"

#include <string>
#include <vector>

namespace remat {

/// What a table of points says that the points do not know.
struct SweepNames {
    std::string model;
    std::vector<std::string> planFiles; ///< per point; empty where no file was written, or altogether
};

/// `optimal`, `feasible`, `infeasible`, `stopped`, or `failed` for a planner whose call failed.
const char *statusName(const SweepPoint &point);

/// A header with units in its names and a row per point. Fields that have no value are empty. `made_for_budget_bytes`
/// is the smaller budget whose plan stands in a row, where that is the faster one.
std::string sweepCsv(const SweepRequest &request, const Sweep &sweep, const SweepNames &names);

} // namespace remat
