// SPDX-License-Identifier: Apache-2.0
#include "solvers/bounds/k_cut_model.h"

#include "core/bounds/cut_network.h"

#include <algorithm>

namespace remat {

namespace {

/// Slack in the memory rows, for the tolerances of the solvers.
constexpr double kSlack = 1e-7;

class KCutBuilder
{
public:
    KCutBuilder(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, const std::vector<OpId> &cuts)
        : m_graph(graph), m_costs(costs), m_budget(budgetBytes), m_needs(needsOf(graph))
    {
        const std::int64_t tiny = tinyBytes(graph, budgetBytes);
        m_out.reach.resize(cuts.size());
        m_out.memory.resize(cuts.size());
        std::vector<char> later;
        for (std::size_t k = cuts.size(); k-- > 0;) {
            m_out.reach[k] = reachOfCut(graph, m_needs, cuts[k], tiny, later);
            later = m_out.reach[k].has;
        }
        m_out.held.assign(cuts.size(), std::vector<int>(graph.storages.size(), -1));
        m_out.again.assign(cuts.size(), std::vector<int>(graph.ops.size(), -1));
        m_ever = m_out.again;
    }

    KCutProgram build()
    {
        for (std::size_t k = 0; k < m_out.reach.size(); ++k)
            addColumns(k);
        std::vector<int> everNext(m_graph.ops.size(), -1);
        for (std::size_t k = m_out.reach.size(); k-- > 0;) {
            addEverRows(k, everNext);
            addNeeds(k);
            addInputs(k);
            addMemory(k);
            if (k + 1 < m_out.reach.size()) addStays(k);
        }
        return std::move(m_out);
    }

private:
    OpId makerOf(StorageId storage) const { return m_graph.storage(storage).producer; }

    void addColumns(std::size_t k)
    {
        const std::int64_t capacity = capacityAtCut(m_graph, m_costs, m_out.reach[k].cut, m_budget);
        for (const StorageId storage : m_out.reach[k].storages) {
            const bool fits = m_graph.storage(storage).bytes <= capacity;
            m_out.held[k][storage.index()] = m_out.model.addColumn(0, 0, fits ? 1 : 0, true);
            const OpId op = makerOf(storage);
            if (m_graph.op(op).computeOnce || m_out.again[k][op.index()] >= 0) continue;
            m_out.again[k][op.index()] = m_out.model.addColumn(m_costs.time(op), 0, 1, true);
            m_ever[k][op.index()] = m_out.model.addColumn(0, 0, 1, true);
        }
    }

    /// x[s,k] + r or ρ of its maker − `less` ≥ `atLeast`; `less` may be no column.
    void addCover(std::size_t k, StorageId storage, const std::vector<int> &makers, double atLeast, int less)
    {
        std::vector<ilp::Term> row = {{m_out.held[k][storage.index()], 1}};
        if (const int maker = makers[makerOf(storage).index()]; maker >= 0) row.push_back({maker, 1});
        if (less >= 0) row.push_back({less, -1});
        m_out.model.addAtLeast(atLeast, std::move(row));
    }

    void addEverRows(std::size_t k, std::vector<int> &everNext)
    {
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            if (m_ever[k][i] < 0) continue;
            std::vector<ilp::Term> row = {{m_out.again[k][i], 1}, {m_ever[k][i], -1}};
            if (everNext[i] >= 0) row.push_back({everNext[i], 1});
            m_out.model.addAtLeast(0, std::move(row));
            everNext[i] = m_ever[k][i];
        }
    }

    /// What must be held at cut k or made again: before the next cut, and at some time.
    void addNeeds(std::size_t k)
    {
        const CutReach &reach = m_out.reach[k];
        const bool last = k + 1 == m_out.reach.size();
        const std::size_t end = last ? m_graph.ops.size() : m_out.reach[k + 1].cut.index() + 1;
        std::vector<char> readSoon(m_graph.storages.size(), 0);
        for (std::size_t i = reach.cut.index() + 1; i < end; ++i)
            if (m_needs.op[i])
                for (const StorageId input : m_graph.ops[i].inputs)
                    readSoon[input.index()] = 1;
        for (const StorageId storage : reach.storages) {
            const std::size_t s = storage.index();
            if (readSoon[s] || (last && m_graph.storage(storage).isOutput)) addCover(k, storage, m_out.again[k], 1, -1);
            if (reach.demanded[s]) addCover(k, storage, m_ever[k], 1, -1);
        }
    }

    void addInputs(std::size_t k)
    {
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            if (m_out.again[k][i] < 0) continue;
            for (const StorageId input : m_graph.ops[i].inputs) {
                if (!m_out.reach[k].has[input.index()]) continue;
                addCover(k, input, m_out.again[k], 0, m_out.again[k][i]);
                addCover(k, input, m_ever[k], 0, m_ever[k][i]);
            }
        }
    }

    void addMemory(std::size_t k)
    {
        const double capacity = static_cast<double>(
            std::max<std::int64_t>(1, capacityAtCut(m_graph, m_costs, m_out.reach[k].cut, m_budget)));
        std::vector<ilp::Term> row;
        for (const StorageId storage : m_out.reach[k].storages)
            row.push_back({m_out.held[k][storage.index()],
                           100 * static_cast<double>(m_graph.storage(storage).bytes) / static_cast<double>(capacity)});
        m_out.memory[k] = m_out.model.rows();
        m_out.model.addAtMost(std::move(row), 100 * (1 + kSlack));
    }

    /// What is held at the next cut was held at this one, or came since.
    void addStays(std::size_t k)
    {
        const CutReach &next = m_out.reach[k + 1];
        for (const StorageId storage : next.storages)
            if (m_out.reach[k].has[storage.index()])
                addCover(k, storage, m_out.again[k], 0, m_out.held[k + 1][storage.index()]);
    }

    const Graph &m_graph;
    const CostTable &m_costs;
    std::int64_t m_budget;
    const Needs m_needs;
    KCutProgram m_out;
    std::vector<std::vector<int>> m_ever; ///< columns ρ by [cut][op]
};

} // namespace

KCutProgram buildKCutProgram(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                             const std::vector<OpId> &cuts)
{
    return KCutBuilder(graph, costs, budgetBytes, cuts).build();
}

} // namespace remat
