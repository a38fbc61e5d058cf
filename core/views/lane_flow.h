// SPDX-License-Identifier: Apache-2.0
// How what flows between the rows of a column runs from lane to lane.
#pragma once

#include "core/views/bands.h"

namespace remat {

/// Bands that stand below each other: those of the node itself, which come first, or those of a lane. Lanes follow from
/// the top and from the left, what is in a lane right after it.
struct BandSequence {
    int outer = -1;      ///< the sequence that has the branches this lane is one of; -1 for the node's own
    int place = 0;       ///< place of those branches in `outer`
    int lane = 0;        ///< among them, from the left
    int bands = 0;       ///< in it
    bool gutter = false; ///< a line runs at its left
};

/// Where a row stands; in no sequence when it is not in the column.
struct RowPlace {
    int sequence = -1;
    int place = 0; ///< among the bands of the sequence
};

enum class FlowKind : std::uint8_t {
    Step,   ///< to the next row of the sequence
    Skip,   ///< past bands of the sequence, in its gutter
    Bundle, ///< `more` skips as one line
    Fork,   ///< between the row above branches and the first row of one
    Join,   ///< between the last row of a branch and the row below them, or the first rows of further branches
    Beside, ///< between two branches, to a row in the next lane
    Around  ///< anything else: through the gutters of the lanes out of the one and into the other
};

struct FlowLine {
    FlowKind kind = FlowKind::Step;
    int from = 0, to = 0; ///< children of the node, by place
    int sequence = 0;     ///< the innermost that holds both ends
    int lane = 0;         ///< lane of a skip in the gutter, from the right
    int more = 0;
    bool past = false; ///< for Around: it leaves the branches and runs in the gutter of `sequence`
};

struct ColumnFlow {
    std::vector<BandSequence> sequences;
    std::vector<RowPlace> rows; ///< per child of the node
    std::vector<FlowLine> lines;
};

/// `bands` are those of one column, `edges` what flows in it between `children` children: `down` in the forward column,
/// up in the backward one. O(rows + edges × nesting + skips × log skips).
ColumnFlow columnFlow(const Bands &bands, std::size_t children, const std::vector<RowEdge> &edges, bool down);

/// The sequence next below `within` on the way to `sequence`; -1 when that is `within` itself.
int laneWithin(const ColumnFlow &flow, int sequence, int within);

} // namespace remat
