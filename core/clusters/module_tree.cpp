// SPDX-License-Identifier: Apache-2.0
#include "core/clusters/cluster_tree.h"

#include "core/clusters/pairing.h"
#include "core/clusters/structure_hash.h"

#include <algorithm>
#include <fmt/core.h>
#include <string_view>
#include <unordered_map>

namespace remat {

namespace {

bool isNumber(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Makes the clusters of module paths; every parent stands before its children.
class TreeBuilder
{
public:
    explicit TreeBuilder(const Graph &graph)
    {
        Cluster root;
        root.name = graph.name;
        m_tree.clusters.push_back(root);
        m_tree.clusterOf.resize(graph.ops.size());
    }

    ClusterId at(const std::string &path)
    {
        if (const auto found = m_byPath.find(path); found != m_byPath.end()) return found->second;
        ClusterId cluster = m_tree.root();
        std::size_t begin = 0;
        while (begin < path.size()) {
            const std::size_t end = std::min(path.find('.', begin), path.size());
            if (end > begin) cluster = child(cluster, path.substr(0, end), path.substr(begin, end - begin));
            begin = end + 1;
        }
        m_byPath.emplace(path, cluster);
        return cluster;
    }

    void put(OpId op, bool backward, ClusterId cluster)
    {
        Cluster &target = m_tree.clusters[cluster.index()];
        (backward ? target.backwardOps : target.forwardOps).push_back(op);
        m_tree.clusterOf[op.index()] = cluster;
    }

    ClusterTree &tree() { return m_tree; }

private:
    ClusterId child(ClusterId parent, const std::string &path, const std::string &component)
    {
        const auto [entry, isNew] = m_byPath.try_emplace(path, ClusterId(m_tree.clusters.size()));
        if (!isNew) return entry->second;
        Cluster cluster;
        cluster.path = path;
        cluster.parent = parent;
        // "11" alone says nothing: layers of a list carry the list's name.
        const std::string &above = m_tree.cluster(parent).name;
        cluster.name =
            isNumber(component) && parent != m_tree.root() ? fmt::format("{}.{}", above, component) : component;
        m_tree.clusters[parent.index()].children.push_back(entry->second);
        m_tree.clusters.push_back(cluster);
        return entry->second;
    }

    ClusterTree m_tree;
    std::unordered_map<std::string, ClusterId> m_byPath{{std::string(), ClusterId(0)}};
};

void hashStructures(const Graph &graph, ClusterTree &tree)
{
    RelativeNumbers numbers(graph);
    for (std::size_t c = tree.clusters.size(); c-- > 0;) {
        Cluster &cluster = tree.clusters[c];
        StructureHash hash;
        numbers.startSet();
        for (const std::vector<OpId> *ops : {&cluster.forwardOps, &cluster.backwardOps}) {
            hash.add(static_cast<std::uint64_t>(ops->size()));
            for (const OpId op : *ops)
                addOp(hash, graph, graph.op(op), numbers);
        }
        for (const ClusterId child : cluster.children)
            hash.add(tree.cluster(child).structure);
        cluster.structure = hash.value();
    }
}

/// For each op that sums gradients and is said to belong to the loss, as other tracers write what autograd adds up: the
/// backward op that takes the sum on, whose module's gradient it is. None for all other ops.
std::vector<OpId> takersOfSums(const Graph &graph, const std::vector<OpId> &twins)
{
    const auto ofBackward = [&](StorageId read) {
        const OpId maker = graph.storage(read).producer;
        return maker && graph.op(maker).phase == Phase::Backward;
    };
    std::vector<OpId> reader(graph.storages.size()), takers(graph.ops.size());
    for (std::size_t i = graph.ops.size(); i-- > 0;) {
        const Op &op = graph.ops[i];
        const bool sums = op.phase == Phase::Backward && op.kind.find("add") != std::string::npos &&
                          op.inputs.size() == 2 && std::all_of(op.inputs.begin(), op.inputs.end(), ofBackward);
        if (sums && twins[i] && graph.op(twins[i]).phase == Phase::Loss && op.outputs.size() == 1) {
            const OpId next = reader[op.outputs.front().index()];
            takers[i] = next && takers[next.index()] ? takers[next.index()] : next;
        }
        for (const StorageId read : op.inputs)
            reader[read.index()] = OpId(i); // the first one, since the walk goes back
    }
    return takers;
}

} // namespace

std::vector<OpId> allOps(const ClusterTree &tree, ClusterId cluster)
{
    std::vector<OpId> ops;
    std::vector<ClusterId> open = {cluster};
    while (!open.empty()) {
        const Cluster &current = tree.cluster(open.back());
        open.pop_back();
        ops.insert(ops.end(), current.forwardOps.begin(), current.forwardOps.end());
        ops.insert(ops.end(), current.backwardOps.begin(), current.backwardOps.end());
        open.insert(open.end(), current.children.begin(), current.children.end());
    }
    std::sort(ops.begin(), ops.end());
    return ops;
}

ClusterTree moduleTree(const Graph &graph)
{
    TreeBuilder builder(graph);
    const std::vector<OpId> twins = forwardTwins(graph);
    const bool hasLoss =
        std::any_of(graph.ops.begin(), graph.ops.end(), [](const Op &op) { return op.phase == Phase::Loss; });
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        if (op.phase != Phase::Backward)
            builder.put(OpId(i), false, builder.at(op.phase == Phase::Loss ? "loss" : op.module));
    }
    const std::vector<OpId> takers = takersOfSums(graph, twins);
    ClusterId previous = builder.at(hasLoss ? "loss" : "");
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (graph.ops[i].phase != Phase::Backward) continue;
        const OpId twin = takers[i] ? twins[takers[i].index()] : twins[i];
        if (twin) previous = builder.tree().clusterOf[twin.index()];
        builder.put(OpId(i), true, previous);
    }
    hashStructures(graph, builder.tree());
    linkCopies(builder.tree());
    return std::move(builder.tree());
}

} // namespace remat
