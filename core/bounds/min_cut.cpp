// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/min_cut.h"

#include <algorithm>

namespace remat {

std::size_t MinCut::addEdge(std::size_t from, std::size_t to, std::int64_t capacity)
{
    m_edges.push_back({to, m_first[from], capacity, 0});
    m_first[from] = m_edges.size() - 1;
    m_edges.push_back({from, m_first[to], 0, 0});
    m_first[to] = m_edges.size() - 1;
    return m_edges.size() / 2 - 1;
}

bool MinCut::findLevels(std::size_t source, std::size_t sink)
{
    m_work += m_first.size() + m_edges.size();
    m_level.assign(m_first.size(), -1);
    m_queue.assign(1, source);
    m_level[source] = 0;
    for (std::size_t head = 0; head < m_queue.size(); ++head) {
        const std::size_t node = m_queue[head];
        for (std::size_t e = m_first[node]; e != kNone; e = m_edges[e].next) {
            const Edge &edge = m_edges[e];
            if (edge.left <= 0 || m_level[edge.to] >= 0) continue;
            m_level[edge.to] = m_level[node] + 1;
            m_queue.push_back(edge.to);
        }
    }
    return m_level[sink] >= 0;
}

/// Pushes along one shortest path; 0 when the levels hold no more.
std::int64_t MinCut::augment(std::size_t source, std::size_t sink)
{
    m_path.clear();
    std::size_t node = source;
    while (node != sink) {
        std::size_t &e = m_current[node];
        while (e != kNone && (m_edges[e].left <= 0 || m_level[m_edges[e].to] != m_level[node] + 1))
            e = m_edges[e].next;
        if (e != kNone) {
            m_path.push_back(e);
            node = m_edges[e].to;
            continue;
        }
        if (node == source) return 0;
        // A dead end: step back, and never come here again in this round.
        const std::size_t back = m_path.back();
        m_path.pop_back();
        m_level[node] = -1;
        node = m_edges[back ^ 1U].to;
    }
    std::int64_t amount = kInfinite;
    m_work += m_path.size();
    for (const std::size_t e : m_path)
        amount = std::min(amount, m_edges[e].left);
    for (const std::size_t e : m_path) {
        m_edges[e].left -= amount;
        m_edges[e ^ 1U].left += amount;
    }
    return amount;
}

std::int64_t MinCut::run(std::size_t source, std::size_t sink)
{
    for (Edge &edge : m_edges)
        edge.left = edge.capacity;
    std::int64_t flow = 0;
    while (findLevels(source, sink)) {
        m_current = m_first;
        while (const std::int64_t amount = augment(source, sink))
            flow += amount;
    }
    return flow;
}

} // namespace remat
