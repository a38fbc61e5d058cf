// SPDX-License-Identifier: Apache-2.0
// What a block of ops is called where people see it.
#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace remat {

/// The modules that its ops, ascending, stand in, as far as the first number in their paths: `h.2`, `h.2 – h.3`,
/// `wte – h.0`; `h.2 + h.5` where ops of others stand between them. Where none has a module, `otherwise`. O(ops).
std::string blockName(const Graph &graph, const std::vector<OpId> &ops, const std::string &otherwise);

} // namespace remat
