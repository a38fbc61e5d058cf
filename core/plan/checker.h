// The judge: written from the rules of a plan alone, shares no code with the simulator or any planner.
#pragma once

#include "core/plan/plan.h"

namespace remat {

/// What the checker found. When `ok` is false, `step` is the first violated step (-1 when the violation is not at a
/// step, such as an output missing at the end) and `sentence` says what is wrong with it.
struct Verdict {
    bool ok = false;
    std::int64_t step = -1;
    std::string sentence;
    std::int64_t peakBytes = 0;
    double timeUs = 0;
};

/// Checks every rule: reads of what is there, single computation of mutating ops, frees, offloads and prefetches of
/// what is held, outputs held at the end, the peak within the plan's budget (when it has one), and the plan's own
/// predicted peak (when it has one and the costs are those it was predicted with). O(steps × degree).
Verdict checkPlan(const Graph &graph, const CostTable &costs, const Plan &plan);

} // namespace remat
