// SPDX-License-Identifier: Apache-2.0
// Several planners over many budgets: overhead against peak, for every planner one curve.
#pragma once

#include "solvers/interface/solver.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace remat {

/// One planner of a sweep with its options.
struct SweepEntry {
    const Planner *planner = nullptr;
    OptionSet options; ///< made from the planner's own records
};

struct SweepRequest {
    const Graph *graph = nullptr;     ///< outlives the sweep
    const CostTable *costs = nullptr; ///< outlives the sweep
    const Program *program = nullptr; ///< the trace the graph was made from, if any; outlives the sweep
    std::vector<SweepEntry> entries;
    std::vector<std::int64_t> budgetBytes; ///< any order, each > 0
    Pins pins;                             ///< decided by hand, for every plan
    double secondsPerPlan = 60;            ///< limit of each plan, its share of the bounds included
};

/// What one planner made of one budget.
struct SweepPoint {
    std::size_t entry = 0; ///< index into `SweepRequest::entries`
    std::int64_t budgetBytes = 0;
    SolveStatus status = SolveStatus::Stopped;
    bool failed = false;              ///< the call failed, and `status` means nothing: `message` says why
    std::shared_ptr<const Plan> plan; ///< checked; may be none. Peak and time are in `predicted`
    std::int64_t madeForBytes = 0; ///< budget the plan was made for; smaller when a neighbour's plan is the faster one
    double overhead = 0;           ///< overhead of `plan`
    TimeBound bound;               ///< bound for this budget: over plans without offloads where the planner makes none
    double boundOverhead = 0;
    double seconds = 0;                 ///< that this planner worked for this budget
    std::string message;                ///< why there is no plan, or what a person should know
    std::int64_t smallestPeakBytes = 0; ///< as the planner says when it finds no plan; 0 when unknown
};

struct Sweep {
    std::int64_t keepAllPeakBytes = 0;
    double keepAllTimeUs = 0;
    double boundSeconds = 0;        ///< wall time that the bounds took
    std::vector<SweepPoint> points; ///< by entry, in each from the largest budget to the smallest, each budget once
};

/// A planner at work, or done with one budget.
struct SweepProgress {
    std::size_t entry = 0;
    int done = 0, total = 0; ///< budgets of this planner
    std::int64_t budgetBytes = 0;
    SolveProgress solve;                  ///< progress of the plan at hand; empty with `finished`
    const SweepPoint *finished = nullptr; ///< what was just made, during the call only; before neighbours are compared
};

using SweepListener = std::function<void(const SweepProgress &)>;

/// Plans every budget with every planner on up to `context.threads` threads and returns all points there are.
///
/// What budgets share: the bounds, which are computed once for all planners, and where the one of a larger budget is
/// higher it holds for the smaller one too; and plans. A plan for a smaller budget is also one for a larger, so a
/// planner that improves as long as it may gets its budgets from the smallest up, each with the best plan so far as
/// start, and at the end the faster plan of the two is taken at every budget: overhead never rises with the budget.
/// Nothing is shared between planners. Planners of moments come first, one thread a plan; then the others, each with
/// its share of the threads from its smallest budget to its largest.
///
/// A stop or the deadline of `context` ends it soon; points that no plan was made for by then say so.
/// `context.progress` and `context.boundTimeUs` are not used; `listener` (may be empty) is called from any thread, one
/// call at a time. The result depends on clocks only through planners that use up their time. Fails on a graph or costs
/// that no planner could work on, and when there is no planner or no budget; a planner that fails is a point, not a
/// failure.
Expected<Sweep> sweep(const SweepRequest &request, const SolveContext &context, const SweepListener &listener = {});

} // namespace remat
