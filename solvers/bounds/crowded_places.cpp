// SPDX-License-Identifier: Apache-2.0
#include "solvers/bounds/crowded_places.h"

#include "core/bounds/cut_network.h"

#include <algorithm>
#include <optional>

namespace remat {

namespace {

/// Share of the budget.
constexpr double kLeastExcess = 1e-3;

class Crowd
{
public:
    Crowd(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, const KCutProgram &program,
          const std::vector<double> &x)
        : m_graph(graph),
          m_costs(costs),
          m_budget(budgetBytes),
          m_program(program),
          m_x(x),
          m_needs(needsOf(graph)),
          m_readers(graph.storages.size()),
          m_change(graph.ops.size() + 1),
          m_touches(graph.ops.size())
    {
        for (std::size_t i = 0; i < graph.ops.size(); ++i)
            for (const StorageId input : graph.ops[i].inputs)
                m_readers[input.index()].push_back(static_cast<std::int32_t>(i));
    }

    std::vector<CrowdedPlace> run()
    {
        std::vector<CrowdedPlace> places;
        for (std::size_t i = 0; i <= m_program.cuts(); ++i)
            if (const auto worst = worstBetween(i); worst) places.push_back(*worst);
        std::stable_sort(places.begin(), places.end(),
                         [](const CrowdedPlace &a, const CrowdedPlace &b) { return a.excessBytes > b.excessBytes; });
        return places;
    }

private:
    /// When ops between two cuts read a storage for the first time, and for the last.
    struct Reads {
        std::int32_t first = -1, last = -1;
    };

    double valueOf(int column) const { return column < 0 ? 0 : m_x[static_cast<std::size_t>(column)]; }

    /// Between cut i − 1 and cut i; both may be missing.
    std::optional<CrowdedPlace> worstBetween(std::size_t i)
    {
        const std::size_t ops = m_graph.ops.size();
        m_first = i > 0 ? m_program.reach[i - 1].cut.index() + 1 : 0;
        m_end = i > 0 ? m_program.endOf(i - 1, ops) : m_program.cuts() > 0 ? m_program.reach[0].cut.index() : ops;
        if (m_first >= m_end) return {};
        std::fill(m_change.begin(), m_change.end(), 0);
        for (std::size_t t = m_first; t < m_end; ++t)
            m_touches[t] = 0;
        findReads();
        for (std::size_t s = 0; s < m_graph.storages.size(); ++s)
            hold(StorageId(s), i);
        CrowdedPlace worst;
        double held = 0, most = kLeastExcess * static_cast<double>(m_budget);
        for (std::size_t t = m_first; t < m_end; ++t) {
            held += m_change[t];
            const std::int64_t capacity = capacityAtCut(m_graph, m_costs, OpId(t), m_budget);
            const double excess = held - m_touches[t] - static_cast<double>(capacity);
            if (!m_needs.op[t] || excess <= most) continue;
            most = excess;
            worst = {OpId(t), static_cast<std::int64_t>(excess)};
        }
        return worst.op ? std::optional(worst) : std::nullopt;
    }

    void findReads()
    {
        m_reads.assign(m_graph.storages.size(), {});
        for (std::size_t t = m_first; t < m_end; ++t) {
            if (!m_needs.op[t]) continue;
            for (const StorageId input : m_graph.ops[t].inputs) {
                Reads &reads = m_reads[input.index()];
                if (reads.first < 0) reads.first = static_cast<std::int32_t>(t);
                reads.last = static_cast<std::int32_t>(t);
            }
        }
    }

    /// How much of a storage is held when cut i is reached, the end of the graph included.
    double heldAt(std::size_t i, StorageId storage) const
    {
        if (i == m_program.cuts()) return m_graph.storage(storage).isOutput ? 1 : 0;
        const auto &read = m_graph.op(m_program.reach[i].cut).inputs;
        if (std::find(read.begin(), read.end(), storage) != read.end()) return 1;
        return valueOf(m_program.held[i][storage.index()]);
    }

    void hold(StorageId storage, std::size_t i)
    {
        const OpId maker = m_graph.storage(storage).producer;
        if (!maker || maker.index() >= m_end || m_graph.storage(storage).bytes <= 0) return;
        const Reads &reads = m_reads[storage.index()];
        const double later = heldAt(i, storage);
        const auto end = static_cast<std::int32_t>(m_end);
        if (maker.index() >= m_first) {
            const std::int32_t last = std::max(reads.last, maker.value);
            hold(storage, maker.value, last + 1, 1);
            hold(storage, last + 1, end, later);
            return;
        }
        const double again = i > 0 ? valueOf(m_program.again[i - 1][maker.index()]) : 0;
        const auto start = static_cast<std::int32_t>(m_first);
        if (reads.first < 0) {
            hold(storage, start, end, later - again);
            return;
        }
        const int column = i > 0 ? m_program.held[i - 1][storage.index()] : -1;
        const double twice = std::max(0.0, again - (column < 0 ? 0 : 1 - valueOf(column)));
        hold(storage, start, reads.first + 1, 1 - again);
        hold(storage, reads.first + 1, reads.last + 1, 1 - twice);
        hold(storage, reads.last + 1, end, later - twice);
    }

    /// From one op up to another; what an op reads or makes is part of what it takes anyway.
    void hold(StorageId storage, std::int32_t from, std::int32_t to, double share)
    {
        if (share <= 0 || from >= to) return;
        const double bytes = share * static_cast<double>(m_graph.storage(storage).bytes);
        m_change[static_cast<std::size_t>(from)] += bytes;
        m_change[static_cast<std::size_t>(to)] -= bytes;
        const OpId maker = m_graph.storage(storage).producer;
        if (maker.value >= from && maker.value < to) m_touches[maker.index()] += bytes;
        for (const std::int32_t reader : m_readers[storage.index()])
            if (reader >= from && reader < to) m_touches[static_cast<std::size_t>(reader)] += bytes;
    }

    const Graph &m_graph;
    const CostTable &m_costs;
    const std::int64_t m_budget;
    const KCutProgram &m_program;
    const std::vector<double> &m_x;
    const Needs m_needs;
    std::vector<std::vector<std::int32_t>> m_readers; ///< per storage
    std::size_t m_first = 0, m_end = 0;
    std::vector<double> m_change;  ///< per op: bytes held from it on, less those held no longer
    std::vector<double> m_touches; ///< per op: bytes held then that it reads or makes
    std::vector<Reads> m_reads;
};

} // namespace

std::vector<CrowdedPlace> crowdedPlaces(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                                        const KCutProgram &program, const std::vector<double> &x)
{
    return Crowd(graph, costs, budgetBytes, program, x).run();
}

} // namespace remat
