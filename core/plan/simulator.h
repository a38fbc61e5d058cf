// SPDX-License-Identifier: Apache-2.0
// The simulator that planners use: what a plan costs in memory and time. Fast; the checker is the judge.
#pragma once

#include "core/plan/plan.h"

namespace remat {

/// Memory and clock of one step. For Compute steps `heldBytes` is the memory while the op runs: storages held, its
/// outputs and the second copies of outputs still there, and its workspace. For the others it is the memory after the
/// step.
struct StepMemory {
    std::int64_t heldBytes = 0;
    double startUs = 0, endUs = 0;
};

/// A replayed plan. The peak of a plan that holds most before its first step, of planned parameters, is at step 0.
struct Simulation {
    std::vector<StepMemory> steps;
    std::int64_t peakBytes = 0;
    std::size_t peakStep = 0;
    double timeUs = 0;      ///< makespan
    int recomputedOps = 0;  ///< distinct ops computed more than once
    int recomputations = 0; ///< computations after an op's first
    double recomputeUs = 0;
};

/// Replays the steps under the rules of a plan. Fails at the first step that is not possible, with a sentence in which
/// steps count from 0; gives no verdict on the budget. Each copy lane serves one copy at a time, in the order of the
/// plan, and a copy takes the link's latency plus bytes / bandwidth. An offload starts when its storage can be read, a
/// prefetch when the last offload of its storage has ended; a `free` waits for any copy that still runs from or to what
/// it frees, and with it the compute lane, whose memory it gives back. An op waits for copies of what it updates.
/// Updates on the host have a lane of their own, in the order of the plan. O(steps × degree).
Expected<Simulation> simulate(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps);

/// The same for a plan of `graph`, with its parameters planned where the plan says so.
Expected<Simulation> simulatePlan(const Graph &graph, const CostTable &costs, const Plan &plan);

/// Peak and time only, of a computation sequence with earliest frees: what planners call in their inner loops.
/// The sequence must be possible. O(sequence × degree), no sentence, no step vector.
struct SequenceCost {
    std::int64_t peakBytes = 0;
    double timeUs = 0;
};
SequenceCost sequenceCost(const Graph &graph, const CostTable &costs, const std::vector<OpId> &sequence);

} // namespace remat
