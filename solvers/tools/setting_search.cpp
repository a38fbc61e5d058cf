// SPDX-License-Identifier: Apache-2.0
#include "solvers/tools/setting_search.h"

#include "core/base/memory_units.h"
#include "solvers/tools/parallel.h"

#include <fmt/core.h>
#include <utility>

namespace remat {

namespace {

constexpr int kBisections = 10;

} // namespace

void SettingSearch::search(const std::string &activity, const std::vector<std::int64_t> &settings,
                           const Attempt &attempt)
{
    if (m_context.progress) {
        SolveProgress progress;
        progress.activity = activity;
        if (m_best) progress.incumbentTimeUs = m_best->cost.timeUs;
        m_context.progress(progress);
    }
    const auto tried = [&](std::int64_t setting) -> std::optional<SettingPlan> {
        try {
            return attempt(setting);
        } catch (const TimeUp &) {
            return std::nullopt;
        }
    };
    std::vector<std::optional<SettingPlan>> plans(settings.size());
    parallelFor(m_context.threads, settings.size(), [&](std::size_t i) {
        if (!m_context.shouldStop()) plans[i] = tried(settings[i]);
        if (plans[i]) plans[i]->setting = settings[i];
    });
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < settings.size(); ++i)
        if (plans[i] && offer(*plans[i])) best = i;
    if (m_goal == SettingGoal::Peak || !best || *best + 1 >= settings.size()) return;
    std::int64_t low = settings[*best], high = settings[*best + 1];
    for (int i = 0; i < kBisections && high - low > 1 && !m_context.shouldStop(); ++i) {
        const std::int64_t middle = low + (high - low) / 2;
        std::optional<SettingPlan> plan = tried(middle);
        if (!plan) return;
        plan->setting = middle;
        offer(*plan);
        (plan->cost.peakBytes <= m_budget ? low : high) = middle;
    }
}

bool SettingSearch::offer(const SettingPlan &plan)
{
    if (m_smallestPeak == 0 || plan.cost.peakBytes < m_smallestPeak) m_smallestPeak = plan.cost.peakBytes;
    if (plan.cost.peakBytes > m_budget) return false;
    const auto key = [&](const SequenceCost &cost) {
        return std::pair(m_goal == SettingGoal::Peak ? cost.peakBytes : 0, cost.timeUs);
    };
    if (m_best && key(plan.cost) >= key(m_best->cost)) return false;
    m_best = plan;
    return true;
}

SolveOutcome SettingSearch::outcome(const Graph &graph, const std::string &what) const
{
    SolveOutcome outcome;
    outcome.smallestPeakBytes = m_smallestPeak;
    if (m_best) {
        const bool stopped = m_context.stop && m_context.stop->stopRequested();
        outcome.status = stopped ? SolveStatus::Stopped : SolveStatus::Feasible;
        outcome.plan.emplace();
        outcome.plan->steps = withEarliestFrees(graph, m_best->sequence);
        if (m_context.deadline.passed()) outcome.message = kTimeWasUp;
    } else if (m_context.shouldStop()) {
        outcome.status = SolveStatus::Stopped;
        outcome.message = "Stopped before a plan was found that fits.";
    } else {
        outcome.message =
            fmt::format("No {} fits {}; the smallest peak of those tried is {}. Take hiremate, or raise the budget.",
                        what, formatMemory(m_budget, m_smallestPeak), formatMemory(m_smallestPeak));
    }
    return outcome;
}

} // namespace remat
