// SPDX-License-Identifier: Apache-2.0
// A plan in the forms other programs read.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/model.h"
#include "core/plan/plan.h"

#include <string>
#include <vector>

namespace remat {

/// What a file that holds a part of the plan only comes to, by the simulator, and what of the plan has no place in it.
struct RouteFigures {
    std::int64_t peakBytes = 0;
    double overhead = 0;           ///< a share of the time of keep-all
    std::vector<std::string> lost; ///< sentences
};

/// What an export is made from. The plan has passed the checker on this model.
struct ExportInput {
    const Model &model;
    const CostTable &costs;
    const Plan &plan;
    RouteFigures *figures = nullptr; ///< filled in by forms that hold a part of the plan; may be none
};

/// One form, a file of forms/ that defines `const ExportFormat &exporter::<file name>()`. Any thread.
struct ExportFormat {
    std::string name;     ///< as the command line takes it: `chrome-trace`
    std::string title;    ///< `Chrome trace`
    int order = 0;        ///< lists show forms by rising order
    std::string suffix;   ///< the suffix of its files: `json`
    std::string sentence; ///< what it is and who reads it
    /// Fails with a sentence when the model or the plan cannot be put in it.
    Expected<std::string> (*write)(const ExportInput &input) = nullptr;
    bool needsOperators = false; ///< only for traces from PyTorch
};

/// Every form of forms/, in the order lists show them. `--as`, its help and completion, and the window's
/// commands and dialogs are made from this.
const std::vector<ExportFormat> &exportFormats();
/// Fails with a sentence that names the forms there are.
Expected<const ExportFormat *> findExportFormat(const std::string &name);

} // namespace remat
