// SPDX-License-Identifier: Apache-2.0
#include "solvers/mincut/fx_graph.h"

#include "solvers/mincut/fx_build.h"
#include "solvers/mincut/operators.h"

#include <vector>

namespace remat::mincut {

namespace {

class FromGraph
{
public:
    FromGraph(const Graph &graph, const CostTable &costs)
        : m_graph(graph), m_costs(costs), m_nodeOf(graph.storages.size(), -1)
    {
    }

    FxGraph build()
    {
        for (std::size_t s = 0; s < m_graph.storages.size(); ++s) {
            if (m_graph.planned(StorageId(s))) continue;
            FxNode node = storageNode(StorageId(s), FxKind::Placeholder);
            node.primal = true;
            node.free = m_graph.storages[s].kind != StorageKind::Input;
            m_nodeOf[s] = addNode(m_fx, std::move(node));
            m_fx.primals.push_back(m_nodeOf[s]);
        }
        Ends ends;
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i)
            addOp(OpId(i));
        for (std::size_t s = 0; s < m_graph.storages.size(); ++s) {
            if (!m_graph.storages[s].isOutput) continue;
            const bool backward =
                m_graph.storages[s].producer && m_graph.op(m_graph.storages[s].producer).phase == Phase::Backward;
            (backward ? ends.backward : ends.forward).push_back(m_nodeOf[s]);
        }
        return finish(std::move(m_fx), std::move(ends));
    }

private:
    FxNode storageNode(StorageId id, FxKind kind) const
    {
        FxNode node;
        node.kind = kind;
        node.bytes = m_graph.storage(id).bytes;
        node.storage = id;
        return node;
    }

    void addOp(OpId id)
    {
        const Op &op = m_graph.op(id);
        const bool single = op.outputs.size() == 1;
        FxNode node = single ? storageNode(op.outputs[0], FxKind::Call) : FxNode();
        node.tuple = !single;
        node.classes = operatorClasses("aten::" + op.kind);
        node.sideEffects = op.random || op.computeOnce;
        node.gradientClosure = op.phase == Phase::Backward;
        node.collective = op.computeOnce;
        node.runtime = m_costs.time(id);
        if (!single)
            for (const StorageId output : op.outputs)
                node.bytes += m_graph.storage(output).bytes;
        for (const StorageId input : op.inputs)
            node.positional.push_back(m_nodeOf[input.index()]);
        const int index = addNode(m_fx, std::move(node));
        for (const StorageId input : op.inputs)
            connect(m_fx, m_nodeOf[input.index()], index);
        for (const StorageId output : op.outputs) {
            if (single) {
                m_nodeOf[output.index()] = index;
                continue;
            }
            FxNode item = storageNode(output, FxKind::GetItem);
            item.classes = kRecomputable;
            item.positional.push_back(index);
            m_nodeOf[output.index()] = addNode(m_fx, std::move(item));
            connect(m_fx, index, m_nodeOf[output.index()]);
        }
    }

    const Graph &m_graph;
    const CostTable &m_costs;
    FxGraph m_fx;
    std::vector<int> m_nodeOf; ///< per storage
};

} // namespace

FxGraph fxGraph(const Graph &graph, const CostTable &costs)
{
    return FromGraph(graph, costs).build();
}

} // namespace remat::mincut
