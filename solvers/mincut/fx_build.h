// SPDX-License-Identifier: Apache-2.0
// What makes an FxGraph, whatever it is made from.
#pragma once

#include "solvers/mincut/fx_graph.h"

namespace remat::mincut {

/// Appends and returns the index.
int addNode(FxGraph &graph, FxNode node);

/// `to` reads `from`; twice said is once said.
void connect(FxGraph &graph, int from, int to);

/// Which outputs end the forward pass and which the backward pass.
struct Ends {
    std::vector<int> forward, backward;
};

/// Adds the output node, leaves out dead code, and fills in what follows from the edges. O(graph).
FxGraph finish(FxGraph graph, Ends ends);

} // namespace remat::mincut
