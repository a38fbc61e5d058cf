// SPDX-License-Identifier: Apache-2.0
// Options of all clusters of a hierarchy.
#pragma once

#include "solvers/hiremate/hierarchy.h"
#include "solvers/hiremate/state.h"
#include "solvers/hiremate/top/top_model.h"

namespace remat::hiremate {

/// Per cluster of a hierarchy: its options.
using AllOptions = std::vector<std::vector<Option>>;

/// Solves each distinct cluster once, on all threads, those that others are made of first, and tells the window about
/// each. A part of the time that is left goes to it; what it has not come to has few options or none.
AllOptions findAllOptions(SolveState &solve, const Hierarchy &hierarchy);

/// Those of some clusters, in that order.
std::vector<const std::vector<Option> *> optionsOf(const AllOptions &options, const std::vector<int> &clusters);

/// Tells the window which options the largest clusters take, and so those inside them, down to the blocks.
void tellChosen(SolveState &solve, const Hierarchy &hierarchy, const AllOptions &options, const TopChoice &choice);

} // namespace remat::hiremate
