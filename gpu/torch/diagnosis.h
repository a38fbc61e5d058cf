// SPDX-License-Identifier: Apache-2.0
// Two runs that should have been equal were not: whose fault that is.
#pragma once

#include "gpu/torch/machine.h"

#include <string>
#include <vector>

namespace remat {

/// What was found of two runs that differ.
struct Findings {
    std::vector<OpId> restless; ///< give other bits at each run of the reference, too
    std::string sentence;       ///< the first step of the plan that goes wrong otherwise; empty when none shows
};

/// Runs the reference twice, op by op, and `plan` once, with checksums of all that each step reads and makes. `machine`
/// may be null: then the plan is run op by op as well. The steps are those that the machine was made for.
Expected<Findings> findFault(Session &session, const Graph &graph, Machine *machine, const std::vector<Step> &reference,
                             const std::vector<Step> &plan, const RunSetting &setting);

} // namespace remat
