#include "solvers/hiremate/leaf_model.h"

#include <algorithm>

namespace remat::hiremate {

namespace {

class Builder
{
public:
    Builder(const FlatGraph &flat, std::int64_t budgetBytes) : m_flat(flat), m_budget(budgetBytes)
    {
        for (const std::int64_t bytes : flat.bytes)
            m_unit = std::max(m_unit, static_cast<double>(bytes) / 1e3);
        m_held.assign(flat.storages(), -1);
    }

    LeafModel build()
    {
        m_leaf.computeColumn.assign(m_flat.ops + 1, std::vector<int>(m_flat.ops, -1));
        for (int t = 0; t <= m_flat.ops; ++t)
            addStage(t);
        for (int s = 0; s < m_flat.storages(); ++s)
            if (m_flat.output[s]) m_leaf.model.addAtLeast(1, {{m_held[s], 1}});
        return std::move(m_leaf);
    }

private:
    double units(std::int64_t bytes) const { return static_cast<double>(bytes) / m_unit; }

    /// A storage after an event: a new column, at most what it was before (and what the event makes).
    void next(int s, std::vector<ilp::Term> madeBy)
    {
        const int column = m_leaf.model.addBinary(0);
        std::vector<ilp::Term> row{{column, 1}};
        if (m_held[s] >= 0) row.push_back({m_held[s], -1});
        row.insert(row.end(), madeBy.begin(), madeBy.end());
        m_leaf.model.addAtMost(std::move(row), 0);
        m_held[s] = column;
    }

    void addStage(int t)
    {
        for (int s = 0; s < m_flat.storages(); ++s)
            if (m_held[s] >= 0) next(s, {});
        for (int i = 0; i <= std::min(t, m_flat.ops - 1); ++i) {
            if (i < t && m_flat.once[i]) continue;
            const int compute = m_leaf.model.addBinary(m_flat.timeUs[i]);
            m_leaf.computeColumn[t][i] = compute;
            if (i == t) m_leaf.model.fix(compute, 1);
            std::int64_t making = m_flat.workspaceBytes[i];
            for (const int s : m_flat.outputs[i])
                making += m_flat.bytes[s];
            std::vector<ilp::Term> memory{{compute, units(making)}};
            for (int s = 0; s < m_flat.storages(); ++s)
                if (m_held[s] >= 0) memory.push_back({m_held[s], units(m_flat.bytes[s])});
            m_leaf.model.addAtMost(std::move(memory), units(m_budget));
            for (const int s : m_flat.inputs[i]) {
                m_leaf.model.addAtMost({{compute, 1}, {m_held[s], -1}}, 0);
                next(s, {});
            }
            for (const int s : m_flat.outputs[i])
                next(s, {{compute, -1}});
        }
    }

    const FlatGraph &m_flat;
    const std::int64_t m_budget;
    double m_unit = 1;
    LeafModel m_leaf;
    std::vector<int> m_held; ///< per storage: its column after the event added last
};

} // namespace

LeafModel buildLeafModel(const FlatGraph &flat, std::int64_t budgetBytes)
{
    return Builder(flat, budgetBytes).build();
}

std::vector<OpId> readLeaf(const FlatGraph &flat, const LeafModel &leaf, const std::vector<double> &x)
{
    std::vector<OpId> sequence;
    for (const std::vector<int> &stage : leaf.computeColumn)
        for (int i = 0; i < flat.ops; ++i)
            if (stage[i] >= 0 && x[stage[i]] > 0.5) sequence.emplace_back(i);
    return dropUselessRecomputes(*flat.graph, std::move(sequence));
}

} // namespace remat::hiremate
