// SPDX-License-Identifier: Apache-2.0
#include "solvers/uses/sweep_csv.h"

#include "core/base/number.h"
#include "core/io/csv.h"

namespace remat {

namespace {

std::string number(double value)
{
    return fixedNumber(value, 6);
}

std::string percentOf(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? number(100 * static_cast<double>(part) / static_cast<double>(whole)) : std::string();
}

} // namespace

const char *statusName(const SweepPoint &point)
{
    return point.failed ? "failed" : statusName(point.status);
}

std::string sweepCsv(const SweepRequest &request, const Sweep &sweep, const SweepNames &names)
{
    std::string csv =
        csvLine({"model", "planner", "budget_bytes", "budget_percent", "status", "peak_bytes", "peak_percent",
                 "time_us", "overhead_percent", "lower_bound_time_us", "lower_bound_overhead_percent",
                 "lower_bound_method", "planning_seconds", "made_for_budget_bytes", "keep_all_peak_bytes",
                 "keep_all_time_us", "plan_file", "message"});
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const SweepPoint &point = sweep.points[i];
        const Plan *plan = point.plan.get();
        csv += csvLine({names.model, request.entries[point.entry].planner->info.name, std::to_string(point.budgetBytes),
                        percentOf(point.budgetBytes, sweep.keepAllPeakBytes), statusName(point),
                        plan ? std::to_string(plan->predicted.peakBytes) : "",
                        plan ? percentOf(plan->predicted.peakBytes, sweep.keepAllPeakBytes) : "",
                        plan ? number(plan->predicted.timeUs) : "", plan ? number(100 * point.overhead) : "",
                        point.bound.infeasible ? "" : number(point.bound.timeUs),
                        point.bound.infeasible ? "" : number(100 * point.boundOverhead), point.bound.method,
                        number(point.seconds), plan ? std::to_string(point.madeForBytes) : "",
                        std::to_string(sweep.keepAllPeakBytes), number(sweep.keepAllTimeUs),
                        i < names.planFiles.size() ? names.planFiles[i] : "", point.message});
    }
    return csv;
}

} // namespace remat
