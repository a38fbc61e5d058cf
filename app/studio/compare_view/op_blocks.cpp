#include "app/studio/compare_view/op_blocks.h"

#include "app/studio/document/text.h"
#include "core/views/graph_names.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>
#include <map>

namespace remat::studio {

namespace {

const QString &partial()
{
    static const QString text = QStringLiteral("∂ ");
    return text;
}

} // namespace

OpBlocks::OpBlocks(const OpenModel &model) : m_labels(model.model->graph)
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
        m_blockPaths.push_back(m_labels.path(cluster.path));
        // A number alone says nothing.
        const bool number = !m_blockPaths.back().isEmpty() && m_blockPaths.back().front().isDigit();
        m_blockNames.push_back(number ? toQString(cluster.path) : m_blockPaths.back());
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
    QHash<QString, int> seen;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const ClusterId own = tree.clusterOf[i];
        const ClusterId block = blockOfCluster[own.index()] ? blockOfCluster[own.index()] : own;
        m_blockOf.push_back(block);
        m_placeOf.push_back(next[block.index()]++);
        m_ordinal.push_back(++seen[m_labels.op(graph, OpId(i))]);
    }
}

QString OpBlocks::rangeOf(const std::vector<ClusterId> &blocks) const
{
    if (blocks.empty()) return {};
    if (blocks.size() == 1) return blockName(blocks.front());
    const auto range = [this](ClusterId from, ClusterId to) {
        return toQString(rangeName(blockName(from).toStdString(), blockName(to).toStdString()));
    };
    const bool gapless = copy(blocks.back()) - copy(blocks.front()) + 1 == static_cast<int>(blocks.size());
    if (gapless) return range(blocks.front(), blocks.back());
    const auto &alike = m_alike[first(blocks.front()).index()];
    return QCoreApplication::translate("Comparison", "%1 of %2")
        .arg(blocks.size())
        .arg(range(alike.front(), alike.back()));
}

QString OpBlocks::opName(const Graph &graph, OpId op) const
{
    QString name = m_labels.op(graph, op);
    const bool backward = name.startsWith(partial());
    if (backward) name.remove(0, partial().size());
    const QString &block = m_blockPaths[m_blockOf[op.index()].index()];
    if (!block.isEmpty() && name.startsWith(block)) {
        QString inside = name.mid(block.size());
        if (inside.isEmpty() && !graph.op(op).kind.empty())
            name = toQString(humanKind(graph.op(backward ? graph.op(op).forwardOp : op).kind));
        else if (inside.startsWith(QLatin1Char('.')) || inside.startsWith(QLatin1Char(' ')))
            name = inside.mid(1);
    }
    if (const int ordinal = m_ordinal[op.index()]; ordinal > 1) name += QStringLiteral(" %1").arg(ordinal);
    return backward ? partial() + name : name;
}

QString OpBlocks::storageName(const Graph &graph, StorageId storage) const
{
    const OpId producer = graph.storage(storage).producer;
    if (!producer) return toQString(graph.storage(storage).name);
    const auto &outputs = graph.op(producer).outputs;
    const auto place = std::find(outputs.begin(), outputs.end(), storage) - outputs.begin();
    const QString name = opName(graph, producer);
    return place == 0 ? name : QCoreApplication::translate("Comparison", "%1 output %2").arg(name).arg(place + 1);
}

} // namespace remat::studio
