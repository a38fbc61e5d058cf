// SPDX-License-Identifier: Apache-2.0
// Options of a cluster from those of the clusters inside: HiRemate's recursion.
#pragma once

#include "solvers/blocks/closure.h"
#include "solvers/hiremate/top/top_model.h"

namespace remat::hiremate {

struct ClusterSettings {
    int peaks = 4;         ///< limits on memory that are tried, from what keeping everything takes down to half of it
    int levels = 40;       ///< amounts kept that are tried under the largest, from everything to nothing
    int lowPeakLevels = 8; ///< under each of the others
    double gapPercent = 1; ///< gap at which each program ends
    bool lite = true;
    ClosureSettings limits; ///< stop, deadline, iterations, seed, most options; what it says of blocks is not used
};

/// Options of block `block` of `outer`, undominated, of which `inner` is the chain of clusters. For each of some limits
/// on its memory (B_peak), and in each for some amounts held from its forward to its backward part (B_save), the
/// program over the inner chain (`buildTopModel`) chooses one option for each inner cluster and where what passes
/// between them lives; its composition is an option here. `optionsOfInner`: per block of `inner`. With what the greedy
/// search finds, with keeping everything and keeping the least, which are options whatever happens. (HiRemate, ICML
/// 2025: budgets of the recursive solves.) `told(options so far)` may be empty. Stops early with what it has. Any
/// thread.
std::vector<Option> clusterOptions(const FlatGraph &flat, const Chain &outer, int block, const Chain &inner,
                                   const std::vector<const std::vector<Option> *> &optionsOfInner,
                                   const ClusterSettings &settings, const std::function<void(int)> &told);

} // namespace remat::hiremate
