// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/report.h"

#include "core/io/csv.h"
#include "tests/benchmarks/machine.h"

#include <cstdio>

namespace remat::bench {

namespace {

std::string number(double value)
{
    char text[64] = "";
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

} // namespace

std::string reportCsv(const std::vector<Row> &rows, double yardstickSeconds)
{
    const std::string peak = number(processPeakMib()), yardstick = number(yardstickSeconds);
    std::string csv = csvLine({"group", "graph", "ops", "planner", "budget_percent", "measure", "value",
                               "yardstick_seconds", "process_peak_mib", "note"});
    for (const Row &row : rows)
        csv += csvLine({row.group, row.graph, std::to_string(row.ops), row.planner, row.budgetPercent, row.measure,
                        number(row.value), yardstick, peak, row.note});
    return csv;
}

} // namespace remat::bench
