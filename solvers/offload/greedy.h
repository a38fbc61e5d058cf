// SPDX-License-Identifier: Apache-2.0
// Greedy offloading of weights and activations: what the two planners of that name share.
#pragma once

#include "solvers/interface/solver.h"
#include "solvers/offload/selection.h"

namespace remat::offload {

/// Selects gaps of the order in which the graph stands and schedules their copies. Nothing is computed again. `advice`
/// ends the sentence of a budget that does not fit.
Expected<SolveOutcome> planGreedily(const SolveRequest &request, const SolveContext &context,
                                    const SelectionRules &rules, const std::string &advice);

/// Options that both share.
struct GreedyOptions {
    ParameterOptions parameters;
    bool activations = true; ///< may leave the device, too
};
OptionTable<GreedyOptions> greedyOptions();

} // namespace remat::offload
