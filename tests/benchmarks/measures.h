// SPDX-License-Identifier: Apache-2.0
// What is measured, on one graph at a time.
#pragma once

#include "solvers/interface/solver.h"
#include "tests/benchmarks/instance.h"
#include "tests/benchmarks/report.h"

#include <map>
#include <string>
#include <vector>

namespace remat::bench {

struct Settings {
    std::vector<const Planner *> planners;
    std::vector<double> budgetPercents;
    double secondsPerPlan = 5;
    int threads = 1;
    std::uint64_t seed = 0;
    int bisections = 4;                     ///< bisections for the smallest peak
    std::map<std::string, std::string> set; ///< options of the planners, by name
};

/// Planners by quality, as one sweep: overhead, bound and gap at every budget, and per planner the smallest budget that
/// it fits, bisected below the last one that it fits.
Expected<std::vector<Row>> measureQuality(const Instance &instance, const Settings &settings);

/// Planners by time at one budget each, one thread, CPU time: until the first plan, until one within 1.1 times the
/// bound and 0.1 points, and until the end; planners of moments several times over. The bound is not part of it: it is
/// a row of its own.
Expected<std::vector<Row>> measureGrowth(const Instance &instance, const Settings &settings);

/// One solve a planner and budget, as the wall clock saw it: `incumbent_percent` is the added time of each plan that
/// was better than those before, with the seconds since the start in its note; then the bound, and when and how it
/// ended.
Expected<std::vector<Row>> measureCourse(const Instance &instance, const Settings &settings);

/// Steps per second of simulator, checker and evaluators; seconds of import, costs, fingerprint and partitions.
Expected<std::vector<Row>> measureSpeed(const Instance &instance);

/// What the portfolio's pieces of work take in CPU time, one thread, at half the keep-all peak, beside what it charges.
Expected<std::vector<Row>> measureWork(const Instance &instance);

} // namespace remat::bench
