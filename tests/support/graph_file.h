// SPDX-License-Identifier: Apache-2.0
// Graphs of tests as files that the program opens like any other.
#pragma once

#include "core/graph/graph.h"

#include <string>

namespace remat::test {

/// The graph as `remat-graph/1`; ops without a time of their own take 10 µs.
std::string graphText(const Graph &graph);

} // namespace remat::test
