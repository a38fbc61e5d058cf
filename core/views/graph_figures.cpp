// SPDX-License-Identifier: Apache-2.0
#include "core/views/graph_figures.h"

#include <algorithm>
#include <limits>

namespace remat {

const char *nodeStateName(NodeState state)
{
    switch (state) {
    case NodeState::Kept:
        return "kept";
    case NodeState::Recomputed:
        return "recomputed";
    case NodeState::Offloaded:
        return "offloaded";
    case NodeState::Mixed:
        return "mixed";
    case NodeState::Freed:
        return "freed";
    case NodeState::Backward:
        break;
    }
    return "backward";
}

std::vector<Fate> storageFates(const Graph &graph, const MemoryTimeline &timeline)
{
    std::int32_t firstBackward = std::numeric_limits<std::int32_t>::max();
    for (std::size_t i = 0; i < timeline.op.size(); ++i) {
        if (graph.op(timeline.op[i]).phase == Phase::Backward) {
            firstBackward = timeline.step[i];
            break;
        }
    }
    std::vector<Fate> fates(graph.storages.size(), Fate::Transient);
    for (const LiveRange &range : timeline.ranges) {
        Fate fate = Fate::Transient;
        if (range.category == Category::Offloaded)
            fate = Fate::Offloaded;
        else if (range.recomputed)
            fate = Fate::Recomputed;
        else if (range.firstStep < firstBackward && range.lastStep >= firstBackward)
            fate = Fate::Kept;
        Fate &known = fates[range.storage.index()];
        const bool keptThenMadeAgain = known == Fate::Kept && fate == Fate::Recomputed;
        if (fate == Fate::Kept && known == Fate::Recomputed)
            known = Fate::Kept;
        else if (fate > known && !keptThenMadeAgain)
            known = fate;
    }
    return fates;
}

NodeState opState(const Op &op, const std::vector<Fate> &fates, bool recomputed)
{
    if (op.phase == Phase::Backward) return NodeState::Backward;
    if (recomputed) return NodeState::Recomputed;
    NodeState state = NodeState::Freed;
    for (const StorageId output : op.outputs) {
        if (fates[output.index()] == Fate::Offloaded) return NodeState::Offloaded;
        if (fates[output.index()] == Fate::Kept) state = NodeState::Kept;
    }
    return state;
}

NodeState joined(NodeState a, NodeState b)
{
    if (a == b || b == NodeState::Freed) return a;
    return a == NodeState::Freed ? b : NodeState::Mixed;
}

namespace {

class FigureMaker
{
public:
    FigureMaker(const GraphTree &tree, const Graph &graph, const CostTable &costs)
        : m_tree(tree), m_graph(graph), m_costs(costs)
    {
        m_result.nodes.resize(tree.nodes.size());
        for (NodeFigures &node : m_result.nodes)
            node.forward.state = NodeState::Freed;
        m_recomputeUs.assign(graph.ops.size(), 0);
    }

    GraphFigures make(const MemoryTimeline &timeline, const std::vector<std::vector<OpId>> &readers)
    {
        m_result.recomputations = recomputationsOf(m_graph, timeline);
        for (std::size_t i = 0; i < timeline.op.size(); ++i) {
            if (!timeline.recompute[i]) continue;
            m_recomputeUs[timeline.op[i].index()] += timeline.endUs[i] - timeline.startUs[i];
        }
        const std::vector<Fate> fates = storageFates(m_graph, timeline);
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i)
            addOp(OpId(i), fates);
        for (std::size_t i = 0; i < m_graph.storages.size(); ++i)
            addMadeBytes(StorageId(i), readers[i]);
        findLargest();
        return std::move(m_result);
    }

private:
    NodeFigures &at(int node) { return m_result.nodes[static_cast<std::size_t>(node)]; }

    void addOp(OpId id, const std::vector<Fate> &fates)
    {
        const Op &op = m_graph.op(id);
        const int again = m_result.recomputations[id.index()];
        const NodeState state = opState(op, fates, again > 0);
        m_result.opStates.push_back(state);
        const double timeUs = m_costs.time(id), recomputeUs = m_recomputeUs[id.index()];
        const bool backward = op.phase == Phase::Backward;
        std::int64_t kept = 0, recomputed = 0, offloaded = 0;
        for (const StorageId output : op.outputs) {
            const std::int64_t bytes = m_graph.storage(output).bytes;
            const Fate fate = fates[output.index()];
            (fate == Fate::Kept         ? kept
             : fate == Fate::Recomputed ? recomputed
                                        : offloaded) += fate == Fate::Transient ? 0 : bytes;
        }
        for (int node = m_tree.leafOf[id.index()]; node >= 0; node = m_tree.node(node).parent) {
            NodeFigures &figures = at(node);
            figures.recomputedOps += again > 0 ? 1 : 0;
            figures.recomputations += again;
            figures.recomputeUs += recomputeUs;
            SideFigures &side = backward ? figures.backward : figures.forward;
            side.timeUs += timeUs;
            if (backward) continue;
            side.state = joined(side.state, state);
            side.bytes += kept;
            side.recomputedBytes += recomputed;
            side.offloadedBytes += offloaded;
        }
        GraphTotals &totals = m_result.totals;
        (op.phase == Phase::Forward ? totals.forwardUs : backward ? totals.backwardUs : totals.lossUs) += timeUs;
        totals.backwardUs += recomputeUs;
    }

    /// Bytes made by backward ops count wherever somebody outside reads them, and in the op's own card.
    void addMadeBytes(StorageId id, const std::vector<OpId> &readers)
    {
        const Storage &storage = m_graph.storage(id);
        if (!storage.producer || m_graph.op(storage.producer).phase != Phase::Backward) return;
        const int own = m_tree.leafOf[storage.producer.index()];
        for (int node = own; node >= 0; node = m_tree.node(node).parent) {
            const bool leaves =
                node == own || storage.isOutput ||
                std::any_of(readers.begin(), readers.end(), [&](OpId reader) { return !holds(node, reader); });
            if (!leaves) break;
            at(node).backward.bytes += storage.bytes;
        }
    }

    bool holds(int node, OpId op) const
    {
        for (int at = m_tree.leafOf[op.index()]; at >= 0; at = m_tree.node(at).parent)
            if (at == node) return true;
        return false;
    }

    void findLargest()
    {
        for (const Side side : {Side::Forward, Side::Backward}) {
            FullBars &bars = side == Side::Forward ? m_result.forwardBars : m_result.backwardBars;
            auto &bytes = bars.bytes;
            auto &time = bars.timeUs;
            bytes.assign(m_tree.nodes.size(), 0);
            time.assign(m_tree.nodes.size(), 0);
            for (std::size_t i = 1; i < m_tree.nodes.size(); ++i) {
                const auto parent = static_cast<std::size_t>(m_tree.nodes[i].parent);
                const SideFigures &own = m_result.nodes[i].side(side);
                bytes[parent] = std::max(bytes[parent], own.bytes + own.recomputedBytes + own.offloadedBytes);
                time[parent] = std::max(time[parent], own.timeUs);
            }
        }
    }

    const GraphTree &m_tree;
    const Graph &m_graph;
    const CostTable &m_costs;
    std::vector<double> m_recomputeUs;
    GraphFigures m_result;
};

} // namespace

std::vector<std::uint16_t> recomputationsOf(const Graph &graph, const MemoryTimeline &timeline)
{
    std::vector<std::uint16_t> counts(graph.ops.size(), 0);
    for (std::size_t i = 0; i < timeline.op.size(); ++i) {
        std::uint16_t &count = counts[timeline.op[i].index()];
        if (timeline.recompute[i] && count < std::numeric_limits<std::uint16_t>::max()) ++count;
    }
    return counts;
}

std::vector<NodeState> opStates(const Graph &graph, const MemoryTimeline &timeline,
                                const std::vector<std::uint16_t> &recomputations)
{
    const std::vector<Fate> fates = storageFates(graph, timeline);
    std::vector<NodeState> states;
    states.reserve(graph.ops.size());
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        states.push_back(opState(graph.ops[i], fates, recomputations[i] > 0));
    return states;
}

GraphFigures graphFigures(const GraphTree &tree, const Graph &graph, const CostTable &costs,
                          const MemoryTimeline &timeline, const std::vector<std::vector<OpId>> &readers)
{
    return FigureMaker(tree, graph, costs).make(timeline, readers);
}

} // namespace remat
