// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/chunk_clusters.h"

#include "core/chunk/rewrite.h"
#include "core/chunk/title.h"
#include "core/clusters/structure_hash.h"

#include <algorithm>
#include <fmt/core.h>
#include <limits>
#include <unordered_map>
#include <unordered_set>

namespace remat {

namespace {

/// Which piece of which region an op is; region -1: it is none.
struct Piece {
    int region = -1, chunk = 0;
};

std::vector<Piece> piecesOf(const Graph &graph, const Chunking &chunking)
{
    std::unordered_map<std::string, int> regionOf;
    for (std::size_t r = 0; r < chunking.regions.size(); ++r)
        for (const auto &[name, mode] : chunking.regions[r].nodes)
            regionOf.emplace(name, static_cast<int>(r));
    std::vector<Piece> pieces(graph.ops.size());
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const auto [name, chunk] = chunkOf(graph.ops[i].name);
        if (chunk < 0) continue;
        if (const auto known = regionOf.find(name); known != regionOf.end()) {
            pieces[i] = {known->second, chunk};
            continue;
        }
        // What adds a piece to a running sum has a name of its own.
        for (const StorageId input : graph.ops[i].inputs) {
            const OpId maker = graph.storage(input).producer;
            if (maker && maker.index() < i && pieces[maker.index()].region >= 0 && pieces[maker.index()].chunk == chunk)
                pieces[i] = pieces[maker.index()];
        }
    }
    return pieces;
}

ClusterId commonCluster(const ClusterTree &tree, ClusterId a, ClusterId b)
{
    std::unordered_set<std::size_t> above;
    for (ClusterId c = a; c; c = tree.cluster(c).parent)
        above.insert(c.index());
    while (!above.contains(b.index()))
        b = tree.cluster(b).parent;
    return b;
}

/// Adds clusters to a tree, moves ops, and puts it in order again.
class Folder
{
public:
    Folder(const ClusterTree &modules, const Graph &graph, const Chunking &chunking)
        : m_tree(modules), m_graph(graph), m_chunking(chunking), m_pieces(piecesOf(graph, chunking))
    {
    }

    ClusterTree folded()
    {
        const std::vector<ClusterId> homes = homesOfRegions();
        for (Cluster &cluster : m_tree.clusters) {
            const auto isPiece = [this](OpId op) { return m_pieces[op.index()].region >= 0; };
            std::erase_if(cluster.forwardOps, isPiece);
            std::erase_if(cluster.backwardOps, isPiece);
        }
        std::vector<std::vector<ClusterId>> clusters;
        clusters.reserve(homes.size());
        for (std::size_t r = 0; r < homes.size(); ++r)
            clusters.push_back(homes[r] ? addRegion(homes[r], m_chunking.regions[r]) : std::vector<ClusterId>());
        for (std::size_t i = 0; i < m_pieces.size(); ++i) {
            if (m_pieces[i].region < 0) continue;
            const OpId op(i);
            const ClusterId to =
                clusters[static_cast<std::size_t>(m_pieces[i].region)][static_cast<std::size_t>(m_pieces[i].chunk)];
            Cluster &cluster = m_tree.clusters[to.index()];
            (m_graph.op(op).phase == Phase::Backward ? cluster.backwardOps : cluster.forwardOps).push_back(op);
            m_tree.clusterOf[i] = to;
        }
        return inOrder();
    }

private:
    std::vector<ClusterId> homesOfRegions() const
    {
        std::vector<ClusterId> homes(m_chunking.regions.size());
        for (std::size_t i = 0; i < m_pieces.size(); ++i) {
            if (m_pieces[i].region < 0) continue;
            ClusterId &home = homes[static_cast<std::size_t>(m_pieces[i].region)];
            home = home ? commonCluster(m_tree, home, m_tree.clusterOf[i]) : m_tree.clusterOf[i];
        }
        return homes;
    }

    ClusterId add(ClusterId parent, const std::string &name, std::uint64_t structure)
    {
        Cluster cluster;
        const std::string &above = m_tree.cluster(parent).path;
        cluster.name = name;
        cluster.path = above.empty() ? name : fmt::format("{}.{}", above, name);
        for (int n = 2; !m_paths.insert(cluster.path).second; ++n)
            cluster.path = fmt::format("{} {}", above.empty() ? name : above + "." + name, n);
        cluster.parent = parent;
        cluster.structure = structure;
        m_tree.clusters[parent.index()].children.emplace_back(m_tree.clusters.size());
        m_tree.clusters.push_back(std::move(cluster));
        return ClusterId(m_tree.clusters.size() - 1);
    }

    std::vector<ClusterId> addRegion(ClusterId home, const ChunkRegion &region)
    {
        StructureHash hash;
        hash.add(std::string_view(regionName(region)));
        hash.add(static_cast<std::int64_t>(region.k));
        hash.add(static_cast<std::uint64_t>(region.nodes.size()));
        const std::uint64_t whole = hash.value();
        hash.add(std::uint64_t{1});
        const ClusterId all = add(home, regionName(region) + " in chunks", whole);
        std::vector<ClusterId> pieces;
        pieces.reserve(static_cast<std::size_t>(region.k));
        for (int c = 0; c < region.k; ++c)
            pieces.push_back(add(all, fmt::format("chunk {} of {}", c + 1, region.k), hash.value()));
        return pieces;
    }

    /// Without empty clusters, parents before their children, children by their first forward op.
    ClusterTree inOrder() const
    {
        constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
        const std::size_t count = m_tree.clusters.size();
        std::vector<std::size_t> first(count, kNever);
        std::vector<char> empty(count, 1);
        for (std::size_t c = count; c-- > 0;) { // children stand behind their parents
            const Cluster &cluster = m_tree.clusters[c];
            if (!cluster.forwardOps.empty()) first[c] = std::min(first[c], cluster.forwardOps.front().index());
            if (!cluster.forwardOps.empty() || !cluster.backwardOps.empty()) empty[c] = 0;
            if (!cluster.parent || empty[c] != 0) continue;
            first[cluster.parent.index()] = std::min(first[cluster.parent.index()], first[c]);
            empty[cluster.parent.index()] = 0;
        }
        ClusterTree result;
        std::vector<ClusterId> moved(count);
        const auto put = [&](const auto &again, ClusterId from, ClusterId parent) -> ClusterId {
            const ClusterId to(result.clusters.size());
            moved[from.index()] = to;
            Cluster cluster = m_tree.cluster(from);
            std::vector<ClusterId> children = std::move(cluster.children);
            cluster.children.clear();
            cluster.parent = parent;
            result.clusters.push_back(std::move(cluster));
            std::erase_if(children, [&](ClusterId child) { return empty[child.index()] != 0; });
            std::stable_sort(children.begin(), children.end(),
                             [&](ClusterId a, ClusterId b) { return first[a.index()] < first[b.index()]; });
            for (const ClusterId child : children) {
                const ClusterId below = again(again, child, to); // the vector grows meanwhile
                result.clusters[to.index()].children.push_back(below);
            }
            return to;
        };
        put(put, m_tree.root(), {});
        for (const ClusterId of : m_tree.clusterOf)
            result.clusterOf.push_back(moved[of.index()]);
        linkCopies(result);
        return result;
    }

    ClusterTree m_tree;
    const Graph &m_graph;
    const Chunking &m_chunking;
    std::vector<Piece> m_pieces;
    std::unordered_set<std::string> m_paths;
};

} // namespace

ClusterTree chunkClusters(const ClusterTree &modules, const Graph &graph, const Chunking &chunking)
{
    return Folder(modules, graph, chunking).folded();
}

} // namespace remat
