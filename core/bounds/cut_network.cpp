// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/cut_network.h"

#include <algorithm>
#include <numeric>

namespace remat {

namespace {

/// All times together become about this many units of flow.
constexpr double kFlowUnits = 1e12;

} // namespace

std::int64_t capacityAtCut(const Graph &graph, const CostTable &costs, OpId t, std::int64_t budgetBytes)
{
    std::int64_t capacity = budgetBytes - costs.workspace(t);
    for (const StorageId output : graph.op(t).outputs)
        capacity -= graph.storage(output).bytes;
    for (const StorageId input : graph.op(t).inputs)
        capacity -= graph.planned(input) ? graph.storage(input).bytes : 0;
    return capacity;
}

void weighAtCut(const Graph &graph, const CostTable &costs, const Needs &needs, OpId t, ClosureChoice &choice,
                std::vector<char> &marks, std::vector<StorageId> *kept, std::vector<OpId> *recomputed)
{
    constexpr char kOfUse = 1, kReadByCut = 2; // what the cut reads is there anyway
    // Marks of storages, then of ops that make something of use: most ops are passed over by these alone.
    const std::size_t ops = graph.storages.size();
    marks.assign(ops + graph.ops.size(), 0);
    for (const StorageId input : graph.op(t).inputs)
        marks[input.index()] = kReadByCut;
    choice.lossUs = 0;
    choice.bytes = 0;
    for (std::size_t i = t.index(); i-- > 0;) {
        if (needs.lastOfOp[i] <= t.value && marks[ops + i] == 0) continue;
        const Op &op = graph.ops[i];
        std::int64_t bytes = 0;
        bool ofUse = false;
        for (const StorageId output : op.outputs) {
            char &mark = marks[output.index()];
            if (mark == 0 && needs.last[output.index()] > t.value) mark = kOfUse;
            if (mark != kOfUse) continue;
            ofUse = true;
            bytes += graph.storage(output).bytes;
        }
        if (!ofUse) continue;
        if (choice.again[i] && !op.computeOnce) {
            choice.lossUs += costs.timeUs[i];
            for (const StorageId input : op.inputs) {
                if (marks[input.index()] != 0) continue;
                marks[input.index()] = kOfUse;
                if (const OpId maker = graph.storage(input).producer) marks[ops + maker.index()] = 1;
            }
            if (recomputed) recomputed->emplace_back(i);
            continue;
        }
        choice.bytes += bytes;
        for (const StorageId output : op.outputs)
            if (kept && marks[output.index()] == kOfUse) kept->push_back(output);
    }
}

CutNetwork::CutNetwork(const Graph &graph, const CostTable &costs, const Needs &needs, OpId t,
                       std::int64_t capacityBytes)
    : m_graph(graph),
      m_costs(costs),
      m_capacity(capacityBytes),
      m_network(2 + graph.storages.size() + static_cast<std::size_t>(t.value)),
      m_seen(graph.storages.size(), 0),
      m_opSeen(graph.ops.size(), 0)
{
    const double all = std::accumulate(costs.timeUs.begin(), costs.timeUs.end(), 0.0);
    m_unitsPerUs = all > 0 ? kFlowUnits / all : 1;
    for (const StorageId input : graph.op(t).inputs)
        m_seen[input.index()] = 1; // held at t: its node leads nowhere, asking for it costs nothing
    for (std::size_t s = 0; s < graph.storages.size(); ++s) {
        const OpId producer = graph.storages[s].producer;
        if (!producer || producer >= t || needs.last[s] <= t.value || m_seen[s]) continue;
        m_network.addEdge(kSource, storageNode(StorageId(s)), MinCut::kInfinite);
        demand(StorageId(s));
    }
    followDemands();
}

/// Rounded down, so that what the flow says is never too much.
std::int64_t CutNetwork::units(double us) const
{
    return static_cast<std::int64_t>(std::min(us * m_unitsPerUs, 0.5 * static_cast<double>(MinCut::kInfinite)));
}

void CutNetwork::demand(StorageId storage)
{
    m_seen[storage.index()] = 1;
    const OpId op = m_graph.storage(storage).producer;
    m_items.push_back({storage, m_network.addEdge(storageNode(storage), opNode(op), 0)});
    if (m_opSeen[op.index()]) return;
    m_opSeen[op.index()] = 1;
    m_ops.push_back(op);
}

void CutNetwork::followDemands()
{
    for (std::size_t next = 0; next < m_ops.size(); ++next) {
        const OpId op = m_ops[next];
        if (m_graph.op(op).computeOnce) {
            m_network.addEdge(opNode(op), kSink, MinCut::kInfinite);
            continue;
        }
        m_network.addEdge(opNode(op), kSink, units(m_costs.time(op)));
        for (const StorageId input : m_graph.op(op).inputs) {
            if (!m_graph.storage(input).producer) continue;
            if (!m_seen[input.index()]) demand(input);
            m_network.addEdge(opNode(op), storageNode(input), MinCut::kInfinite);
        }
    }
}

double CutNetwork::at(double usPerByte, std::vector<char> &again)
{
    for (const Item &item : m_items) {
        const std::int64_t bytes = m_graph.storage(item.storage).bytes;
        m_network.setCapacity(item.edge, units(usPerByte * static_cast<double>(bytes)));
    }
    const double flowUs = static_cast<double>(m_network.run(kSource, kSink)) / m_unitsPerUs;
    again.assign(m_graph.ops.size(), 0);
    for (const OpId op : m_ops)
        again[op.index()] = m_network.onSourceSide(opNode(op)) ? 1 : 0;
    return flowUs - usPerByte * static_cast<double>(m_capacity);
}

} // namespace remat
