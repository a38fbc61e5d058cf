// SPDX-License-Identifier: Apache-2.0
// Where two plans of one graph differ: by storage, op or cluster, identical blocks together. No painting.
#pragma once

#include "core/views/op_blocks.h"
#include "core/views/plan_use.h"
#include "core/views/selection.h"

namespace remat {

enum class CompareLevel { Storages, Ops, Clusters };

/// What one of the plans does with the members of a row, all together.
struct CompareSide {
    NodeState state = NodeState::Freed;
    std::int64_t heldBytes = 0; ///< at the plan's peak
    double recomputeUs = 0;     ///< spent on computing it again
    int recomputations = 0;
};

/// One line of the table.
struct DifferenceRow {
    std::string module, name;
    CompareSide a, b;
    std::vector<StorageId> storages; ///< members; of ops and clusters what they make
    std::vector<OpId> ops;           ///< members; of storages what makes them
    int uses = 1;                    ///< identical blocks that the row stands for

    std::int64_t bytes() const { return a.heldBytes - b.heldBytes; } ///< negative: A holds less at its peak
    double timeUs() const { return a.recomputeUs - b.recomputeUs; }  ///< negative: A spends less on recomputing
};

/// All differences of one level.
struct PlanComparison {
    std::vector<DifferenceRow> rows; ///< largest difference of bytes first, then of time
    int items = 0;                   ///< storages, ops or clusters that differ
    int states = 0;                  ///< how many of these differ in their state
    std::int64_t mostBytes = 0;      ///< largest of any row, without sign
    double mostUs = 0;
};

/// A storage differs in its state, in what of it is held at the plan's peak, or in the time of computing it again. Of
/// an op with several outputs the first carries the time, so that times add up. O(ops + storages + rows log rows).
PlanComparison comparePlans(const Graph &graph, const OpBlocks &blocks, const PlanUse &a, const PlanUse &b,
                            CompareLevel level);

/// The row that holds an op or storage; -1 when none does.
int rowOf(const PlanComparison &comparison, CompareLevel level, const Selection &selection);

} // namespace remat
