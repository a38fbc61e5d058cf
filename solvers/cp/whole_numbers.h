// SPDX-License-Identifier: Apache-2.0
// A 0/1 linear program in whole numbers, as CP-SAT reads it.
#pragma once

#include "solvers/cp/model.h"
#include "solvers/ilp/model.h"

namespace remat::cp {

/// A relaxation of a 0/1 program: every solution of the program is one of the model, at an objective of no more than
/// its own / `unit`. Rows with whole factors are taken as they are, others are scaled and rounded towards that side;
/// rows without terms are left out.
struct WholeNumbers {
    CpModel model;   ///< variables are the program's columns, all of them told
    double unit = 1; ///< unit of the objective
};

/// Scales a program whose columns are all whole, with objectives of at least 0. Solutions that are no better than
/// `known`, which may be infinite, do not count. O(terms).
WholeNumbers inWholeNumbers(const ilp::Model &program, double known);

} // namespace remat::cp
