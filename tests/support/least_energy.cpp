// SPDX-License-Identifier: Apache-2.0
#include "tests/support/least_energy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <vector>

namespace remat::test {

namespace {

constexpr std::size_t kMostStorages = 12;
constexpr double kLittle = 1e-9;

/// Clocks of a label: the three lanes, then per storage when it can be read, freed and fetched.
using Clocks = std::array<double, 3 + 3 * kMostStorages>;
enum Lane : std::size_t { Now, Out, In };

struct State {
    std::uint32_t held = 0, host = 0;
    std::size_t done = 0;
    bool operator<(const State &other) const
    {
        return std::tie(held, host, done) < std::tie(other.held, other.host, other.done);
    }
};

struct Label {
    double joules = 0;
    Clocks clocks{};
    State state;
    bool operator>(const Label &other) const { return joules > other.joules; }
};

class LeastJoules
{
public:
    LeastJoules(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, double mostTimeUs)
        : m_graph(graph),
          m_costs(costs),
          m_budget(budgetBytes),
          m_mostUs(mostTimeUs),
          m_timed(std::isfinite(mostTimeUs))
    {
        std::vector<int> bit(graph.storages.size(), -1);
        for (std::size_t s = 0; s < graph.storages.size(); ++s) {
            if (!graph.planned(StorageId(s))) continue;
            bit[s] = static_cast<int>(m_bytes.size());
            m_bytes.push_back(graph.storages[s].bytes);
            if (graph.storages[s].isOutput) m_outputs |= 1U << static_cast<unsigned>(bit[s]);
        }
        REMAT_ASSERT(m_bytes.size() <= kMostStorages, "brute force is for small graphs");
        for (const Op &op : graph.ops) {
            std::uint32_t reads = 0, makes = 0;
            for (const StorageId input : op.inputs)
                if (bit[input.index()] >= 0) reads |= 1U << static_cast<unsigned>(bit[input.index()]);
            for (const StorageId output : op.outputs)
                makes |= 1U << static_cast<unsigned>(bit[output.index()]);
            m_reads.push_back(reads);
            m_makes.push_back(makes);
        }
    }

    std::optional<double> run()
    {
        reach({});
        while (!m_open.empty()) {
            const Label label = m_open.top();
            m_open.pop();
            if (beaten(label)) continue;
            m_closed[label.state].push_back(label);
            const auto [held, host, done] = label.state;
            if (done == m_reads.size() && (held & m_outputs) == m_outputs) return label.joules;
            for (std::size_t op = 0; op <= std::min(done, m_reads.size() - 1); ++op)
                compute(label, op);
            for (std::size_t s = 0; s < m_bytes.size(); ++s) {
                if (!has(held, s) && has(host, s)) fetch(label, s);
                if (!has(held, s)) continue;
                drop(label, s);
                if (!has(host, s)) offload(label, s);
            }
        }
        return std::nullopt;
    }

private:
    static bool has(std::uint32_t set, std::size_t s) { return (set >> s & 1U) != 0; }
    static std::size_t ready(std::size_t s) { return 3 + 3 * s; }
    static std::size_t busy(std::size_t s) { return 4 + 3 * s; }
    static std::size_t onHost(std::size_t s) { return 5 + 3 * s; }

    std::int64_t total(std::uint32_t set) const
    {
        std::int64_t sum = 0;
        for (std::size_t s = 0; s < m_bytes.size(); ++s)
            sum += has(set, s) ? m_bytes[s] : 0;
        return sum;
    }

    /// Later steps wait for the later of a clock and the compute lane, so what has passed does not tell labels apart.
    bool beaten(const Label &label) const
    {
        const auto closed = m_closed.find(label.state);
        if (closed == m_closed.end()) return false;
        return std::any_of(closed->second.begin(), closed->second.end(), [&](const Label &other) {
            for (std::size_t c = 0; c < 3 + 3 * m_bytes.size(); ++c)
                if (std::max(other.clocks[c], other.clocks[Now]) >
                    std::max(label.clocks[c], label.clocks[Now]) + kLittle)
                    return false;
            return true;
        });
    }

    void reach(const Label &label)
    {
        if (std::max({label.clocks[Now], label.clocks[Out], label.clocks[In]}) > m_mostUs * (1 + kLittle)) return;
        if (!beaten(label)) m_open.push(label);
    }

    void compute(const Label &from, std::size_t op)
    {
        if ((m_reads[op] & ~from.state.held) != 0 || (op < from.state.done && m_graph.ops[op].computeOnce)) return;
        if (total(from.state.held) + total(m_makes[op]) + m_costs.workspaceBytes[op] > m_budget) return;
        Label to = from;
        to.joules += m_costs.watts * m_costs.timeUs[op] * 1e-6;
        if (m_timed) {
            for (std::size_t s = 0; s < m_bytes.size(); ++s)
                if (has(m_reads[op], s)) to.clocks[Now] = std::max(to.clocks[Now], to.clocks[ready(s)]);
            to.clocks[Now] += m_costs.timeUs[op];
            for (std::size_t s = 0; s < m_bytes.size(); ++s)
                if (has(m_makes[op] & ~from.state.held, s)) to.clocks[ready(s)] = to.clocks[busy(s)] = to.clocks[Now];
        }
        to.state.held |= m_makes[op];
        to.state.done = std::max(to.state.done, op + 1);
        reach(to);
    }

    void drop(const Label &from, std::size_t s)
    {
        Label to = from;
        to.clocks[Now] = std::max(to.clocks[Now], to.clocks[busy(s)]);
        to.clocks[ready(s)] = to.clocks[busy(s)] = 0;
        to.state.held &= ~(1U << s);
        reach(to);
    }

    double copy(Label &label, std::size_t s) const
    {
        const double us = m_costs.linkLatencyUs + 1e6 * static_cast<double>(m_bytes[s]) / m_costs.linkBytesPerSecond;
        label.joules += m_costs.linkWatts * us * 1e-6;
        return m_timed ? us : 0;
    }

    void offload(const Label &from, std::size_t s)
    {
        Label to = from;
        const double us = copy(to, s);
        Clocks &clocks = to.clocks;
        clocks[Out] = std::max({clocks[Now], clocks[Out], clocks[ready(s)]}) + us;
        clocks[onHost(s)] = clocks[Out];
        clocks[busy(s)] = std::max(clocks[busy(s)], clocks[Out]);
        to.state.host |= 1U << s;
        reach(to);
    }

    void fetch(const Label &from, std::size_t s)
    {
        if (total(from.state.held) + m_bytes[s] > m_budget) return;
        Label to = from;
        const double us = copy(to, s);
        Clocks &clocks = to.clocks;
        clocks[In] = std::max({clocks[Now], clocks[In], clocks[onHost(s)]}) + us;
        clocks[ready(s)] = clocks[busy(s)] = clocks[In];
        to.state.held |= 1U << s;
        reach(to);
    }

    const Graph &m_graph;
    const CostTable &m_costs;
    const std::int64_t m_budget;
    const double m_mostUs;
    const bool m_timed;
    std::vector<std::int64_t> m_bytes;           ///< per planned storage
    std::vector<std::uint32_t> m_reads, m_makes; ///< per op
    std::uint32_t m_outputs = 0;
    std::priority_queue<Label, std::vector<Label>, std::greater<>> m_open;
    std::map<State, std::vector<Label>> m_closed;
};

} // namespace

std::optional<double> bruteForceLeastJoules(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                                            double mostTimeUs)
{
    return LeastJoules(graph, costs, budgetBytes, mostTimeUs).run();
}

} // namespace remat::test
