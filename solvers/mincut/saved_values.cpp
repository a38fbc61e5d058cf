// SPDX-License-Identifier: Apache-2.0
#include "solvers/mincut/saved_values.h"

#include <algorithm>
#include <cmath>

namespace remat::mincut {

namespace {

/// Each step away from the backward pass makes a value this much dearer to save, up to so many steps.
constexpr double kDistanceFactor = 1.1;
constexpr int kFarthest = 100;
/// Limit for all weights together, so that flows stay exact.
constexpr double kLargestTotal = static_cast<double>(MinCut::kInfinite) / 4;

/// Whether every reader can be fused with it, so that it never needs to be written to memory.
bool fusesAway(const FxGraph &graph, int node)
{
    const FxNode &of = graph.nodes[node];
    return of.kind != FxKind::Placeholder &&
           std::all_of(of.users.begin(), of.users.end(), [&](int user) { return canFuse(graph, node, user); });
}

/// As PyTorch rounds it: down, after multiplying in double precision.
double weightOf(const FxGraph &graph, int node)
{
    const FxNode &of = graph.nodes[node];
    if (of.free) return 0;
    const int steps = std::max(std::min(of.distance, kFarthest), 1);
    const double weight = std::floor(static_cast<double>(of.bytes) * std::pow(kDistanceFactor, steps));
    return fusesAway(graph, node) ? 2 * weight : weight;
}

} // namespace

SavedValues::SavedValues(const FxGraph &graph)
    : m_nodes(static_cast<int>(graph.nodes.size())),
      m_source(2 * graph.nodes.size()),
      m_sink(m_source + 1),
      m_network(m_sink + 1),
      m_endless(m_sink + 1),
      m_isEdge(graph.nodes.size(), 0),
      m_banEdges(graph.nodes.size(), 0),
      m_graph(&graph)
{
}

void SavedValues::addEdge(std::size_t from, std::size_t to, std::int64_t capacity)
{
    m_network.addEdge(to, from, capacity);
    if (capacity == MinCut::kInfinite) m_endless[from].push_back(to);
}

Expected<void> SavedValues::addEdges()
{
    double total = 0;
    for (int i = 0; i < m_nodes; ++i) {
        const FxNode &node = m_graph->nodes[i];
        if (node.kind == FxKind::Output) continue;
        if (node.gradientClosure) {
            addEdge(in(i), m_sink, MinCut::kInfinite);
            continue;
        }
        if (node.requiredBackward) addEdge(out(i), m_sink, MinCut::kInfinite);
        for (const int user : node.users)
            addEdge(out(i), in(user), MinCut::kInfinite);
        if (node.tuple) {
            addEdge(in(i), out(i), MinCut::kInfinite);
            continue;
        }
        const double weight = weightOf(*m_graph, i);
        total += weight;
        if (total > kLargestTotal)
            return fail("The graph's storages are too large to weigh against each other: more than 2^58 weighted "
                        "bytes. Check the sizes in its file.");
        addEdge(in(i), out(i), static_cast<std::int64_t>(weight));
        m_isEdge[i] = 1;
    }
    for (const int node : m_banned) {
        m_banEdges[node] = m_network.addEdge(in(node), m_source, MinCut::kInfinite);
        m_endless[m_source].push_back(in(node));
    }
    return {};
}

bool SavedValues::hasEndlessPath() const
{
    std::vector<char> seen(m_endless.size(), 0);
    std::vector<std::size_t> open{m_source};
    while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        if (at == m_sink) return true;
        for (const std::size_t to : m_endless[at]) {
            if (seen[to]) continue;
            seen[to] = 1;
            open.push_back(to);
        }
    }
    return false;
}

Expected<SavedValues> SavedValues::make(const FxGraph &graph, const Bans &bans)
{
    SavedValues values(graph);
    values.m_banned = bannedNodes(graph, bans);
    if (const Expected<void> added = values.addEdges(); !added) return tl::unexpected(added.error());
    if (values.hasEndlessPath())
        return fail("The backward pass needs a result that PyTorch's partitioner may neither save nor recompute, so "
                    "it has no cut for this graph. Take another planner.");
    return values;
}

std::vector<int> SavedValues::cut(const std::vector<int> &allowed)
{
    for (const int node : allowed)
        m_network.setCapacity(m_banEdges[node], 0);
    m_network.run(m_sink, m_source);
    for (const int node : allowed)
        m_network.setCapacity(m_banEdges[node], MinCut::kInfinite);
    std::vector<int> saved;
    for (int i = 0; i < m_nodes; ++i)
        if (m_isEdge[i] && !m_network.onSourceSide(in(i)) && m_network.onSourceSide(out(i))) saved.push_back(i);
    return saved;
}

} // namespace remat::mincut
