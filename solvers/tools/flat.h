// SPDX-License-Identifier: Apache-2.0
// The graph as planners work on it: plain ints, residents left out.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/graph.h"
#include "core/plan/plan.h"
#include "core/plan/sequence_evaluator.h"

#include <limits>
#include <vector>

namespace remat {

/// Ops and storages keep their numbers of the Graph; resident storages appear in no list.
struct FlatGraph {
    const Graph *graph = nullptr;
    const CostTable *costs = nullptr;
    int ops = 0;
    int forwardOps = 0; ///< ops before the first backward op; all of them when there is none
    std::vector<std::vector<int>> inputs, outputs;
    std::vector<std::vector<int>> readers; ///< per storage, ascending
    std::vector<double> timeUs;
    std::vector<std::int64_t> workspaceBytes;
    std::vector<char> once;                                 ///< may be computed only once
    int mostComputations = std::numeric_limits<int>::max(); ///< limit for any op, its first included
    std::vector<std::int64_t> bytes;
    std::vector<int> producer;
    std::vector<char> output;
    std::vector<int> lastUse; ///< per storage: its last reader; its producer when unread; `ops` when an output

    int storages() const { return static_cast<int>(bytes.size()); }
};

FlatGraph flatten(const Graph &graph, const CostTable &costs);

/// Op `op` is computed again in slot `slot`, the one just before the first computation of the op of that number. A
/// whole plan is a set of these: inside a slot ops stand in graph order, a read is served by the latest copy, and
/// copies end after their last read, so every set is a valid plan and only its memory differs.
struct Recompute {
    int slot = 0;
    int op = 0;
    bool operator==(const Recompute &) const = default;
    bool operator<(const Recompute &other) const { return slot != other.slot ? slot < other.slot : op < other.op; }
};

/// The computation sequence of a set, which must be sorted and without twins.
std::vector<OpId> toSequence(const FlatGraph &flat, const std::vector<Recompute> &recomputes);

/// The set of a sequence whose first computations are in graph order; none when it is not such a sequence. Slots that
/// compute an op twice keep one.
std::vector<Recompute> toRecomputes(const FlatGraph &flat, const std::vector<OpId> &sequence);

/// Sorts, and removes twins and recomputations that nobody reads.
void tidyRecomputes(const FlatGraph &flat, std::vector<Recompute> &recomputes);

/// What the plan of a set holds at most, exactly, in each slot: while its op is computed for the first time or others
/// are computed again for it.
std::vector<std::int64_t> heldBySlot(const FlatGraph &flat, SequenceEvaluator &evaluator,
                                     const std::vector<Recompute> &recomputes);

double extraTimeUs(const FlatGraph &flat, const std::vector<Recompute> &recomputes);

} // namespace remat
