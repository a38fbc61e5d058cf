// SPDX-License-Identifier: Apache-2.0
// Planners with one number to choose: its largest value keeps everything, smaller ones need less memory and more time,
// roughly.
#pragma once

#include "core/plan/simulator.h"
#include "solvers/interface/solver.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace remat {

/// What a value of that number comes to.
struct SettingPlan {
    std::int64_t setting = 0; ///< filled in by `search`
    std::vector<OpId> sequence;
    SequenceCost cost;
};

/// Which plan within the budget is best.
enum class SettingGoal {
    Time, ///< the fastest
    Peak  ///< the one with the smallest peak; of equal ones the fastest
};

/// The best plan within the budget over all searches, and what was reached at all.
class SettingSearch
{
public:
    using Attempt = std::function<std::optional<SettingPlan>(std::int64_t setting)>; ///< from any thread; none: stopped

    SettingSearch(std::int64_t budgetBytes, const SolveContext &context, SettingGoal goal = SettingGoal::Time)
        : m_budget(budgetBytes), m_goal(goal), m_context(context)
    {
    }

    /// Tries all `settings`, rising, side by side; then, for the fastest, bisects between the best that fits and the
    /// next. Says `activity` to the context. The same result for any number of threads.
    void search(const std::string &activity, const std::vector<std::int64_t> &settings, const Attempt &attempt);

    /// Takes the plan when it fits and is better than the best.
    bool offer(const SettingPlan &plan);

    const std::optional<SettingPlan> &best() const { return m_best; }
    std::int64_t smallestPeakBytes() const { return m_smallestPeak; } ///< the least that was offered; 0: none

    /// The best plan, with a sentence when time was up meanwhile, or why there is none: `what` in "no … fits"
    /// (`sequence of lower sets`).
    SolveOutcome outcome(const Graph &graph, const std::string &what) const;

private:
    const std::int64_t m_budget;
    const SettingGoal m_goal;
    const SolveContext &m_context;
    std::optional<SettingPlan> m_best;
    std::int64_t m_smallestPeak = 0;
};

} // namespace remat
