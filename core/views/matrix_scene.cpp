// SPDX-License-Identifier: Apache-2.0
#include "core/views/matrix_scene.h"

#include <algorithm>

namespace remat {

MatrixScene::MatrixScene(const Graph &graph, const MemoryTimeline &timeline, bool forwardOnly)
{
    columnOf.assign(graph.ops.size(), -1);
    std::vector<std::int32_t> stageStarts, stageEnds; // steps of the first and the last computation
    rowOfSample.resize(timeline.op.size());
    for (std::size_t i = 0; i < timeline.op.size(); ++i) {
        rowOfSample[i] = static_cast<std::int32_t>(stageEnds.size());
        if (stageStarts.size() == stageEnds.size()) stageStarts.push_back(timeline.step[i]);
        if (timeline.recompute[i]) continue;
        const OpId op = timeline.op[i];
        stageEnds.push_back(timeline.step[i]);
        sampleOfRow.push_back(static_cast<std::int32_t>(i));
        if (forwardOnly && graph.op(op).phase == Phase::Backward) continue;
        columnOf[op.index()] = static_cast<std::int32_t>(columns.size());
        columns.push_back(op);
    }
    // Computations behind the last slot stand in a row of their own.
    rows = static_cast<std::int32_t>(stageEnds.size());
    if (!rowOfSample.empty() && rowOfSample.back() == rows) {
        sampleOfRow.push_back(static_cast<std::int32_t>(rowOfSample.size()) - 1);
        ++rows;
    }
    for (std::size_t i = 0; i < timeline.op.size(); ++i) {
        const std::int32_t column = columnOf[timeline.op[i].index()];
        if (column < 0) continue;
        const bool again = timeline.recompute[i] != 0;
        cells.push_back({rowOfSample[i], column, static_cast<std::int32_t>(i), again});
        recomputations += again ? 1 : 0;
    }
    for (const LiveRange &range : timeline.ranges) {
        const OpId producer = graph.storage(range.storage).producer;
        const std::int32_t column = producer ? columnOf[producer.index()] : -1;
        if (column < 0) continue;
        // Held into a slot: made by the end of the one before, and alive when the first of this one is computed.
        const auto madeIn = std::lower_bound(stageEnds.begin(), stageEnds.end(), range.firstStep) - stageEnds.begin();
        const auto gone =
            std::upper_bound(stageStarts.begin(), stageStarts.end(), range.lastStep) - stageStarts.begin();
        const auto first = static_cast<std::int32_t>(madeIn) + 1, end = static_cast<std::int32_t>(gone);
        if (end > first) kept.push_back({column, first, end});
    }
    std::sort(kept.begin(), kept.end(), [](const KeptSpan &a, const KeptSpan &b) {
        return std::pair(a.column, a.fromRow) < std::pair(b.column, b.fromRow);
    });
    std::size_t last = 0;
    for (std::size_t i = 1; i < kept.size(); ++i) {
        if (kept[i].column == kept[last].column && kept[i].fromRow <= kept[last].toRow)
            kept[last].toRow = std::max(kept[last].toRow, kept[i].toRow);
        else
            kept[++last] = kept[i];
    }
    if (!kept.empty()) kept.resize(last + 1);
}

const MatrixCell *MatrixScene::cellAt(std::int32_t row, std::int32_t column) const
{
    // Cells rise with their rows; a slot has few.
    auto cell = std::lower_bound(cells.begin(), cells.end(), row,
                                 [](const MatrixCell &candidate, std::int32_t value) { return candidate.row < value; });
    for (; cell != cells.end() && cell->row == row; ++cell)
        if (cell->column == column) return &*cell;
    return nullptr;
}

MatrixScene::State MatrixScene::stateAt(std::int32_t row, std::int32_t column) const
{
    if (const MatrixCell *cell = cellAt(row, column)) return cell->recomputed ? State::Recomputed : State::Computed;
    auto span = std::upper_bound(kept.begin(), kept.end(), std::pair(column, row),
                                 [](const std::pair<std::int32_t, std::int32_t> &at, const KeptSpan &candidate) {
                                     return at < std::pair(candidate.column, candidate.fromRow);
                                 });
    if (span == kept.begin()) return State::Nothing;
    --span;
    return span->column == column && row < span->toRow ? State::Kept : State::Nothing;
}

} // namespace remat
