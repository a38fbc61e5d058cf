// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/selection.h"

#include <algorithm>
#include <queue>

namespace remat::offload {

namespace {

class Greedy
{
public:
    Greedy(const Graph &graph, const Residence &residence, std::int64_t budgetBytes, const SelectionRules &rules)
        : m_graph(graph),
          m_residence(residence),
          m_budget(budgetBytes),
          m_rules(rules),
          m_held(residence.heldBytes),
          m_leaves(graph.storages.size(), 0)
    {
    }

    Selection run(const std::function<bool()> &stop)
    {
        bool stopped = stop();
        for (std::size_t g = 0; g < m_residence.gaps.size() && !stopped; ++g, stopped = stop())
            if (const double worth = this->worth(g); worth > 0) m_open.push({worth, g});
        while (!m_open.empty() && !stopped) {
            const Candidate best = m_open.top();
            m_open.pop();
            const double now = worth(best.gap);
            if (now <= 0) continue;
            if (now < best.worth)
                m_open.push({now, best.gap});
            else
                take(best.gap);
            stopped = stop();
        }
        Selection selection;
        selection.stopped = stopped;
        takeBackNeedless(stop);
        std::sort(m_taken.begin(), m_taken.end());
        for (const std::size_t g : m_taken)
            selection.gaps.push_back(m_residence.gaps[g]);
        selection.heldBytes = std::move(m_held);
        return selection;
    }

private:
    struct Candidate {
        double worth = 0;
        std::size_t gap = 0;
        bool operator<(const Candidate &other) const
        {
            return worth != other.worth ? worth < other.worth : gap > other.gap;
        }
    };

    std::int64_t bytes(std::size_t g) const { return m_graph.storage(m_residence.gaps[g].storage).bytes; }

    template <class Visit>
    void positions(std::size_t g, const Visit &visit) const
    {
        forEachPosition(m_residence.gaps[g], static_cast<int>(m_held.size()), visit);
    }

    double worth(std::size_t g) const
    {
        const HostGap &gap = m_residence.gaps[g];
        if (!m_rules.activations && !m_graph.storage(gap.storage).plannedParameter) return 0;
        if (!m_rules.mayLeave.empty() && !m_rules.mayLeave[gap.storage.index()]) return 0;
        if (!m_rules.stays.empty() && m_rules.stays[gap.storage.index()]) return 0;
        double sum = 0;
        positions(g, [&](int i) {
            sum += static_cast<double>(
                std::clamp<std::int64_t>(m_held[static_cast<std::size_t>(i)] - m_budget, 0, bytes(g)));
        });
        return m_leaves[gap.storage.index()] > 0 ? sum * m_rules.againWorth : sum;
    }

    void shift(std::size_t g, std::int64_t by)
    {
        positions(g, [&](int i) { m_held[static_cast<std::size_t>(i)] += by; });
    }

    void take(std::size_t g)
    {
        shift(g, -bytes(g));
        ++m_leaves[m_residence.gaps[g].storage.index()];
        m_taken.push_back(g);
    }

    /// From the last pick to the first: the first ones took the most away.
    void takeBackNeedless(const std::function<bool()> &stop)
    {
        std::vector<std::size_t> kept;
        for (std::size_t k = m_taken.size(); k-- > 0;) {
            const std::size_t g = m_taken[k];
            if (stop()) {
                kept.push_back(g);
                continue;
            }
            bool needless = true;
            positions(
                g, [&](int i) { needless = needless && m_held[static_cast<std::size_t>(i)] + bytes(g) <= m_budget; });
            if (needless)
                shift(g, bytes(g));
            else
                kept.push_back(g);
        }
        m_taken = std::move(kept);
    }

    const Graph &m_graph;
    const Residence &m_residence;
    const std::int64_t m_budget;
    const SelectionRules m_rules;
    std::vector<std::int64_t> m_held;
    std::vector<int> m_leaves; ///< per storage: gaps taken
    std::vector<std::size_t> m_taken;
    std::priority_queue<Candidate> m_open;
};

} // namespace

std::int64_t Selection::peakBytes() const
{
    return heldBytes.empty() ? 0 : *std::max_element(heldBytes.begin(), heldBytes.end());
}

Selection select(const Graph &graph, const Residence &residence, std::int64_t budgetBytes, const SelectionRules &rules,
                 const std::function<bool()> &stop)
{
    return Greedy(graph, residence, budgetBytes, rules).run(stop);
}

} // namespace remat::offload
