// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/bounds.h"
#include "solvers/uses/sweep_csv.h"
#include "tests/benchmarks/measures.h"

#include <cstdio>
#include <functional>
#include <map>

namespace remat::bench {

namespace {

std::string percentText(double percent)
{
    char text[40] = "";
    std::snprintf(text, sizeof text, "%g", percent);
    return text;
}

class Quality
{
public:
    Quality(const Instance &instance, const Settings &settings) : m_instance(instance), m_settings(settings) {}

    Expected<std::vector<Row>> measure()
    {
        SweepRequest request;
        request.graph = &m_instance.graph();
        request.costs = &m_instance.costs;
        request.secondsPerPlan = m_settings.secondsPerPlan;
        for (const double percent : m_settings.budgetPercents)
            request.budgetBytes.push_back(bytesAt(percent));
        for (const Planner *planner : m_settings.planners) {
            Expected<OptionSet> options = makeOptions(planner->info.options, m_settings.set);
            if (!options) return tl::unexpected(options.error());
            request.entries.push_back({planner, std::move(*options)});
        }
        SolveContext context;
        context.threads = m_settings.threads;
        context.seed = m_settings.seed;
        const Expected<Sweep> made = sweep(request, context);
        if (!made) return tl::unexpected(made.error());

        addBounds(*made);
        const std::size_t budgets = made->points.size() / request.entries.size();
        for (std::size_t entry = 0; entry < request.entries.size(); ++entry) {
            const SweepPoint *first = &made->points[entry * budgets];
            addPlanner(request.entries[entry], first, first + budgets);
        }
        return std::move(m_rows);
    }

private:
    std::int64_t bytesAt(double percent) const
    {
        return static_cast<std::int64_t>(static_cast<double>(m_instance.keepAllPeakBytes) * percent / 100 + 1e-6);
    }
    double percentOf(std::int64_t bytes) const
    {
        return 100 * static_cast<double>(bytes) / static_cast<double>(m_instance.keepAllPeakBytes);
    }
    std::string budgetOf(const SweepPoint &point) const
    {
        for (const double percent : m_settings.budgetPercents)
            if (bytesAt(percent) == point.budgetBytes) return percentText(percent);
        return percentText(percentOf(point.budgetBytes));
    }

    void add(const std::string &planner, const std::string &budget, const char *measure, double value,
             const std::string &note = {})
    {
        m_rows.push_back(
            {"quality", m_instance.name, m_instance.graph().ops.size(), planner, budget, measure, value, note});
    }

    void addBounds(const Sweep &made)
    {
        add("bound", "", "smallest_peak_percent",
            percentOf(workingSetBound(m_instance.graph(), m_instance.costs).bytes));
        add("bound", "", "all_bounds_seconds", made.boundSeconds);
        // Planners that offload have lower bounds, which hold for every plan.
        std::map<std::int64_t, const SweepPoint *, std::greater<>> highest;
        for (const SweepPoint &point : made.points) {
            const SweepPoint *&known = highest[point.budgetBytes];
            if (!known || point.boundOverhead > known->boundOverhead) known = &point;
        }
        for (const auto &[budget, point] : highest)
            if (!point->bound.infeasible)
                add("bound", budgetOf(*point), "overhead_percent", 100 * point->boundOverhead, point->bound.method);
    }

    void addPlanner(const SweepEntry &entry, const SweepPoint *first, const SweepPoint *end)
    {
        const std::string &name = entry.planner->info.name;
        const SweepPoint *smallest = nullptr;
        for (const SweepPoint *point = first; point != end; ++point) {
            const std::string budget = budgetOf(*point);
            add(name, budget, "planning_seconds", point->seconds, statusName(*point));
            if (!point->plan) continue;
            smallest = point;
            add(name, budget, "overhead_percent", 100 * point->overhead, statusName(*point));
            add(name, budget, "gap_points", 100 * (point->overhead - point->boundOverhead));
            add(name, budget, "peak_percent", percentOf(point->plan->predicted.peakBytes));
        }
        if (!smallest) return;
        const std::int64_t refused = smallest + 1 == end ? 0 : (smallest + 1)->budgetBytes;
        add(name, "", "smallest_peak_percent", percentOf(bisect(entry, smallest->plan->predicted.peakBytes, refused)));
    }

    /// Smallest peak found between budgets of which one fits and the other does not.
    std::int64_t bisect(const SweepEntry &entry, std::int64_t fits, std::int64_t refused) const
    {
        for (int i = 0; i < m_settings.bisections && refused + 1 < fits; ++i) {
            SolveRequest request;
            request.graph = &m_instance.graph();
            request.costs = &m_instance.costs;
            request.budgetBytes = refused + (fits - refused) / 2;
            request.options = entry.options;
            request.bound.emplace(); // only whether there is a plan counts here
            SolveContext context;
            context.deadline = Deadline(m_settings.secondsPerPlan);
            context.threads = m_settings.threads;
            context.seed = m_settings.seed;
            const auto outcome = solve(*entry.planner, request, context);
            if (outcome && outcome->plan)
                fits = outcome->plan->predicted.peakBytes;
            else
                refused = request.budgetBytes;
        }
        return fits;
    }

    const Instance &m_instance;
    const Settings &m_settings;
    std::vector<Row> m_rows;
};

} // namespace

Expected<std::vector<Row>> measureQuality(const Instance &instance, const Settings &settings)
{
    return Quality(instance, settings).measure();
}

} // namespace remat::bench
