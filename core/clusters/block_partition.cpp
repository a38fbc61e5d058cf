// SPDX-License-Identifier: Apache-2.0
#include "core/clusters/cluster_tree.h"

#include "core/clusters/block_cut.h"
#include "core/clusters/block_name.h"
#include "core/clusters/pairing.h"
#include "core/clusters/structure_hash.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace remat {

namespace {

/// Times of the same op measured in two layers differ by this much.
constexpr double kTimeNoiseUs = 1;
constexpr double kTimeNoiseShare = 0.1;
/// How much more than the fewest possible bytes may cross the boundaries for the sake of identical blocks.
constexpr double kCrossingTolerance = 1.25;

/// Blocks with their ops, from the cuts of the forward order.
ClusterTree blocksFromCuts(const Graph &graph, const ForwardOrder &order, const std::vector<OpId> &twins,
                           const std::vector<std::size_t> &cuts)
{
    ClusterTree tree;
    tree.clusters.resize(cuts.size() + 1);
    tree.clusterOf.resize(graph.ops.size());
    Cluster &root = tree.clusters.front();
    root.name = graph.name;
    std::size_t begin = 0;
    for (std::size_t j = 0; j < cuts.size(); ++j) {
        const ClusterId id(j + 1);
        Cluster &block = tree.clusters[id.index()];
        block.path = "block " + std::to_string(j + 1);
        block.parent = tree.root();
        root.children.push_back(id);
        for (; begin < cuts[j]; ++begin) {
            block.forwardOps.push_back(order.ops[begin]);
            tree.clusterOf[order.ops[begin].index()] = id;
        }
        block.name = blockName(graph, block.forwardOps, block.path);
    }

    std::vector<OpId> backward;
    std::vector<int> wanted;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (graph.ops[i].phase != Phase::Backward) continue;
        backward.emplace_back(i);
        wanted.push_back(twins[i] ? tree.clusterOf[twins[i].index()].value : -1);
    }
    const std::vector<int> labels = fallingLabels(wanted, static_cast<int>(cuts.size()));
    for (std::size_t k = 0; k < backward.size(); ++k) {
        const ClusterId id(labels[k]);
        tree.clusters[id.index()].backwardOps.push_back(backward[k]);
        tree.clusterOf[backward[k].index()] = id;
    }
    return tree;
}

/// Whether the ops of two blocks, one by one, take the same time up to the noise of a measurement.
bool sameTimes(const std::vector<OpId> &a, const std::vector<OpId> &b, const std::vector<double> &timeUs)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](OpId x, OpId y) {
        const double one = timeUs[x.index()], other = timeUs[y.index()];
        return std::abs(one - other) <= kTimeNoiseUs + kTimeNoiseShare * std::max(one, other);
    });
}

void hashBlocks(const Graph &graph, const std::vector<double> &timeUs, ClusterTree &tree)
{
    // Who outside its block reads a storage decides what a planner can do with it.
    enum : std::uint8_t { kForwardOutside = 1, kBackwardOutside = 2 };
    std::vector<std::uint8_t> outside(graph.storages.size(), 0);
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        for (const StorageId input : graph.ops[i].inputs) {
            const OpId producer = graph.storage(input).producer;
            if (!producer || tree.clusterOf[producer.index()] == tree.clusterOf[i]) continue;
            outside[input.index()] |= graph.ops[i].phase == Phase::Backward ? kBackwardOutside : kForwardOutside;
        }
    }
    RelativeNumbers numbers(graph);
    StructureHash whole;
    std::unordered_map<std::uint64_t, std::vector<ClusterId>>
        alike; // blocks by structure, with times of their own each
    for (std::size_t c = 1; c < tree.clusters.size(); ++c) {
        Cluster &block = tree.clusters[c];
        StructureHash hash;
        numbers.startSet();
        for (const std::vector<OpId> *ops : {&block.forwardOps, &block.backwardOps}) {
            hash.add(static_cast<std::uint64_t>(ops->size()));
            for (const OpId id : *ops) {
                addOp(hash, graph, graph.op(id), numbers);
                for (const StorageId output : graph.op(id).outputs)
                    hash.add(static_cast<std::uint64_t>(outside[output.index()]) * 2 +
                             static_cast<std::uint64_t>(graph.storage(output).isOutput));
            }
        }
        std::vector<ClusterId> &group = alike[hash.value()];
        const auto found = std::find_if(group.begin(), group.end(), [&](ClusterId other) {
            return sameTimes(tree.cluster(other).forwardOps, block.forwardOps, timeUs) &&
                   sameTimes(tree.cluster(other).backwardOps, block.backwardOps, timeUs);
        });
        hash.add(static_cast<std::uint64_t>(found - group.begin()));
        if (found == group.end()) group.emplace_back(c);
        block.structure = hash.value();
        whole.add(block.structure);
    }
    tree.clusters.front().structure = whole.value();
    linkCopies(tree);
}

} // namespace

ClusterTree blockPartition(const Graph &graph, const std::vector<double> &timeUs, const PartitionSizes &sizes)
{
    const ForwardOrder order = forwardOrder(graph, timeUs);
    const std::vector<OpId> twins = forwardTwins(graph);
    ClusterTree best;
    std::size_t bestDistinct = 0;
    double fewestBytes = 0;
    for (const BlockCut &cut : cutCandidates(order, sizes)) {
        // The first candidate is the one with the fewest bytes.
        if (best.clusters.empty()) fewestBytes = cut.crossingBytes;
        if (cut.crossingBytes > kCrossingTolerance * fewestBytes) continue;
        ClusterTree tree = blocksFromCuts(graph, order, twins, cut.ends);
        hashBlocks(graph, timeUs, tree);
        std::set<std::uint64_t> structures;
        for (std::size_t c = 1; c < tree.clusters.size(); ++c)
            structures.insert(tree.clusters[c].structure);
        if (!best.clusters.empty() && structures.size() >= bestDistinct) continue;
        bestDistinct = structures.size();
        best = std::move(tree);
    }
    return best;
}

} // namespace remat
