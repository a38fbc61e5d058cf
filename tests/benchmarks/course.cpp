// SPDX-License-Identifier: Apache-2.0
#include "core/base/number.h"
#include "solvers/uses/sweep_csv.h"
#include "tests/benchmarks/measures.h"

#include <algorithm>
#include <chrono>

namespace remat::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kDigits = 6;

class Course
{
public:
    Course(const Instance &instance, const Settings &settings) : m_instance(instance), m_settings(settings) {}

    Expected<std::vector<Row>> measure()
    {
        for (const Planner *planner : m_settings.planners)
            for (const double percent : m_settings.budgetPercents)
                if (const Expected<void> done = run(*planner, percent); !done) return tl::unexpected(done.error());
        return std::move(m_rows);
    }

private:
    Expected<void> run(const Planner &planner, double percent)
    {
        Expected<OptionSet> options = makeOptions(planner.info.options, m_settings.set);
        if (!options) return tl::unexpected(options.error());
        SolveRequest request;
        request.graph = &m_instance.graph();
        request.costs = &m_instance.costs;
        request.budgetBytes =
            static_cast<std::int64_t>(static_cast<double>(m_instance.keepAllPeakBytes) * percent / 100);
        request.options = std::move(*options);
        SolveContext context;
        context.deadline = Deadline(m_settings.secondsPerPlan);
        context.threads = m_settings.threads;
        context.seed = m_settings.seed;
        const Clock::time_point begin = Clock::now();
        const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
        const auto add = [&](const char *measure, double value, const std::string &note) {
            m_rows.push_back({"course", m_instance.name, m_instance.graph().ops.size(), planner.info.name,
                              shortNumber(percent, kDigits), measure, value, note});
        };
        const auto percentOf = [&](double timeUs) { return 100 * (timeUs / m_instance.keepAllTimeUs - 1); };
        double bestUs = -1;
        const auto reached = [&](double timeUs) {
            if (bestUs >= 0 && timeUs >= bestUs) return;
            bestUs = timeUs;
            add("incumbent_percent", percentOf(timeUs), shortNumber(seconds(), kDigits));
        };
        double boundUs = -1;
        context.progress = [&](const SolveProgress &progress) {
            if (progress.incumbent) reached(progress.incumbent->predicted.timeUs);
            boundUs = std::max(boundUs, progress.boundTimeUs);
        };
        const auto outcome = solve(planner, request, context);
        const double end = seconds();
        if (!outcome) {
            add("planning_seconds", end, outcome.error().message);
            return {};
        }
        if (outcome->plan) reached(outcome->plan->predicted.timeUs);
        boundUs = std::max(boundUs, outcome->boundTimeUs);
        if (boundUs > 0) add("bound_percent", std::max(percentOf(boundUs), 0.0), shortNumber(end, kDigits));
        add("planning_seconds", end, statusName(outcome->status));
        return {};
    }

    const Instance &m_instance;
    const Settings &m_settings;
    std::vector<Row> m_rows;
};

} // namespace

Expected<std::vector<Row>> measureCourse(const Instance &instance, const Settings &settings)
{
    return Course(instance, settings).measure();
}

} // namespace remat::bench
