// SPDX-License-Identifier: Apache-2.0
// Which lane of the gutter an edge runs in that passes rows.
#pragma once

#include "core/views/row_order.h"

namespace remat {

/// Lanes of the gutter that hold single sources; what needs more is bundled in one further lane.
constexpr int kSkipLanes = 3;

/// One line in the gutter, by places in the column's rows.
struct SkipLine {
    int from = 0, to = 0;
    int lane = 0; ///< 0 is next to the cards; kSkipLanes is the bundle's
    int more = 0; ///< edges in the bundle, 0 for a line of its own
    bool operator==(const SkipLine &) const = default;
};

/// Edges of the same source share a lane. Sources that find no free lane are bundled, one bundle per stretch of rows in
/// which they overlap. O(n log n).
std::vector<SkipLine> assignLanes(const std::vector<RowEdge> &skips);

} // namespace remat
