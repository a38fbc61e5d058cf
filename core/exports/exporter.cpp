#include "core/exports/exporter.h"

#include <algorithm>

namespace remat {

const std::vector<ExportFormat> &exportFormats()
{
    static const std::vector<ExportFormat> kFormats = {
        {"python", "Python code", "py", "PyTorch code that runs the plan step by step; only for traces from PyTorch",
         pythonOfPlan},
        {"csv", "Steps as CSV", "csv", "one row per step with its times and what is held after it", csvOfPlan},
        {"chrome-trace", "Chrome trace", "json", "lanes and memory over time, for Perfetto and chrome://tracing",
         chromeTraceOfPlan},
        {"dot", "Graphviz", "dot", "the graph with what the plan does to each op, for Graphviz", dotOfPlan},
        {"report", "Report", "html", "one page with figures, memory over time, and how the plan was made",
         reportOfPlan},
    };
    return kFormats;
}

Expected<const ExportFormat *> findExportFormat(const std::string &name)
{
    const std::vector<ExportFormat> &formats = exportFormats();
    const auto found =
        std::find_if(formats.begin(), formats.end(), [&](const ExportFormat &format) { return format.name == name; });
    if (found != formats.end()) return &*found;
    std::string names;
    for (const ExportFormat &format : formats)
        names += (names.empty() ? "" : ", ") + format.name;
    return fail("There is no export \"" + name + "\". There are: " + names + ".");
}

} // namespace remat
