// SPDX-License-Identifier: Apache-2.0
// The calls of Python that ops of a graph come from.
#pragma once

#include "core/graph/graph.h"
#include "core/graph/python_stack.h"
#include "core/io/pt2_stacks.h"

namespace remat {

/// Calls that were open while an op was recorded, from the outermost to the innermost. Where the stacks lack
/// the op, the one line that the graph has; none where it has none.
std::vector<StackFrame> callsOf(const Graph &graph, const PythonStacks &stacks, OpId op);

/// The outermost calls that all of these ops come from; ops that no call is known of are left out. O(ops + traces).
std::vector<StackFrame> sharedCalls(const Graph &graph, const PythonStacks &stacks, const std::vector<OpId> &ops);

} // namespace remat
