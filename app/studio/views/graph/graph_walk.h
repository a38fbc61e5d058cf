// SPDX-License-Identifier: Apache-2.0
// Where the arrow keys lead in a picture of the graph.
#pragma once

#include "app/studio/views/graph/graph_picture.h"

namespace remat::studio {

/// The next item of the same column in its lane, at the lane's end what is above or below all branches; -1 for none.
int itemAboveOrBelow(const GraphPicture &picture, int item, bool below);
/// The first or last of the column.
int endOfColumn(const GraphPicture &picture, int item, bool last);
/// In the branch beside: the nearest at the same height, or else the nearest; -1 where there is none.
int itemInBranchBeside(const GraphPicture &picture, int item, bool right);

} // namespace remat::studio
