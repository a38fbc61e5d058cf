// SPDX-License-Identifier: Apache-2.0
// Measured over predicted: where a real run of a plan was not what the simulator said, op by op.
#pragma once

#include "core/plan/simulator.h"

#include <string>
#include <vector>

namespace remat {

/// What the plan's steps measured when they ran; none when it was not run, or when the run was of other steps. Points
/// into `plan`.
const std::vector<StepMeasurement> *measuredSteps(const Plan &plan);

/// A computation during which another amount was held than the simulator says. All bytes are measured less predicted.
struct MemoryGap {
    std::size_t step = 0;
    OpId op;
    std::int64_t bytes = 0;          ///< in all
    std::int64_t workspaceBytes = 0; ///< the op's workspace in it
    std::int64_t madeBytes = 0;      ///< what the op makes in it
    /// Bytes of it in storages that were there before.
    std::int64_t heldBytes() const { return bytes - workspaceBytes - madeBytes; }
};

/// Compares one computation of the plan.
MemoryGap memoryGap(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps,
                    const Simulation &simulated, const std::vector<StepMeasurement> &measured, std::size_t step);

/// Why, as a sentence that names the op.
std::string gapSentence(const Graph &graph, const MemoryGap &gap);

/// A step that took another time than the simulator says.
struct TimeGap {
    std::size_t step = 0;
    double measuredUs = 0, predictedUs = 0;
    double us() const { return measuredUs - predictedUs; }
};

/// Where run and prediction are apart the most: the largest of each op, largest first, at most `most` of each kind.
/// There are no times where steps were not timed. O(steps log steps).
struct MeasuredGaps {
    std::vector<MemoryGap> memory;
    std::vector<TimeGap> time;
};
MeasuredGaps measuredGaps(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps,
                          const Simulation &simulated, const std::vector<StepMeasurement> &measured, std::size_t most);

} // namespace remat
