// SPDX-License-Identifier: Apache-2.0
#include "core/views/op_blocks.h"

#include "core/views/graph_names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_map>

namespace remat {

namespace {

constexpr std::string_view kPartial = "∂ ";

} // namespace

OpBlocks::OpBlocks(const OpenModel &model, const Words &words) : m_words(orEnglish(words)), m_names(model.model->graph)
{
    const Graph &graph = model.model->graph;
    const ClusterTree &tree = model.modules;
    const std::size_t clusters = tree.clusters.size();
    // Parents stand before their children.
    std::vector<ClusterId> blockOfCluster(clusters);
    for (std::size_t c = 0; c < clusters; ++c) {
        const Cluster &cluster = tree.clusters[c];
        const ClusterId above = cluster.parent ? blockOfCluster[cluster.parent.index()] : ClusterId();
        if (above)
            blockOfCluster[c] = above;
        else if (cluster.copies > 1)
            blockOfCluster[c] = ClusterId(c);
    }

    m_first.resize(clusters);
    m_copy.assign(clusters, 0);
    m_copies.assign(clusters, 1);
    m_alike.resize(clusters);
    std::map<std::pair<std::int32_t, std::uint64_t>, ClusterId> known; // parent and structure
    for (std::size_t c = 0; c < clusters; ++c) {
        const Cluster &cluster = tree.clusters[c];
        m_blockPaths.push_back(m_names.path(cluster.path));
        // A number alone says nothing.
        const bool number =
            !m_blockPaths.back().empty() && std::isdigit(static_cast<unsigned char>(m_blockPaths.back().front())) != 0;
        m_blockNames.push_back(number ? cluster.path : m_blockPaths.back());
        const bool isBlock = blockOfCluster[c] == ClusterId(c);
        m_first[c] = isBlock ? known.try_emplace({cluster.parent.value, cluster.structure}, ClusterId(c)).first->second
                             : ClusterId(c);
        auto &alike = m_alike[m_first[c].index()];
        m_copy[c] = static_cast<int>(alike.size());
        alike.emplace_back(c);
    }
    for (const auto &alike : m_alike)
        for (const ClusterId each : alike)
            m_copies[each.index()] = static_cast<int>(alike.size());

    std::vector<int> next(clusters, 0);
    std::unordered_map<std::string, int> seen;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const ClusterId own = tree.clusterOf[i];
        const ClusterId block = blockOfCluster[own.index()] ? blockOfCluster[own.index()] : own;
        m_blockOf.push_back(block);
        m_placeOf.push_back(next[block.index()]++);
        m_ordinal.push_back(++seen[m_names.op(graph, OpId(i))]);
    }
}

std::string OpBlocks::rangeOf(const std::vector<ClusterId> &blocks) const
{
    if (blocks.empty()) return {};
    if (blocks.size() == 1) return blockName(blocks.front());
    const auto range = [this](ClusterId from, ClusterId to) { return rangeName(blockName(from), blockName(to)); };
    const bool gapless = copy(blocks.back()) - copy(blocks.front()) + 1 == static_cast<int>(blocks.size());
    if (gapless) return range(blocks.front(), blocks.back());
    const auto &alike = m_alike[first(blocks.front()).index()];
    return filled(m_words("Comparison", "%1 of %2"),
                  {std::to_string(blocks.size()), range(alike.front(), alike.back())});
}

std::string OpBlocks::opName(const Graph &graph, OpId op) const
{
    std::string name = m_names.op(graph, op);
    const bool backward = name.starts_with(kPartial);
    if (backward) name.erase(0, kPartial.size());
    const std::string &block = m_blockPaths[m_blockOf[op.index()].index()];
    if (!block.empty() && name.starts_with(block)) {
        const std::string inside = name.substr(block.size());
        if (inside.empty() && !graph.op(op).kind.empty())
            name = humanKind(graph.op(backward ? graph.op(op).forwardOp : op).kind);
        else if (inside.starts_with('.') || inside.starts_with(' '))
            name = inside.substr(1);
    }
    if (const int ordinal = m_ordinal[op.index()]; ordinal > 1) name.append(1, ' ').append(std::to_string(ordinal));
    return backward ? name.insert(0, kPartial) : name;
}

std::string OpBlocks::storageName(const Graph &graph, StorageId storage) const
{
    const OpId producer = graph.storage(storage).producer;
    if (!producer) return graph.storage(storage).name;
    const auto &outputs = graph.op(producer).outputs;
    const auto place = std::find(outputs.begin(), outputs.end(), storage) - outputs.begin();
    std::string name = opName(graph, producer);
    if (place == 0) return name;
    return filled(m_words("Comparison", "%1 output %2"), {std::move(name), std::to_string(place + 1)});
}

} // namespace remat
