// SPDX-License-Identifier: Apache-2.0
// What of the graph's picture is emphasised: what goes with the selection, and what is there at the time cursor.
#pragma once

#include "app/studio/views/graph/graph_scene.h"

namespace remat::studio {

/// The column of an op.
Side sideOf(const Graph &graph, OpId op);
/// The card or frame that shows an op, or -1.
int itemOf(const GraphScene &scene, OpId op);

/// Marks the item of a node and of it what reads `storage` (may be none) and where it goes in the other column.
/// O(ops of the node × readers).
void markSelection(GraphMarks &marks, const GraphScene &scene, int node, Side side, StorageId storage);
/// Marks what is computed at a time of the plan, and what is in memory then. O(ranges).
void markCursor(GraphMarks &marks, const GraphScene &scene, const MemoryTimeline &timeline, double cursorUs);

} // namespace remat::studio
