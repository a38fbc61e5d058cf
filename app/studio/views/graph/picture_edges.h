// SPDX-License-Identifier: Apache-2.0
// From what flows between rows to lines between cards.
#pragma once

#include "app/studio/views/graph/picture_columns.h"

namespace remat::studio {

/// Where a sequence of bands was placed, in picture coordinates.
struct PlacedSequence {
    double left = 0;                    ///< left edge of its cards
    double bandTop = 0, bandBottom = 0; ///< span of the branches that it is one of
};

/// Adds the edges of one column of an open node, whose rows have their items.
void addEdges(GraphPicture &picture, const PictureColumn &column, const std::vector<PlacedSequence> &placed,
              const std::function<int(int row)> &itemOf);

} // namespace remat::studio
