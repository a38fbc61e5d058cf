#include "tests/benchmarks/report.h"

#include "core/io/csv.h"
#include "tests/benchmarks/machine.h"

#include <cstdio>
#include <string_view>

namespace remat::bench {

namespace {

std::string number(double value)
{
    char text[64] = "";
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

bool endsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::string calibrated(const Row &row, double yardstickSeconds)
{
    if (endsWith(row.measure, "_per_second")) return number(row.value * yardstickSeconds);
    if (endsWith(row.measure, "_seconds")) return number(row.value / yardstickSeconds);
    return "";
}

} // namespace

std::string reportCsv(const std::vector<Row> &rows, double yardstickSeconds)
{
    const std::string peak = number(processPeakMib());
    std::string csv = csvLine({"group", "graph", "ops", "planner", "budget_percent", "measure", "value", "calibrated",
                               "process_peak_mib", "note"});
    for (const Row &row : rows)
        csv += csvLine({row.group, row.graph, std::to_string(row.ops), row.planner, row.budgetPercent, row.measure,
                        number(row.value), calibrated(row, yardstickSeconds), peak, row.note});
    return csv;
}

} // namespace remat::bench
