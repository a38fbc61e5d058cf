// SPDX-License-Identifier: Apache-2.0
// What the stages of one hierarchical solve share: the question, the best plan so far, and how much work is left.
#pragma once

#include "solvers/hiremate/pipeline.h"
#include "solvers/ilp/cbc.h"
#include "solvers/tools/incumbent.h"

#include <atomic>
#include <functional>
#include <limits>
#include <string>

namespace remat::hiremate {

/// Lives for one call of `planHierarchically`; references outlive it. Its members are for the calling thread, unless
/// they say more.
struct SolveState {
    SolveState(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat,
               const PipelineOptions &options);

    const PipelineOptions &asked;
    PipelineOptions settings; ///< settings of the solve that is under way
    std::string variation;    ///< what is different in it, for people; empty in the first one
    const SolveRequest &request;
    const SolveContext &context;
    const FlatGraph &flat;
    const std::int64_t budgetBytes;
    SequenceEvaluator evaluator;
    Incumbent incumbent; ///< any thread
    const std::function<bool()> stop;
    std::uint64_t seed = 0;       ///< seed of the solve that is under way
    std::size_t joinedPasses = 0; ///< done by `planJoinedAnew`: each draws other random numbers
    const SequenceCost keepAll;
    bool timeWasUp = false;                       ///< the clock cut something short
    std::atomic<std::int64_t> iterationsDone = 0; ///< iterations of the simplex method since the start; any thread
    std::int64_t iterationsUntil = std::numeric_limits<std::int64_t>::max(); ///< the solve under way may go on

    /// Not the first solve, but one of those that `solveAgain` makes.
    bool again() const { return !variation.empty(); }
    /// Within `share` of the least added time of any plan (and what rounding makes of 0).
    bool nearBound(double share) const;
    /// So near the bound that more solves are not worth it: 1 % of the bound's added time, or 0.1 % of the whole.
    bool goodEnough() const;
    /// Whether further solves may follow the first one: they are asked for, and there is a time limit.
    bool mayGoOn() const;
    /// Iterations of the simplex method that belong to the time limit: what one solve may take is a part of them.
    std::int64_t mostIterations() const;
    /// Those that one program may take.
    std::int64_t iterations() const;
    /// For a program over the chain: `share` of what is left of the time, less what replay and undo need afterwards;
    /// nothing worse than the best plan.
    ilp::Limits chainLimits(double share) const;
    /// Further solves are told with what is different in them.
    void setActivity(const char *activity, double fraction = -1)
    {
        incumbent.setActivity(variation + activity, fraction);
    }
};

} // namespace remat::hiremate
