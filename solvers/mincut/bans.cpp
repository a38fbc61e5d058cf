// SPDX-License-Identifier: Apache-2.0
#include "solvers/mincut/bans.h"

#include "solvers/mincut/operators.h"

#include <algorithm>
#include <queue>
#include <set>
#include <utility>

namespace remat::mincut {

namespace {

/// How many forward nodes a fusible chain may be long.
constexpr int kLongChain = 100;
/// A result this many times smaller than what it was made from is kept.
constexpr std::int64_t kReduction = 4;

bool isView(const FxNode &node)
{
    return (node.classes & kView) != 0;
}

class Rules
{
public:
    Rules(const FxGraph &graph, const Bans &bans) : m_graph(graph), m_bans(bans), m_isBanned(graph.nodes.size(), 0) {}

    std::vector<int> find()
    {
        for (int i = 0; i < count(); ++i) {
            const FxNode &node = m_graph.nodes[i];
            if (node.kind == FxKind::Output || node.gradientClosure) continue;
            if (node.primal || (node.requiredForward && isForbidden(i))) ban(i);
        }
        if (m_bans.usedFarApart) usedFarApart();
        if (m_bans.longFusibleChains) longFusibleChains();
        return std::move(m_banned);
    }

private:
    int count() const { return static_cast<int>(m_graph.nodes.size()); }
    int order(int node) const { return m_graph.nodes[node].forwardOrder; }
    bool forward(int node) const { return m_graph.nodes[node].requiredForward; }

    void ban(int node)
    {
        if (isView(m_graph.nodes[node]) || m_isBanned[node]) return;
        m_isBanned[node] = 1;
        m_banned.push_back(node);
    }

    bool isForbidden(int i) const
    {
        const FxNode &node = m_graph.nodes[i];
        if (node.kind != FxKind::Call) return false;
        if (node.collective) return true;
        if ((node.classes & kAlwaysFree) != 0) return false;
        if (m_bans.notInAllowList ? (node.classes & kRecomputable) == 0
                                  : (node.classes & (kRandom | kComputeIntensive)) != 0)
            return true;
        if (m_bans.materializedBackward && isMaterializedBackward(i)) return true;
        if (!m_bans.reduction) return false;
        std::int64_t read = 0;
        for (const int argument : node.positional)
            read += m_graph.nodes[argument].bytes;
        return node.bytes < (read + kReduction - 1) / kReduction;
    }

    /// The backward pass reads it, or a view of it, in an op that it cannot be fused into.
    bool isMaterializedBackward(int start) const
    {
        if (isView(m_graph.nodes[start])) return false;
        std::vector<int> open{start};
        std::set<int> seen{start};
        while (!open.empty()) {
            const int node = open.back();
            open.pop_back();
            for (const int user : m_graph.nodes[node].users) {
                if (!forward(user) && !canFuse(m_graph, node, user)) return true;
                if (isView(m_graph.nodes[user]) && seen.insert(user).second) open.push_back(user);
            }
        }
        return false;
    }

    /// Position of the first forward node, from `starts` on and not after `last`, that cannot be fused with what it
    /// reads; `last` when there is none.
    int firstUnfusible(const std::vector<int> &starts, int last) const
    {
        // (position, fusible, node): the unfusible reading of a node comes first.
        std::set<std::pair<std::pair<int, bool>, int>> open;
        for (const int node : starts)
            open.insert({{order(node), true}, node});
        while (!open.empty()) {
            const auto [key, node] = *open.begin();
            open.erase(open.begin());
            if (!key.second) return key.first;
            for (const int user : m_graph.nodes[node].users)
                if (forward(user) && order(user) <= last)
                    open.insert({{order(user), canFuse(m_graph, node, user)}, user});
        }
        return last;
    }

    void usedFarApart()
    {
        for (int used = 0; used < count(); ++used) {
            if (!forward(used)) continue;
            std::vector<int> users;
            int last = -1;
            for (const int user : m_graph.nodes[used].users) {
                if (!forward(user)) continue;
                users.push_back(user);
                last = std::max(last, order(user));
            }
            if (users.empty()) continue;
            const int first = firstUnfusible(users, last);
            for (const int user : users)
                if (order(user) > first && canFuse(m_graph, used, user)) ban(user);
        }
    }

    void longFusibleChains()
    {
        std::vector<char> visited(m_graph.nodes.size(), 0);
        using Entry = std::pair<int, int>;
        for (int start = 0; start < count(); ++start) {
            if (!forward(start)) continue;
            std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
            open.emplace(order(start), start);
            while (!open.empty()) {
                const int node = open.top().second;
                open.pop();
                if (visited[node]) continue;
                visited[node] = 1;
                if (order(node) > order(start) + kLongChain && open.empty()) {
                    ban(node);
                    break;
                }
                for (const int user : m_graph.nodes[node].users)
                    if (forward(user) && canFuse(m_graph, node, user) && !m_isBanned[user])
                        open.emplace(order(user), user);
            }
        }
    }

    const FxGraph &m_graph;
    const Bans m_bans;
    std::vector<char> m_isBanned;
    std::vector<int> m_banned;
};

} // namespace

bool canFuse(const FxGraph &graph, int from, int to)
{
    if ((graph.nodes[to].classes & kConcatenation) != 0) return true;
    return isFusible(graph.nodes[from].classes) && isFusible(graph.nodes[to].classes);
}

std::vector<int> bannedNodes(const FxGraph &graph, const Bans &bans)
{
    return Rules(graph, bans).find();
}

} // namespace remat::mincut
