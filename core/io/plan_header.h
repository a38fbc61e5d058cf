// SPDX-License-Identifier: Apache-2.0
// What a plan file says of itself, read apart from the plan: for which graph it is.
#pragma once

#include "core/base/expected.h"
#include "core/graph/chunking.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace remat {

struct PlanHeader {
    std::string graphName;
    std::string fingerprint; ///< fingerprint of the graph
    std::string solver;      ///< `hiremate`; empty where the file names none
    std::string device;      ///< device of its costs: `h100`; empty where the file names none
    std::int64_t budgetBytes = 0;
    Chunking chunking; ///< chunking of the graph that its steps are for; none in `remat-plan/1`
};

/// Tells "a plan for another graph" from "not a plan"; `title` names the text in errors. O(text).
Expected<PlanHeader> parsePlanHeader(std::string_view text, const std::string &title);

} // namespace remat
