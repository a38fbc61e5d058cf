// SPDX-License-Identifier: Apache-2.0
// A plan as one page of HTML: figures, memory over time, what makes the peak, what is recomputed, and how it was made.
#include "core/exports/report.h"

#include "core/exports/exporter.h"

namespace remat::exporter {

namespace {

Expected<std::string> reportOfPlan(const ExportInput &input)
{
    return reportOfPlans(input.model, input.costs, {{std::string(), &input.plan}});
}

} // namespace

const ExportFormat &report()
{
    static const ExportFormat format = {
        .name = "report",
        .title = "Report",
        .order = 50,
        .suffix = "html",
        .sentence = "one page with figures, memory over time, and how the plan was made",
        .write = reportOfPlan,
    };
    return format;
}

} // namespace remat::exporter
