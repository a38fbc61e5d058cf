// SPDX-License-Identifier: Apache-2.0
#include "solvers/treewidth/tree_decomposition.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

namespace remat::separators {

namespace {

class Eliminator
{
public:
    Eliminator(const std::vector<std::vector<int>> &neighbours, Elimination elimination) : m_elimination(elimination)
    {
        m_around.reserve(neighbours.size());
        for (const std::vector<int> &list : neighbours)
            m_around.emplace_back(list.begin(), list.end());
        m_price.assign(neighbours.size(), 0);
        for (int node = 0; node < static_cast<int>(neighbours.size()); ++node) {
            m_price[node] = priceOf(node);
            m_queue.insert({m_price[node], node});
        }
    }

    std::optional<TreeDecomposition> run(const std::function<bool()> &stop)
    {
        const std::size_t count = m_around.size();
        TreeDecomposition tree;
        tree.bags.resize(count);
        tree.parent.assign(count, -1);
        std::vector<int> turn(count, -1);
        for (int step = 0; !m_queue.empty(); ++step) {
            if (stop()) return std::nullopt;
            const int node = m_queue.begin()->second;
            m_queue.erase(m_queue.begin());
            turn[node] = step;
            tree.bags[node].assign(m_around[node].begin(), m_around[node].end());
            tree.width = std::max(tree.width, static_cast<int>(tree.bags[node].size()));
            eliminate(node);
        }
        for (std::size_t node = 0; node < count; ++node) {
            const std::vector<int> &later = tree.bags[node];
            const auto next =
                std::min_element(later.begin(), later.end(), [&](int a, int b) { return turn[a] < turn[b]; });
            if (next != later.end()) tree.parent[node] = *next;
            tree.bags[node].push_back(static_cast<int>(node));
        }
        return tree;
    }

private:
    std::int64_t priceOf(int node) const
    {
        const std::set<int> &around = m_around[node];
        if (m_elimination == Elimination::MinDegree) return static_cast<std::int64_t>(around.size());
        std::int64_t missing = 0;
        for (const int a : around)
            for (auto b = around.upper_bound(a); b != around.end(); ++b)
                missing += m_around[a].count(*b) == 0 ? 1 : 0;
        return missing;
    }

    void eliminate(int node)
    {
        const std::set<int> around = std::move(m_around[node]);
        std::set<int> changed;
        for (const int a : around) {
            m_around[a].erase(node);
            changed.insert(a);
        }
        for (const int a : around) {
            for (const int b : around) {
                if (a >= b || !m_around[a].insert(b).second) continue;
                m_around[b].insert(a);
                if (m_elimination == Elimination::MinDegree) continue;
                // A new edge fills in for everybody who knows both its ends.
                std::set_intersection(m_around[a].begin(), m_around[a].end(), m_around[b].begin(), m_around[b].end(),
                                      std::inserter(changed, changed.end()));
            }
        }
        for (const int other : changed) {
            const std::int64_t price = priceOf(other);
            if (price == m_price[other]) continue;
            m_queue.erase({m_price[other], other});
            m_price[other] = price;
            m_queue.insert({price, other});
        }
    }

    const Elimination m_elimination;
    std::vector<std::set<int>> m_around;
    std::vector<std::int64_t> m_price;
    std::set<std::pair<std::int64_t, int>> m_queue;
};

} // namespace

std::optional<TreeDecomposition> decompose(const std::vector<std::vector<int>> &neighbours, Elimination elimination,
                                           const std::function<bool()> &stop)
{
    return Eliminator(neighbours, elimination).run(stop);
}

} // namespace remat::separators
