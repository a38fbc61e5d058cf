// SPDX-License-Identifier: Apache-2.0
// What solve() adds to a planner's steps before anyone sees them.
#pragma once

#include "solvers/interface/solver.h"

#include <chrono>

namespace remat {

/// Everything of a plan that its planner does not fill in, and the checker's judgement.
struct PlanFiller {
    using Clock = std::chrono::steady_clock;

    const Planner &planner;
    const SolveRequest &request; ///< its graph is the one plans are judged on
    const SolveContext &context;
    std::int64_t keepAllPeakBytes;
    double keepAllTimeUs;
    const TimeBound &bound; ///< bound for the graph's order
    Clock::time_point start;

    /// A plan in another order than the graph's has a bound of its own, which takes a while: `Quick` leaves that out.
    enum class Bounds : std::uint8_t { Quick, Own };

    /// Fills `plan` in and has it judged; the sentence of the failure says which rule it breaks.
    /// `own` is what is known already of the plan's own order; may be null.
    Expected<void> fillAndCheck(Plan &plan, const char *status, Bounds bounds, const TimeBound *own = nullptr) const;
    /// `fillAndCheck` of the outcome's plan, and the outcome's own figures after it.
    Expected<SolveOutcome> finish(SolveOutcome outcome) const;
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start).count(); }

private:
    TimeBound boundOf(const Plan &plan, Bounds bounds, const TimeBound *own) const;
    /// Bound for plans in any order, µs, beside the bound of the plan's own; 0 where the plan is in the graph's.
    double anyOrderUs(const Plan &plan, Bounds bounds) const;
    /// For bounds of a plan that was found when time was nearly up.
    double lateSeconds() const;
    std::string broken(const std::string &why) const;
};

} // namespace remat
