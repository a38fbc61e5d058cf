// SPDX-License-Identifier: Apache-2.0
// What the cards say under the current plan: states, bytes, times.
#pragma once

#include "core/costs/cost_table.h"
#include "core/plan/timeline.h"
#include "core/views/graph_tree.h"

namespace remat {

/// What a plan does with the values of an op or a cluster.
enum class NodeState : std::uint8_t {
    Kept,       ///< held from the forward to the backward pass
    Recomputed, ///< computed again
    Offloaded,  ///< parked in host memory
    Mixed,      ///< some of these
    Freed,      ///< computed once, and nothing of it is held for the backward pass
    Backward    ///< the backward column
};
constexpr int kNodeStateCount = 6;
/// `kept`, `recomputed`, …: for tables and `--json`, untranslated.
const char *nodeStateName(NodeState state);

/// One side of a node.
struct SideFigures {
    double timeUs = 0;                ///< time to compute every op once
    std::int64_t bytes = 0;           ///< forward: held for the backward pass; backward: made for others to read
    std::int64_t recomputedBytes = 0; ///< forward only: made again instead of being held
    std::int64_t offloadedBytes = 0;  ///< forward only
    NodeState state = NodeState::Backward;
};

struct NodeFigures {
    SideFigures forward, backward;
    int recomputedOps = 0;  ///< distinct ops below that the plan computes more than once
    double recomputeUs = 0; ///< time of their computations after the first
    int recomputations = 0; ///< number of these

    const SideFigures &side(Side side) const { return side == Side::Forward ? forward : backward; }
};

/// Figures of the whole picture.
struct GraphTotals {
    double forwardUs = 0;  ///< forward ops, once each
    double lossUs = 0;     ///< loss ops
    double backwardUs = 0; ///< backward ops and everything the plan computes again
};

/// What a full bar stands for, per node: the most any of its children shows.
struct FullBars {
    std::vector<std::int64_t> bytes; ///< held, offloaded and recomputed
    std::vector<double> timeUs;
};

struct GraphFigures {
    std::vector<NodeFigures> nodes; ///< per node of the tree
    FullBars forwardBars, backwardBars;
    std::vector<NodeState> opStates;           ///< per op
    std::vector<std::uint16_t> recomputations; ///< per op
    GraphTotals totals;

    const FullBars &bars(Side side) const { return side == Side::Forward ? forwardBars : backwardBars; }
};

/// How often each op is computed again.
std::vector<std::uint16_t> recomputationsOf(const Graph &graph, const MemoryTimeline &timeline);

/// What the plan does with the values of each op. O(ops + steps).
std::vector<NodeState> opStates(const Graph &graph, const MemoryTimeline &timeline,
                                const std::vector<std::uint16_t> &recomputations);

/// What becomes of a storage between the forward and the backward pass. Kept wins over recomputed: what lasts to the
/// backward pass and is made again later was kept for it.
enum class Fate : std::uint8_t { Transient, Kept, Recomputed, Offloaded };

/// Per storage. O(samples + ranges).
std::vector<Fate> storageFates(const Graph &graph, const MemoryTimeline &timeline);
/// State of an op, from the fates of all storages.
NodeState opState(const Op &op, const std::vector<Fate> &fates, bool recomputed);
/// State of two together; what is freed does not count beside what is held or made again.
NodeState joined(NodeState a, NodeState b);

/// Figures of every node under the plan whose timeline is given (the keep-all plan's when there is none yet).
/// O(ops × depth + steps).
GraphFigures graphFigures(const GraphTree &tree, const Graph &graph, const CostTable &costs,
                          const MemoryTimeline &timeline, const std::vector<std::vector<OpId>> &readers);

} // namespace remat
