// SPDX-License-Identifier: Apache-2.0
// The judge: written from the rules of a plan alone, shares no code with the simulator or any planner.
#pragma once

#include "core/plan/plan.h"

namespace remat {

/// What the checker found. When `ok` is false, `step` is the first violated step (-1 when the violation is not at a
/// step, such as an output missing at the end) and `sentence` says what is wrong with it. Steps count from 0, in the
/// sentence too: they are positions in the plan's `steps`. Peak and time are of the steps before a broken rule; a plan
/// that only breaks its budget or its own prediction has them in full.
struct Verdict {
    bool ok = false;
    std::int64_t step = -1;
    std::string sentence;
    std::int64_t peakBytes = 0;
    double timeUs = 0;
};

/// Checks every rule: reads of what is there, single computation of mutating ops, frees, offloads and prefetches of
/// what is held, outputs held at the end, the peak within the plan's budget (when it has one), and the plan's own
/// predicted peak (to the byte) and time (to 1e-6) when it has them and the costs are those it was predicted with; the
/// time of a plan that copies also depends on the host link, and is compared when that is the same.
/// Ops that write to their inputs and collectives must be computed exactly once. Where the plan says that parameters
/// are planned, they count and end where they begin (`withPlannedParameters` has the rules; the graph itself is never
/// asked). What an op updates is read as the graph has it, before or after, and no whole copy is lost.
/// O(steps × degree).
Verdict checkPlan(const Graph &graph, const CostTable &costs, const Plan &plan);

} // namespace remat
