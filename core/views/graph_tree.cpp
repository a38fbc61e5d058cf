// SPDX-License-Identifier: Apache-2.0
#include "core/views/graph_tree.h"

#include "core/clusters/pairing.h"
#include "core/views/graph_names.h"

#include <algorithm>
#include <fmt/core.h>
#include <limits>

namespace remat {

namespace {

constexpr std::int32_t kNever = std::numeric_limits<std::int32_t>::max();
/// Deeper than anybody nests modules; below it a cluster shows its ops without the clusters they are in.
constexpr int kDeepest = 64;

class Builder
{
public:
    Builder(const Graph &graph, const ClusterTree &clusters, const RunChoices &choices)
        : m_graph(graph), m_clusters(clusters), m_choices(choices)
    {
        m_tree.leafOf.assign(graph.ops.size(), 0);
        m_twins = forwardTwins(graph);
        m_filled.assign(clusters.clusters.size(), 0);
        for (const ClusterId own : clusters.clusterOf)
            for (ClusterId at = own; at && !m_filled[at.index()]; at = clusters.cluster(at).parent)
                m_filled[at.index()] = 1;
    }

    GraphTree build()
    {
        addCluster(m_clusters.root(), -1, m_graph.name);
        for (const int child : m_tree.node(0).children) {
            GraphNode &node = at(child);
            node.loss =
                !node.forwardOps.empty() && std::all_of(node.forwardOps.begin(), node.forwardOps.end(),
                                                        [&](OpId op) { return m_graph.op(op).phase == Phase::Loss; });
        }
        return std::move(m_tree);
    }

private:
    GraphNode &at(int index) { return m_tree.nodes[static_cast<std::size_t>(index)]; }

    int add(NodeKind kind, int parent, const std::string &title, const std::string &path)
    {
        const int index = static_cast<int>(m_tree.nodes.size());
        GraphNode node;
        node.kind = kind;
        node.title = title;
        node.backwardTitle = backwardName(title);
        node.path = path;
        node.parent = parent;
        m_tree.nodes.push_back(std::move(node));
        m_tree.paths.emplace(path, index);
        return index;
    }

    int addCluster(ClusterId id, int parent, std::string title)
    {
        std::vector<std::string> folded;
        const bool isRoot = parent < 0;
        const Cluster *cluster = &m_clusters.cluster(id);
        for (ClusterId only = onlyChild(*cluster); only; only = onlyChild(*cluster)) {
            folded.push_back(cluster->path);
            id = only;
            cluster = &m_clusters.cluster(id);
            if (!isRoot) title = foldedName(title, cluster->name);
        }
        const bool single = !isRoot && cluster->children.empty() && cluster->forwardOps.size() <= 1 &&
                            cluster->forwardOps.size() + cluster->backwardOps.size() > 0 &&
                            (cluster->forwardOps.size() == 1 || cluster->backwardOps.size() == 1);
        int index = 0;
        if (single) {
            const OpId forward = cluster->forwardOps.empty() ? OpId() : cluster->forwardOps.front();
            index = addOps(forward, cluster->backwardOps, parent, title, cluster->path);
            at(index).backwardTitle = backwardName(title);
        } else {
            index = add(NodeKind::Cluster, parent, title, cluster->path);
            addInside(index, id);
        }
        at(index).cluster = id;
        for (const std::string &path : folded)
            m_tree.paths.emplace(path, index);
        return index;
    }

    /// The child that is all there is in a cluster; none when there is more.
    ClusterId onlyChild(const Cluster &cluster) const
    {
        if (!cluster.forwardOps.empty() || !cluster.backwardOps.empty()) return {};
        ClusterId only;
        for (const ClusterId child : cluster.children) {
            if (!m_filled[child.index()]) continue;
            if (only) return {};
            only = child;
        }
        return only;
    }

    /// One forward op (or none) and the backward ops that belong to it; openable when there are several.
    int addOps(OpId forward, const std::vector<OpId> &backward, int parent, const std::string &title,
               const std::string &path)
    {
        const int index = add(NodeKind::Ops, parent, title, path);
        if (forward) at(index).forwardOps = {forward};
        at(index).backwardOps = backward;
        if (!forward) at(index).backwardTitle = title; // a backward op of its own is no one's derivative
        if (backward.size() <= 1) {
            if (forward) m_tree.leafOf[forward.index()] = index;
            if (!backward.empty()) m_tree.leafOf[backward.front().index()] = index;
            return index;
        }
        // Backward runs upwards: its first op stands in the lowest row, beside the forward op.
        std::map<std::string, int> total, seen;
        for (const OpId op : backward)
            ++total[opBaseName(m_graph.op(op))];
        std::vector<int> rows;
        for (std::size_t i = 0; i < backward.size(); ++i) {
            const Op &op = m_graph.op(backward[i]);
            const std::string base = opBaseName(op);
            const std::string name = total[base] > 1 ? fmt::format("{} {}", base, ++seen[base]) : base;
            const bool withForward = i == 0 && forward;
            const int row = add(NodeKind::Ops, index, withForward ? opBaseName(m_graph.op(forward)) : name,
                                fmt::format("{}/{}", path, op.name));
            at(row).backwardOps = {backward[i]};
            at(row).backwardTitle = name;
            m_tree.leafOf[backward[i].index()] = row;
            if (withForward) {
                at(row).forwardOps = {forward};
                m_tree.leafOf[forward.index()] = row;
            }
            rows.push_back(row);
        }
        at(index).children.assign(rows.rbegin(), rows.rend());
        return index;
    }

    void addInside(int index, ClusterId id)
    {
        std::vector<int> rows;
        if (m_depth >= kDeepest) {
            std::vector<OpId> forward, backward;
            for (const OpId op : allOps(m_clusters, id))
                (m_graph.op(op).phase == Phase::Backward ? backward : forward).push_back(op);
            addOwnOps(index, forward, backward, rows);
        } else {
            ++m_depth;
            const Cluster &cluster = m_clusters.cluster(id);
            for (const ClusterId child : cluster.children)
                if (m_filled[child.index()]) rows.push_back(addCluster(child, index, m_clusters.cluster(child).name));
            addOwnOps(index, cluster.forwardOps, cluster.backwardOps, rows);
            --m_depth;
        }
        collectOps(index, rows);
        sortByComputation(rows);
        at(index).children = rows;
        groupForwardOps(index);
        stackRuns(index);
    }

    void addOwnOps(int index, const std::vector<OpId> &forwardOps, const std::vector<OpId> &backwardOps,
                   std::vector<int> &rows)
    {
        std::map<OpId, std::vector<OpId>> belonging;
        for (const OpId op : forwardOps)
            belonging[op];
        std::vector<OpId> alone;
        for (const OpId op : backwardOps) {
            const auto forward = belonging.find(m_twins[op.index()]);
            if (forward == belonging.end())
                alone.push_back(op);
            else
                forward->second.push_back(op);
        }
        const auto addAll = [&](const std::vector<OpId> &ops, bool isForward) {
            std::map<std::string, int> total, seen;
            for (const OpId op : ops)
                ++total[opBaseName(m_graph.op(op))];
            for (const OpId op : ops) {
                const std::string base = opBaseName(m_graph.op(op));
                const std::string title = total[base] > 1 ? fmt::format("{} {}", base, ++seen[base]) : base;
                const std::string path = fmt::format("{}/{}", at(index).path, m_graph.op(op).name);
                rows.push_back(isForward ? addOps(op, belonging[op], index, title, path)
                                         : addOps({}, {op}, index, title, path));
            }
        };
        addAll(forwardOps, true);
        addAll(alone, false);
    }

    void collectOps(int index, const std::vector<int> &rows)
    {
        for (const int row : rows) {
            for (const Side side : {Side::Forward, Side::Backward}) {
                std::vector<OpId> &all = side == Side::Forward ? at(index).forwardOps : at(index).backwardOps;
                const std::vector<OpId> &some = at(row).ops(side);
                all.insert(all.end(), some.begin(), some.end());
            }
        }
        std::sort(at(index).forwardOps.begin(), at(index).forwardOps.end());
        std::sort(at(index).backwardOps.begin(), at(index).backwardOps.end());
    }

    /// By first forward op; a row without one goes right above the row whose backward op runs just before its own.
    void sortByComputation(std::vector<int> &rows)
    {
        std::map<OpId, std::size_t> owner;
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (const OpId op : at(rows[i]).backwardOps)
                owner[op] = i;

        struct Key {
            std::int32_t forward = kNever;
            std::int32_t backward = -1; ///< negated first backward op of rows without forward ops: later ones on top
        };
        std::vector<Key> keys(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (!at(rows[i]).forwardOps.empty()) keys[i] = {at(rows[i]).forwardOps.front().value, 1};
        std::vector<char> placed(rows.size(), 0);
        std::int32_t below = kNever;
        for (const auto &[op, i] : owner) {
            if (!at(rows[i]).forwardOps.empty()) {
                below = keys[i].forward;
            } else if (!placed[i]) {
                keys[i] = {below, -op.value};
                placed[i] = 1;
            }
        }
        std::vector<std::size_t> order(rows.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(keys[a].forward, keys[a].backward) < std::pair(keys[b].forward, keys[b].backward);
        });
        std::vector<int> sorted;
        sorted.reserve(rows.size());
        for (const std::size_t i : order)
            sorted.push_back(rows[i]);
        rows = std::move(sorted);
    }

    /// Where there are clusters, ops that only prepare something stand back.
    void groupForwardOps(int index)
    {
        const std::vector<int> rows = at(index).children;
        const auto isSmall = [&](int row) {
            return at(row).kind == NodeKind::Ops && !at(row).cluster && at(row).backwardOps.empty();
        };
        if (std::all_of(rows.begin(), rows.end(), [&](int row) { return at(row).kind == NodeKind::Ops; })) return;
        std::vector<int> result;
        for (std::size_t i = 0; i < rows.size();) {
            std::size_t end = i;
            while (end < rows.size() && isSmall(rows[end]))
                ++end;
            if (end - i >= kShortestRun) {
                result.push_back(addAround(
                    NodeKind::Group, index,
                    {rows.begin() + static_cast<std::ptrdiff_t>(i), rows.begin() + static_cast<std::ptrdiff_t>(end)}));
            } else {
                end = std::max(end, i + 1);
                result.insert(result.end(), rows.begin() + static_cast<std::ptrdiff_t>(i),
                              rows.begin() + static_cast<std::ptrdiff_t>(end));
            }
            i = end;
        }
        at(index).children = result;
    }

    std::uint64_t structureOf(int index)
    {
        const GraphNode &node = at(index);
        return node.cluster ? m_clusters.cluster(node.cluster).structure : 0;
    }

    void stackRuns(int index)
    {
        const std::vector<int> rows = at(index).children;
        std::vector<int> result;
        for (std::size_t i = 0; i < rows.size();) {
            std::size_t end = i + 1;
            const std::uint64_t structure = structureOf(rows[i]);
            while (structure != 0 && end < rows.size() && structureOf(rows[end]) == structure)
                ++end;
            if (end - i >= kShortestRun) {
                if (end - i == rows.size()) at(index).copies = static_cast<int>(rows.size());
                addRun(index,
                       {rows.begin() + static_cast<std::ptrdiff_t>(i), rows.begin() + static_cast<std::ptrdiff_t>(end)},
                       result);
            } else {
                result.insert(result.end(), rows.begin() + static_cast<std::ptrdiff_t>(i),
                              rows.begin() + static_cast<std::ptrdiff_t>(end));
            }
            i = end;
        }
        at(index).children = result;
    }

    void addRun(int parent, const std::vector<int> &members, std::vector<int> &result)
    {
        Run run;
        for (const int member : members)
            run.paths.push_back(at(member).path);
        run.key = run.paths.front();
        const auto choice = m_choices.find(run.key);
        const int last = static_cast<int>(members.size()) - 1;
        run.chosen = choice == m_choices.end() ? last : std::clamp(choice->second, 0, last);

        const auto chosen = members.begin() + run.chosen;
        addStack(parent, {members.begin(), chosen}, result);
        at(*chosen).run = static_cast<int>(m_tree.runs.size());
        result.push_back(*chosen);
        addStack(parent, {chosen + 1, members.end()}, result);
        m_tree.runs.push_back(std::move(run));
    }

    void addStack(int parent, const std::vector<int> &members, std::vector<int> &result)
    {
        if (members.size() < 2) {
            result.insert(result.end(), members.begin(), members.end());
            return;
        }
        const int stack = addAround(NodeKind::Stack, parent, members);
        at(stack).copies = static_cast<int>(members.size());
        result.push_back(stack);
    }

    /// A node around rows that stand together; named after the first and the last of them.
    int addAround(NodeKind kind, int parent, const std::vector<int> &members)
    {
        const int index = add(kind, parent, rangeName(at(members.front()).title, at(members.back()).title),
                              fmt::format("{} – {}", at(members.front()).path, at(members.back()).path));
        at(index).children = members;
        for (const int member : members)
            at(member).parent = index;
        collectOps(index, members);
        return index;
    }

    const Graph &m_graph;
    const ClusterTree &m_clusters;
    const RunChoices &m_choices;
    GraphTree m_tree;
    std::vector<OpId> m_twins;  ///< per op, the forward op it belongs to
    std::vector<char> m_filled; ///< per cluster: it or a cluster below has ops
    int m_depth = 0;
};

} // namespace

int GraphTree::find(const std::string &path) const
{
    const auto found = paths.find(path);
    return found == paths.end() ? -1 : found->second;
}

std::vector<int> GraphTree::lineage(int index) const
{
    std::vector<int> line;
    for (; index > 0; index = node(index).parent)
        line.push_back(index);
    return {line.rbegin(), line.rend()};
}

int GraphTree::childHolding(int ancestor, OpId op) const
{
    int index = leafOf[op.index()];
    while (index > 0 && node(index).parent != ancestor)
        index = node(index).parent;
    return index > 0 ? index : -1;
}

GraphTree buildGraphTree(const Graph &graph, const ClusterTree &clusters, const RunChoices &choices)
{
    return Builder(graph, clusters, choices).build();
}

std::vector<std::string> firstExpansion(const GraphTree &tree)
{
    constexpr std::size_t kMostRows = 24, kFewRows = 8;
    std::vector<std::string> paths;
    if (tree.nodes.empty()) return paths;
    std::size_t rows = tree.node(0).children.size();
    int open = 0;
    for (;;) {
        const GraphNode &parent = tree.node(open);
        int next = -1;
        std::size_t most = 0;
        for (const int child : parent.children) {
            const GraphNode &node = tree.node(child);
            if (node.kind != NodeKind::Cluster || node.loss) continue;
            const bool large = node.forwardOps.size() * 2 > parent.forwardOps.size() || rows < kFewRows;
            // The one of a run that is shown, or else the largest.
            const std::size_t weight = node.run >= 0 ? parent.forwardOps.size() + 1 : node.forwardOps.size();
            if ((large || node.run >= 0) && weight > most) {
                next = child;
                most = weight;
            }
        }
        if (next < 0 || rows + tree.node(next).children.size() > kMostRows) break;
        rows += tree.node(next).children.size();
        paths.push_back(tree.node(next).path);
        open = next;
    }
    return paths;
}

} // namespace remat
