// SPDX-License-Identifier: Apache-2.0
// What is tried after the first solve, while there is time and the plan is away from the bound.
#pragma once

#include "solvers/hiremate/pipeline.h"

#include <string>
#include <vector>

namespace remat::hiremate {

/// Another way to solve the whole graph once more.
struct Variation {
    PipelineOptions options;
    std::string name; ///< as people read it: `module-tree 8–20`, with the ops of a block
};

/// The ways of round `round` (from 1): every partitioner with every range of block sizes, what was asked for first;
/// the first round without the very first solve, and each further one with twice the levels, options and iterations of
/// the round before it (levels and options up to 400). In the order in which they are tried.
std::vector<Variation> variations(const PipelineOptions &asked, int round);

} // namespace remat::hiremate
