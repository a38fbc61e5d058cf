#include "core/clusters/cluster_tree.h"

#include "core/clusters/pairing.h"
#include "core/clusters/structure_hash.h"

#include <algorithm>
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
        cluster.name = isNumber(component) && parent != m_tree.root() ? above + "." + component : component;
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
    ClusterId previous = builder.at(hasLoss ? "loss" : "");
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (graph.ops[i].phase != Phase::Backward) continue;
        if (twins[i]) previous = builder.tree().clusterOf[twins[i].index()];
        builder.put(OpId(i), true, previous);
    }
    hashStructures(graph, builder.tree());
    linkCopies(builder.tree());
    return std::move(builder.tree());
}

} // namespace remat
