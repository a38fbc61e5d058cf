// SPDX-License-Identifier: Apache-2.0
// Some ops of a plan, decided anew with all else as it is.
#pragma once

#include "solvers/checkmate/model.h"
#include "solvers/offload/decisions.h"

namespace remat::offload {

/// The graph that is left when everything but the recomputations of some ops, and the copies of what they read and
/// make, is as a plan has it: an instance of the whole-graph program of checkmate/model.h. Its first computations are
/// those of the plan, further computations of other ops included; those that touch nothing of the window are merged
/// with their neighbours into one slot. With all ops in the window it is the whole graph, and nothing is merged.
struct PlanWindow {
    FlatGraph flat;                            ///< without graph and costs
    std::vector<std::int64_t> reservedBytes;   ///< per slot: what the rest of the plan holds before it
    std::vector<std::vector<int>> opsOf;       ///< per op: those of the graph that it stands for, in order
    std::vector<int> storageOf;                ///< per storage: that of the graph; copies of one made twice are apart
    std::vector<Fetch> fetches;                ///< fetches of the rest; positions count the computations of all `opsOf`
    double computeUs = 0, outUs = 0, inUs = 0; ///< times of the rest and of the first computations, per lane
};

/// `again`: per op of the graph, in the window or not. O(plan × degree).
PlanWindow makeWindow(const FlatGraph &flat, const Decisions &plan, const std::vector<char> &again);

/// A solution of the window's program as decisions on the whole plan; per position its slot in `slotOf`.
Decisions readDecisions(const PlanWindow &window, const checkmate::SlotProgram &slots, const std::vector<double> &x,
                        std::vector<int> &slotOf);

} // namespace remat::offload
