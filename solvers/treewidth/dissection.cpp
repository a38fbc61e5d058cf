// SPDX-License-Identifier: Apache-2.0
#include "solvers/treewidth/dissection.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace remat::separators {

namespace {

class Dissector
{
public:
    Dissector(const TreeDecomposition &tree, const std::vector<std::int64_t> &weights, std::int64_t leafWeight)
        : m_tree(tree),
          m_weights(weights),
          m_leafWeight(leafWeight),
          m_linked(tree.parent.size()),
          m_mark(tree.parent.size(), -1),
          m_below(tree.parent.size(), 0)
    {
        for (std::size_t node = 0; node < tree.parent.size(); ++node) {
            const int parent = tree.parent[node];
            if (parent < 0) continue;
            m_linked[node].push_back(parent);
            m_linked[parent].push_back(static_cast<int>(node));
        }
        m_result.regionOfNode.assign(tree.parent.size(), -1);
    }

    Dissection run()
    {
        // The roots' trees hang under one region without nodes, which holds them together.
        m_result.regions.push_back({});
        m_result.regions[0].weight = 0;
        std::vector<int> roots;
        for (std::size_t node = 0; node < m_tree.parent.size(); ++node)
            if (m_tree.parent[node] < 0) roots.push_back(static_cast<int>(node));
        std::vector<Part> open;
        split(roots, 0, open);
        while (!open.empty()) {
            const Part part = open.back();
            open.pop_back();
            closeRegionsUpTo(part.parentRegion);
            separate(part, open);
        }
        closeRegionsUpTo(-1);
        return std::move(m_result);
    }

private:
    /// A connected part of the tree: everything linked to `start` without passing nodes that were taken out.
    struct Part {
        int start = 0;
        int parentRegion = 0;
    };

    /// Regions are numbered in order of a depth-first walk; one is complete when the walk leaves it.
    void closeRegionsUpTo(int region)
    {
        while (m_current != region) {
            m_result.regions[m_current].end = static_cast<int>(m_result.regions.size());
            m_current = m_result.regions[m_current].parent;
        }
    }

    std::int64_t weightOf(int node) const { return m_result.regionOfNode[node] < 0 ? m_weights[node] : 0; }

    void separate(const Part &part, std::vector<Part> &open)
    {
        const std::vector<int> order = walk(part.start);
        if (std::all_of(order.begin(), order.end(), [&](int node) { return m_result.regionOfNode[node] >= 0; })) return;
        const std::int64_t total = unassignedWeight(order);
        const int region = static_cast<int>(m_result.regions.size());
        m_result.regions.push_back({part.parentRegion, region, region + 1, total});
        m_current = region;
        if (total <= m_leafWeight || order.size() == 1) {
            assign(order, region);
            return;
        }
        const int middle = centroid(order, total);
        assign(m_tree.bags[middle], region);
        m_mark[middle] = kTakenOut;
        std::vector<int> starts;
        for (const int next : m_linked[middle])
            if (m_mark[next] != kTakenOut) starts.push_back(next);
        split(starts, region, open);
    }

    /// The lightest parts stay with the region.
    void split(const std::vector<int> &starts, int region, std::vector<Part> &open)
    {
        std::vector<std::pair<std::int64_t, int>> parts;
        parts.reserve(starts.size());
        for (const int start : starts)
            parts.emplace_back(unassignedWeight(walk(start)), start);
        std::sort(parts.begin(), parts.end());
        std::int64_t small = 0;
        for (const auto &[weight, start] : parts) {
            small += weight;
            if (small <= m_leafWeight)
                assign(walk(start), region);
            else
                open.push_back({start, region});
        }
    }

    std::int64_t unassignedWeight(const std::vector<int> &nodes) const
    {
        return std::accumulate(nodes.begin(), nodes.end(), std::int64_t(0),
                               [&](std::int64_t sum, int node) { return sum + weightOf(node); });
    }

    void assign(const std::vector<int> &nodes, int region)
    {
        for (const int node : nodes)
            if (m_result.regionOfNode[node] < 0) m_result.regionOfNode[node] = region;
    }

    /// The part's nodes, each after the one it was reached from, which is kept in m_mark.
    std::vector<int> walk(int start)
    {
        std::vector<int> order{start};
        m_mark[start] = -1;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const int node = order[i];
            for (const int next : m_linked[node]) {
                if (m_mark[next] == kTakenOut || next == m_mark[node]) continue;
                m_mark[next] = node;
                order.push_back(next);
            }
        }
        return order;
    }

    int centroid(const std::vector<int> &order, std::int64_t total)
    {
        std::vector<std::int64_t> &below = m_below;
        for (const int node : order)
            below[node] = weightOf(node);
        for (std::size_t i = order.size(); i-- > 1;)
            below[m_mark[order[i]]] += below[order[i]];
        int best = order[0];
        std::int64_t bestWeight = -1;
        for (const int node : order) {
            std::int64_t heaviest = total - below[node];
            for (const int next : m_linked[node])
                if (m_mark[next] == node) heaviest = std::max(heaviest, below[next]);
            if (bestWeight >= 0 && heaviest >= bestWeight) continue;
            best = node;
            bestWeight = heaviest;
        }
        return best;
    }

    static constexpr int kTakenOut = -2;

    const TreeDecomposition &m_tree;
    const std::vector<std::int64_t> &m_weights;
    const std::int64_t m_leafWeight;
    std::vector<std::vector<int>> m_linked; ///< the tree, both ways
    std::vector<int> m_mark;                ///< where the last walk came from, or kTakenOut
    std::vector<std::int64_t> m_below;
    Dissection m_result;
    int m_current = 0; ///< the region the walk is in
};

} // namespace

Dissection dissect(const TreeDecomposition &tree, const std::vector<std::int64_t> &weights, std::int64_t leafWeight)
{
    return Dissector(tree, weights, leafWeight).run();
}

} // namespace remat::separators
