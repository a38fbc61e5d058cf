// SPDX-License-Identifier: Apache-2.0
// The matrices R (what is computed in which slot) and S (what is kept from the slot before), as Checkmate draws them
// (Jain et al., "Checkmate: Breaking the Memory Wall with Optimal Tensor Rematerialization", MLSys 2020), kept sparse.
#pragma once

#include "core/plan/timeline.h"

namespace remat {

/// A computation. A slot ends with the first computation of an op; what is computed again before it belongs to it.
struct MatrixCell {
    std::int32_t row = 0, column = 0;
    std::int32_t sample = 0; ///< sample in the timeline
    bool recomputed = false;
};

/// An output of an op is held from the slot before into each of the slots [fromRow, toRow).
struct KeptSpan {
    std::int32_t column = 0;
    std::int32_t fromRow = 0, toRow = 0;
};

/// Rows are slots, columns ops in the order of their first computations. Immutable once made; O(samples + ranges).
struct MatrixScene {
    std::vector<OpId> columns;
    std::vector<std::int32_t> columnOf; ///< per op; -1: it has none
    std::int32_t rows = 0;
    std::vector<MatrixCell> cells;         ///< by sample
    std::vector<KeptSpan> kept;            ///< by column, then row; the spans of a column do not touch
    std::vector<std::int32_t> rowOfSample; ///< per sample of the timeline
    std::vector<std::int32_t> sampleOfRow; ///< the computation that ends the slot
    std::int64_t recomputations = 0;       ///< in these columns

    MatrixScene() = default;
    /// Columns of backward ops are left out when `forwardOnly`; rows are those of all ops.
    MatrixScene(const Graph &graph, const MemoryTimeline &timeline, bool forwardOnly);

    enum class State { Nothing, Kept, Computed, Recomputed };
    /// O(log all).
    State stateAt(std::int32_t row, std::int32_t column) const;
    /// The computation in a cell; none: nullptr.
    const MatrixCell *cellAt(std::int32_t row, std::int32_t column) const;
};

} // namespace remat
