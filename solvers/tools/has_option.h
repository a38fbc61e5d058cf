// SPDX-License-Identifier: Apache-2.0
// What a planner can be told.
#pragma once

#include "solvers/interface/solver.h"

#include <algorithm>
#include <string_view>

namespace remat {

/// True when `remat solvers` lists that option for the planner.
inline bool hasOption(const Planner &planner, std::string_view name)
{
    const std::vector<OptionRecord> &options = planner.info.options;
    return std::any_of(options.begin(), options.end(), [&](const OptionRecord &option) { return option.name == name; });
}

} // namespace remat
