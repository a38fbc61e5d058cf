// SPDX-License-Identifier: Apache-2.0
// Measurements as rows of one table.
#pragma once

#include <string>
#include <vector>

namespace remat::bench {

/// One figure. What it means is `measure`, which ends with its unit; `*_per_second` is better when larger, all others
/// when smaller.
struct Row {
    std::string group; ///< `quality`, `growth`, `course`, `speed`, `work`
    std::string graph;
    std::size_t ops = 0;
    std::string planner;       ///< or `bound`; empty for what needs none
    std::string budgetPercent; ///< percent of the keep-all peak; empty when there is none
    std::string measure;
    double value = 0;
    std::string note;
};

/// The table as CSV, with two more columns that are the same in every row: what the yardstick took in this process, and
/// the memory that the process has needed so far.
std::string reportCsv(const std::vector<Row> &rows, double yardstickSeconds);

} // namespace remat::bench
