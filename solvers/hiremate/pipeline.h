// SPDX-License-Identifier: Apache-2.0
// The hierarchical planner from end to end.
#pragma once

#include "solvers/hiremate/partition/partition.h"
#include "solvers/interface/solver.h"

namespace remat::hiremate {

/// The options of the planner (planners/hiremate.cpp says what each does).
struct PipelineOptions {
    int optionsPerBlock = 60;
    double gapPercent = 0.5; ///< gap of the program over the chain
    Partitioner partitioner = Partitioner::Repetitive;
    std::string leaf = "ilp"; ///< one of `leafPlannerNames`
    std::string top = "best"; ///< one of `topPlannerNames`
    int depth = 0;            ///< levels of clusters; 0: as many as the graph needs
    int levels = 60;
    int blockMin = 14, blockMax = 30;
    int thousandIterations = 300; ///< iterations of the simplex method, for each program over the chain
    int rounds = 100; ///< further solves with other cuts and more options, see `variations`; 0: the first solve is all
    bool lite = true, interfaceOptions = true, undo = true;
};

/// What the option `top` takes.
const std::vector<std::string> &topPlannerNames();

/// Blocks, grouped into clusters of several levels where there are many → options per distinct cluster, from the blocks
/// up → program over the chain of the largest → composition replayed on the whole graph → tightened until it fits →
/// undo. Where that stays far from the proven bound, dynamic programs over the chain of the graph beside it. Small
/// graphs and graphs without a backward part are solved as one exact program instead. Keeps the deadline and returns
/// the best plan it has when stopped. (H-Rockmate: Zhao et al., ICML 2023 and HiRemate, ICML 2025, on the joint graph.)
Expected<SolveOutcome> planHierarchically(const SolveRequest &request, const SolveContext &context,
                                          const PipelineOptions &options);

} // namespace remat::hiremate
