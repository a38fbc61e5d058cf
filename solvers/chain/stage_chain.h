// SPDX-License-Identifier: Apache-2.0
// From a joint graph to a chain of stages, and from a schedule of the chain back to a plan.
#pragma once

#include "solvers/blocks/block_options.h"
#include "solvers/chain/chain_model.h"
#include "solvers/tools/translate.h"

#include <functional>
#include <vector>

namespace remat::chain {

/// What an option means on the graph.
struct Saved {
    std::vector<int> storages; ///< kept from forward to backward
    bool anew = false;         ///< what the backward part computes again serves one backward op only
    /// What the backward part computes again, where it is neither just what is missing nor all of it anew; sorted.
    std::vector<Recompute> program;
    std::vector<Recompute> forwardAgain; ///< what the forward part computes again
};

/// The stages of a graph with their model.
struct StageChain {
    hiremate::Chain blocks;
    ChainModel model;
    std::vector<std::vector<int>> inputs;  ///< per stage: the storages of its input
    std::vector<std::vector<Saved>> saved; ///< [stage][option], as in the model
};

/// Options of the stages called for, at least one each, the one that keeps everything first.
using OptionSource =
    std::function<std::vector<std::vector<hiremate::Option>>(const hiremate::Chain &, const std::vector<int> &stages)>;

/// Everything that the backward part reads is kept; nothing is, and each op is computed again once; nothing is, and
/// each backward op has what it reads made anew (left out where it would be the same).
/// Throws TimeUp when `stop` says so.
std::vector<hiremate::Option> plainOptions(const hiremate::Chain &chain, const hiremate::Block &block,
                                           const StopCheck &stop = {});
/// The source that gives those, and nothing more. Throws TimeUp when `stop` says so.
OptionSource plainSource(const StopCheck &stop = {});

/// The chain whose stages `stageOfOp` gives (`stagesOf` or `hiremate::partitionLabels`). `options` is asked once,
/// for all stages that no earlier one is like. O(graph + stages²) and the options. Throws TimeUp when `stop` says so.
StageChain makeStageChain(const FlatGraph &flat, std::vector<int> stageOfOp, std::int64_t keepAllPeakBytes,
                          const OptionSource &options, const StopCheck &stop = {});

/// The choice about the forward pass that a schedule stands for.
ForwardChoice choiceOf(const FlatGraph &flat, const StageChain &chain, const ChainSchedule &schedule);

} // namespace remat::chain
