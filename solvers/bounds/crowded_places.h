// SPDX-License-Identifier: Apache-2.0
// Where a solution of the program of several cuts holds more than the budget, and so where the next cut belongs.
#pragma once

#include "core/costs/cost_table.h"
#include "solvers/bounds/k_cut_model.h"

namespace remat {

/// A first computation of a needed op at which the solution cannot but hold `excessBytes` more than the budget.
struct CrowdedPlace {
    OpId op;
    std::int64_t excessBytes = 0;
};

/// The worst place before, between and after the cuts, where there is one that is over the budget by more than a
/// thousandth; the worst of all first. A solution does not say when between two cuts an op is computed again, so it is
/// taken for where it leaves most room: a storage that is read between the cuts is held from the first such read to the
/// last as far as it is not made again more than once. It is an estimate, for choosing cuts only: what the ops that are
/// computed again need themselves is left out. O(cuts × graph).
std::vector<CrowdedPlace> crowdedPlaces(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                                        const KCutProgram &program, const std::vector<double> &x);

} // namespace remat
