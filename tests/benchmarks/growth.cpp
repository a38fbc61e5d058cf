// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/bounds.h"
#include "tests/benchmarks/machine.h"
#include "tests/benchmarks/measures.h"

#include <algorithm>
#include <cstdio>

namespace remat::bench {

namespace {

/// CPU time from the start of a solve; negative when it never came to that.
struct Stopwatch {
    double firstPlan = -1, nearBound = -1, end = -1;
    bool cut = false; ///< by the time limit

    void keepFaster(const Stopwatch &other)
    {
        const auto faster = [](double &mine, double theirs) {
            if (theirs >= 0 && (mine < 0 || theirs < mine)) mine = theirs;
        };
        faster(firstPlan, other.firstPlan);
        faster(nearBound, other.nearBound);
        faster(end, other.end);
    }
};

class Growth
{
public:
    Growth(const Instance &instance, const Settings &settings) : m_instance(instance), m_settings(settings) {}

    Expected<std::vector<Row>> measure()
    {
        for (const double percent : m_settings.budgetPercents) {
            char text[40] = "";
            std::snprintf(text, sizeof text, "%g", percent);
            m_budgetText = text;
            m_budget = static_cast<std::int64_t>(static_cast<double>(m_instance.keepAllPeakBytes) * percent / 100);
            const double begin = cpuSeconds();
            m_bound = bestTimeBound(m_instance.graph(), m_instance.costs, m_budget);
            add("bound", "planning_seconds", cpuSeconds() - begin, m_bound.method);
            for (const Planner *planner : m_settings.planners)
                if (const Expected<void> done = measurePlanner(*planner); !done) return tl::unexpected(done.error());
        }
        return std::move(m_rows);
    }

private:
    /// Within 1.1 times the bound's added time and 0.1 % of the whole time.
    bool isNear(double timeUs) const { return timeUs <= m_instance.keepAllTimeUs * 1.001 + 1.1 * m_bound.extraUs; }

    Expected<void> measurePlanner(const Planner &planner)
    {
        Expected<OptionSet> options = makeOptions(planner.info.options, {});
        if (!options) return tl::unexpected(options.error());
        const std::string &name = planner.info.name;
        Stopwatch best;
        double spent = 0;
        do {
            Stopwatch watch;
            const Expected<SolveOutcome> outcome = run(planner, *options, watch);
            if (!outcome || !outcome->plan) {
                add(name, "planning_seconds", watch.end,
                    "no plan: " + (outcome ? outcome->message : outcome.error().message));
                return {};
            }
            if (spent == 0)
                add(name, "overhead_percent", 100 * (outcome->plan->predicted.timeUs / m_instance.keepAllTimeUs - 1),
                    statusName(outcome->status));
            spent += watch.end;
            best.keepFaster(watch);
            best.cut = watch.cut;
        } while (spent < 0.2);
        add(name, "first_plan_seconds", best.firstPlan);
        if (best.nearBound >= 0) add(name, "near_bound_seconds", best.nearBound);
        add(name, "planning_seconds", best.end, best.cut ? "time limit" : "");
        return {};
    }

    Expected<SolveOutcome> run(const Planner &planner, const OptionSet &options, Stopwatch &watch) const
    {
        SolveRequest request;
        request.graph = &m_instance.graph();
        request.costs = &m_instance.costs;
        request.budgetBytes = m_budget;
        request.options = options;
        request.bound = m_bound;
        SolveContext context;
        context.deadline = Deadline(m_settings.secondsPerPlan);
        context.seed = m_settings.seed;
        const double begin = cpuSeconds();
        const auto reached = [&](double timeUs) {
            const double now = cpuSeconds() - begin;
            if (watch.firstPlan < 0) watch.firstPlan = now;
            if (watch.nearBound < 0 && isNear(timeUs)) watch.nearBound = now;
        };
        context.progress = [&](const SolveProgress &progress) {
            if (progress.incumbent) reached(progress.incumbent->predicted.timeUs);
        };
        Expected<SolveOutcome> outcome = solve(planner, request, context);
        watch.end = std::max(cpuSeconds() - begin, 1e-9);
        watch.cut = context.deadline.secondsLeft() < 0.05 * m_settings.secondsPerPlan; // some leave room for the end
        if (outcome && outcome->plan) reached(outcome->plan->predicted.timeUs);
        return outcome;
    }

    void add(const std::string &planner, const char *measure, double value, const std::string &note = {})
    {
        m_rows.push_back(
            {"growth", m_instance.name, m_instance.graph().ops.size(), planner, m_budgetText, measure, value, note});
    }

    const Instance &m_instance;
    const Settings &m_settings;
    std::string m_budgetText;
    std::int64_t m_budget = 0;
    TimeBound m_bound;
    std::vector<Row> m_rows;
};

} // namespace

Expected<std::vector<Row>> measureGrowth(const Instance &instance, const Settings &settings)
{
    return Growth(instance, settings).measure();
}

} // namespace remat::bench
