// A plan in the forms other programs read.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/model.h"
#include "core/plan/plan.h"

#include <string>
#include <vector>

namespace remat {

/// What an export is made from. The plan has passed the checker on this model.
struct ExportInput {
    const Model &model;
    const CostTable &costs;
    const Plan &plan;
};

/// One form; `write` fails with a sentence when the model or the plan cannot be put in it. Any thread.
struct ExportFormat {
    std::string name;     ///< as the command line takes it: `chrome-trace`
    std::string title;    ///< `Chrome trace`
    std::string suffix;   ///< of its files: `json`
    std::string sentence; ///< what it is and who reads it
    Expected<std::string> (*write)(const ExportInput &input);
};

/// Every form, in the order lists show them.
const std::vector<ExportFormat> &exportFormats();
/// Fails with a sentence that names the forms there are.
Expected<const ExportFormat *> findExportFormat(const std::string &name);

/// One function for `python`: straight-line PyTorch code that computes, frees, and moves as the plan says, for traces
/// from PyTorch only. Random ops draw what `remat validate` draws.
Expected<std::string> pythonOfPlan(const ExportInput &input);
/// One row per step: what, when, and what is held afterwards, by category.
Expected<std::string> csvOfPlan(const ExportInput &input);
/// Trace events of chrome://tracing and Perfetto: lanes for computing and copying, memory as a counter.
Expected<std::string> chromeTraceOfPlan(const ExportInput &input);
/// The graph for Graphviz, modules as nested clusters, ops coloured by what the plan does with their outputs.
Expected<std::string> dotOfPlan(const ExportInput &input);
/// One page of HTML with figures, the memory timeline, what makes the peak, what is recomputed, and how it was made.
Expected<std::string> reportOfPlan(const ExportInput &input);

} // namespace remat
