// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/cluster_options.h"
#include "solvers/hiremate/compose.h"
#include "solvers/hiremate/hierarchy.h"
#include "solvers/hiremate/leaf.h"
#include "solvers/hiremate/partition/partition.h"
#include "tests/solvers/solving.h"

#include <QtTest>

#include <algorithm>
#include <map>

using namespace remat;
using namespace remat::hiremate;

namespace {

constexpr std::int64_t kUnit = 1 << 10;

/// `layers` equal layers of four forward ops after an odd first op; each backward op reads its forward op's input.
Graph equalLayers(int layers)
{
    test::GraphBuilder builder;
    StorageId current = builder.resident(kUnit);
    std::vector<std::pair<OpId, StorageId>> forward;
    const auto add = [&](std::int64_t bytes, int us) {
        forward.emplace_back(builder.op({current}, {{bytes}}, us), current);
        current = builder.output(forward.back().first);
    };
    add(kUnit, 3);
    for (int layer = 0; layer < layers; ++layer) {
        add(4 * kUnit, 5);
        add(2 * kUnit, 1);
        add(3 * kUnit, 2);
        add(kUnit, 4);
    }
    const OpId loss = builder.op({current}, {{4, StorageKind::Activation, true}}, 1, Phase::Loss);
    StorageId gradient = builder.output(loss);
    for (std::size_t i = forward.size(); i-- > 0;) {
        const auto &[twin, input] = forward[i];
        const OpId op = builder.op({input, gradient}, {{kUnit, StorageKind::Gradient, i == 0}}, 2, Phase::Backward);
        builder.edit(op).forwardOp = twin;
        gradient = builder.output(op);
    }
    return builder.finish();
}

/// A case with the numbers that planners work on.
struct Flattened {
    explicit Flattened(Graph graph) : of(std::move(graph)), flat(flatten(of.graph, of.costs)) {}
    test::Case of;
    FlatGraph flat;
};

std::vector<int> fourOpBlocks(const FlatGraph &flat)
{
    return partitionLabels(flat, Partitioner::BottomToTop, {4, 4});
}

/// Clusters of every level, by how often each is used.
std::map<int, int> clustersPerLevel(const Hierarchy &hierarchy)
{
    std::map<int, int> count;
    for (const ClusterNode &node : hierarchy.clusters)
        count[node.level] += node.uses;
    return count;
}

std::vector<const std::vector<Option> *> pointers(const std::vector<int> &clusters,
                                                  const std::vector<std::vector<Option>> &options)
{
    std::vector<const std::vector<Option> *> list;
    for (const int c : clusters)
        list.push_back(&options[static_cast<std::size_t>(c)]);
    return list;
}

/// Options of every cluster, those inside first.
std::vector<std::vector<Option>> allOptions(const FlatGraph &flat, const Hierarchy &hierarchy)
{
    std::vector<std::vector<Option>> options(hierarchy.clusters.size());
    for (int level = hierarchy.levels; level > 0; --level)
        for (std::size_t c = 0; c < options.size(); ++c) {
            const ClusterNode &node = hierarchy.clusters[c];
            if (node.level != level) continue;
            const Chain &around = hierarchy.chainAround(node);
            if (node.leaf()) {
                options[c] = leafOptions("ilp", flat, around, hierarchy.blockOf(node), {}, {});
                continue;
            }
            options[c] = clusterOptions(flat, around, node.block, node.inner, pointers(node.children, options), {}, {});
        }
    return options;
}

} // namespace

/// The recursive decomposition of hiremate, and the options of clusters of clusters.
class TestHierarchy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void neighboursGoTogetherSoThatGroupsAreAlike()
    {
        // An odd first one, then pairs: groups of three pairs are all alike when the first group takes the odd one.
        std::vector<int> looks = {0};
        for (int pair = 0; pair < 12; ++pair)
            looks.insert(looks.end(), {1, 2});
        const std::vector<double> crossing(looks.size() - 1, 1);
        const std::vector<int> groups = groupNeighbours(looks, crossing, {5, 7});
        std::map<int, std::vector<int>> content;
        for (std::size_t i = 0; i < looks.size(); ++i)
            content[groups[i]].push_back(looks[i]);
        std::map<std::vector<int>, int> distinct;
        for (const auto &[group, of] : content)
            ++distinct[of];
        QCOMPARE(distinct.size(), std::size_t(2));
    }

    void groupsAreCutWhereFewBytesCross()
    {
        // Nothing is alike, and only after every sixth do few bytes cross.
        std::vector<int> looks(24);
        std::vector<double> crossing(23, 100);
        for (std::size_t i = 0; i < looks.size(); ++i)
            looks[i] = static_cast<int>(i);
        for (const std::size_t end : {5U, 11U, 17U})
            crossing[end] = 1;
        const std::vector<int> groups = groupNeighbours(looks, crossing, {5, 9});
        QCOMPARE(groups[5], groups[0]);
        QCOMPARE(groups[6], 1);
        QCOMPARE(groups[12], 2);
        QCOMPARE(groups[23], 3);
    }

    void everyLevelHoldsTheWholeGraph()
    {
        const Flattened of(equalLayers(60));
        const std::vector<int> blocks = fourOpBlocks(of.flat);
        const Hierarchy hierarchy = makeHierarchy(of.flat, blocks, of.of.keepAllPeakBytes, 3);
        QCOMPARE(hierarchy.levels, 3);
        QCOMPARE(clustersPerLevel(hierarchy).at(3), *std::max_element(blocks.begin(), blocks.end()) + 1);
        QVERIFY(hierarchy.top.blocks.size() < 10);
        // Sixty equal layers are a handful of distinct clusters.
        QVERIFY2(hierarchy.clusters.size() < 20, qPrintable(QString::number(hierarchy.clusters.size())));
        for (const ClusterNode &node : hierarchy.clusters) {
            const Block &block = hierarchy.blockOf(node);
            QVERIFY(node.parent < 0 ||
                    hierarchy.clusters[static_cast<std::size_t>(node.parent)].level == node.level - 1);
            if (node.leaf()) continue;
            QCOMPARE(node.inner.blocks.front().forwardBegin, block.forwardBegin);
            QCOMPARE(node.inner.blocks.back().forwardEnd, block.forwardEnd);
            QCOMPARE(node.inner.blocks.front().backwardEnd, block.backwardEnd);
            QCOMPARE(node.inner.blocks.back().backwardBegin, block.backwardBegin);
            for (std::size_t k = 1; k < node.inner.blocks.size(); ++k)
                QCOMPARE(node.inner.blocks[k].forwardBegin, node.inner.blocks[k - 1].forwardEnd);
        }
    }

    void depthFollowsFromTheGraph()
    {
        const Flattened small(equalLayers(20)), large(equalLayers(60)), deep(equalLayers(400));
        for (const auto &[of, levels] : {std::pair(&small, 1), {&large, 3}, {&deep, 3}})
            QCOMPARE(makeHierarchy(of->flat, fourOpBlocks(of->flat), of->of.keepAllPeakBytes, 0).levels, levels);
    }

    /// The memory of a cluster's option is what the whole graph takes, with everything else kept, apart from what
    /// others hold meanwhile.
    void optionsOfClustersAreExact()
    {
        const Flattened of(equalLayers(30));
        const Hierarchy hierarchy = makeHierarchy(of.flat, fourOpBlocks(of.flat), of.of.keepAllPeakBytes, 2);
        QCOMPARE(hierarchy.levels, 2);
        const std::vector<std::vector<Option>> options = allOptions(of.flat, hierarchy);
        const std::vector<BlockChoices> choices =
            choicesOf(of.flat, hierarchy.top, pointers(hierarchy.children, options));
        SequenceEvaluator evaluator(of.of.graph, of.of.costs);
        const double keepAllUs = replay(of.flat, evaluator, {}).timeUs;
        TopChoice all; // in every block the first option, which keeps the most
        all.option.assign(hierarchy.top.blocks.size(), 0);
        for (std::size_t k = 0; k < all.option.size(); ++k) {
            const std::vector<Option> &own = *choices[k].options;
            QVERIFY(own.size() > 3);
            for (std::size_t o = 0; o < own.size(); ++o) {
                TopChoice choice = all;
                choice.option[k] = static_cast<int>(o);
                const SequenceCost cost = replay(of.flat, evaluator, compose(of.flat, hierarchy.top, choices, choice));
                QCOMPARE(cost.timeUs, keepAllUs + own[o].extraUs);
            }
        }
    }

    /// With one option for each amount kept, the program over clusters of clusters still finds plans within the budget.
    void deepPlansFit_data()
    {
        QTest::addColumn<int>("depth");
        for (const int depth : {1, 2, 3})
            QTest::addRow("%d levels", depth) << depth;
    }

    void deepPlansFit()
    {
        QFETCH(int, depth);
        const test::Case of(equalLayers(24));
        SolveContext context;
        context.threads = 2;
        double before = 0;
        for (const double percent : {60.0, 30.0}) {
            int levels = 0;
            context.progress = [&](const SolveProgress &progress) {
                for (const ClusterProgress &row : progress.clusters)
                    levels = std::max(levels, row.level);
            };
            const auto outcome = test::plan("hiremate", of, of.percent(percent), context,
                                            {{"depth", std::to_string(depth)},
                                             {"block-min", "2"},
                                             {"block-max", "4"},
                                             {"levels", "8"},
                                             {"top", "ilp"},
                                             {"work", "10"}});
            QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
            QVERIFY(outcome->plan->predicted.peakBytes <= of.percent(percent));
            QVERIFY(outcome->plan->predicted.timeUs >= before - 1e-9);
            before = outcome->plan->predicted.timeUs;
            QVERIFY(levels == depth || levels == 0);
        }
    }
};

QTEST_GUILESS_MAIN(TestHierarchy)
#include "tst_hierarchy.moc"
