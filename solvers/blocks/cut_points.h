// SPDX-License-Identifier: Apache-2.0
// Where the forward pass may be cut into the stages of a chain.
#pragma once

#include "solvers/tools/flat.h"
#include "solvers/tools/translate.h"

#include <vector>

namespace remat::chain {

/// What planners take as points to cut at.
enum class CutPoints {
    Best,         ///< whichever of the other two gives the faster plan
    Articulation, ///< ops that everything passes
    Anywhere      ///< anywhere in graph order
};

/// Storages that are too small to matter (positions), and those that skip over a quarter of the forward ops and more
/// while all of them together weigh next to nothing (a mask that every layer reads, the result of an encoder): they tie
/// everything to everything, so they cut no chain and are kept anyway. One flag a storage; false for residents.
std::vector<char> tinyStorages(const FlatGraph &flat);

/// Articulation points of the undirected forward graph between a virtual source (before ops that read nothing planned)
/// and the last forward op: ops that every path passes. In an order in which every op stands after what it reads, an op
/// is one exactly when nothing made before it is read after it by the forward pass, its own results apart. Ascending,
/// the last forward op left out. O(graph).
std::vector<int> articulationPoints(const FlatGraph &flat);

/// Every forward op but the last: the graph as one line.
std::vector<int> allPoints(const FlatGraph &flat);

/// Per backward op the stage of its forward op, or, when it has none, the latest of the forward ops it reads from; −1
/// when there is none. `stage`: of the forward ops at least.
std::vector<int> forwardStages(const FlatGraph &flat, const std::vector<int> &stage);

/// Fills in the stages of the backward ops, given those of the forward ops (0 … `last`): as `forwardStages`, made
/// falling along the backward part.
void labelBackward(const FlatGraph &flat, std::vector<int> &stage, int last);

/// The stage of each op when the forward pass is cut after each of `points` (ascending); backward ops as above.
std::vector<int> stagesOf(const FlatGraph &flat, const std::vector<int> &points);

/// Keeps what the forward pass carries over a cut, everything of the last segment, and what is tiny.
ForwardChoice keepBorders(const FlatGraph &flat, const std::vector<int> &points);

} // namespace remat::chain
