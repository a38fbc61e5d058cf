// SPDX-License-Identifier: Apache-2.0
// What a real run of a plan measured, and why it is not what was predicted. Nothing of LibTorch.
#pragma once

#include "core/plan/simulator.h"
#include "gpu/engine/replay.h"

#include <string>
#include <vector>

namespace remat {

/// How far measured and predicted peak may be apart without a word.
constexpr double kPeakTolerance = 0.02;

/// Why the measured peak is not the predicted one.
struct PeakExplanation {
    bool withinTolerance = true;
    /// Without the workspace that the cost table does not know, the measured peak is within the tolerance or below.
    bool workspaceExplains = true;
    std::vector<std::string> reasons; ///< a sentence per op, largest share first; empty within the tolerance
};

/// Whether the costs were measured on the device of this run. Then they know every workspace; others cannot, and a
/// peak that is over the predicted one for want of them is explained.
bool workspaceKnown(const CostSource &costs, const ValidationRecord &run);

/// A measured peak this far below the predicted one was not measured: less than half of it, and more than a MiB.
constexpr bool hardlyMeasured(std::int64_t measuredBytes, std::int64_t predictedBytes)
{
    constexpr std::int64_t kSmallBytes = 1 << 20;
    return measuredBytes < predictedBytes / 2 && predictedBytes - measuredBytes > kSmallBytes;
}

/// Compares a run with its simulation, step by step. `steps` are the plan's, as simulated and as run.
PeakExplanation explainPeak(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps,
                            const Simulation &simulated, const Replay &measured);

} // namespace remat
