// SPDX-License-Identifier: Apache-2.0
// What one plan does with every op and storage, counted once so that two plans can be laid side by side. No painting.
#pragma once

#include "core/model/plan_entry.h"
#include "core/views/graph_figures.h"

#include <array>
#include <optional>
#include <vector>

namespace remat {

/// How a storage with this fate is drawn.
NodeState stateOf(Fate fate);

/// Per plan. Immutable.
struct PlanUse {
    std::vector<NodeState> opStates, storageStates;
    std::vector<std::int64_t> heldBytes;                    ///< per storage: all copies of it at the plan's peak
    std::vector<int> recomputations;                        ///< per op: computations after the first
    std::vector<double> recomputeUs;                        ///< per op: time of these
    std::array<std::int64_t, kCategoryCount> peakBytesOf{}; ///< per category at the peak
    std::int64_t keptBytes = 0;                             ///< bytes of all storages held from forward to backward
    std::int64_t offloadedBytes = 0;                        ///< bytes of all storages that are parked in host memory
    int recomputedOps = 0;
};

/// O(samples + ranges).
PlanUse planUse(const Graph &graph, const PlanEntry &plan);

/// What a person weighs plans by.
struct PlanFigures {
    std::int64_t peakBytes = 0, budgetBytes = 0;
    double timeUs = 0;
    double overhead = 0;
    std::optional<double> boundOverhead; ///< no plan within the same budget is faster; none when it is unknown
    int recomputedOps = 0;
    std::int64_t keptBytes = 0, offloadedBytes = 0;
};
PlanFigures planFigures(const CostedModel &model, const PlanEntry &plan, const PlanUse &use);

/// Which of two plans is better on both counts, memory and time; none when neither is.
enum class BetterPlan { Neither, First, Second };
BetterPlan betterOnBoth(const PlanFigures &a, const PlanFigures &b);

} // namespace remat
