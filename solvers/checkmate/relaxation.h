// SPDX-License-Identifier: Apache-2.0
// The linear relaxation of the whole-graph program as a lower bound on plans.
#pragma once

#include "solvers/checkmate/model.h"

namespace remat::checkmate {

/// What a relaxation proves.
struct RelaxationBound {
    double extraUs = 0;      ///< no plan of the kind adds less time to one computation of each op that is computed
    bool infeasible = false; ///< there is no such plan
    bool finished = false;   ///< false: stopped on the way; `extraUs` holds all the same
};

/// Holds for every plan without offloads whose first computations are in graph order and that computes all ops but
/// those left out (per op; empty: none): the linear relaxation of the program with coarse slots only, tightened by path
/// cuts. It looks at all first computations at once, and is at least what the closure bound says of any single one. The
/// program grows with the square of the ops, the time faster: 0.3 s for 70 ops, 2 s for 130, a minute for 190 at low
/// budgets; a deadline ends it early with what is proven by then.
RelaxationBound relaxationBound(const FlatGraph &whole, std::int64_t budgetBytes, const std::vector<char> &leftOut,
                                const ilp::Limits &limits);

} // namespace remat::checkmate
