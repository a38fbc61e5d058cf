// SPDX-License-Identifier: Apache-2.0
#include "core/clusters/block_cut.h"
#include "core/clusters/cluster_tree.h"
#include "tests/support/graphs.h"
#include "tests/support/random.h"

#include <QtTest>

#include <set>

using namespace remat;
using namespace remat::test;

namespace {

std::size_t distinct(const ClusterTree &tree)
{
    std::set<std::uint64_t> structures;
    for (const ClusterId block : tree.cluster(tree.root()).children)
        structures.insert(tree.cluster(block).structure);
    return structures.size();
}

ClusterTree partition(const Graph &graph, const PartitionSizes &sizes = {})
{
    return blockPartition(graph, graphCosts(graph).timeUs, sizes);
}

/// Blocks are contiguous in the forward order and, backwards, in the backward order; every op is in one of them.
void verifyBlocks(const Graph &graph, const ClusterTree &tree)
{
    QVERIFY(!tree.clusters.empty());
    const Cluster &root = tree.cluster(tree.root());
    QVERIFY(root.forwardOps.empty() && root.backwardOps.empty());
    QCOMPARE(root.children.size() + 1, tree.clusters.size());
    int forwardBlock = 0;
    int backwardBlock = static_cast<int>(root.children.size());
    std::size_t placed = 0;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const int block = tree.clusterOf[i].value;
        QVERIFY(block >= 1);
        if (graph.ops[i].phase == Phase::Backward) {
            QVERIFY(block <= backwardBlock);
            backwardBlock = block;
        } else {
            QVERIFY(block >= forwardBlock);
            forwardBlock = block;
        }
    }
    for (std::size_t j = 0; j < root.children.size(); ++j) {
        QVERIFY(root.children[j] == ClusterId(j + 1));
        const Cluster &block = tree.cluster(root.children[j]);
        placed += block.forwardOps.size() + block.backwardOps.size();
        for (const auto *ops : {&block.forwardOps, &block.backwardOps}) {
            QVERIFY(std::is_sorted(ops->begin(), ops->end()));
            for (const OpId op : *ops)
                QVERIFY(tree.clusterOf[op.index()] == root.children[j]);
        }
    }
    QCOMPARE(placed, graph.ops.size());
}

ForwardOrder orderOf(std::vector<std::int64_t> crossing)
{
    ForwardOrder order;
    order.crossingBytes = std::move(crossing);
    for (std::size_t i = 0; i + 1 < order.crossingBytes.size(); ++i) {
        order.ops.emplace_back(i);
        order.counts.push_back(1);
        order.looks.push_back(i);
    }
    return order;
}

/// The ends of the cut with the fewest crossing bytes, by looking at every start of every block; of cuts that are as
/// good, the one whose last block is longest, and so on to the front. Empty when there is none.
std::vector<std::size_t> cheapestEnds(const std::vector<std::int64_t> &crossing, std::size_t minOps, std::size_t maxOps)
{
    constexpr std::int64_t kNone = -1;
    const std::size_t n = crossing.size() - 1;
    std::vector<std::int64_t> best(n + 1, kNone);
    std::vector<std::size_t> from(n + 1, 0);
    best[0] = 0;
    for (std::size_t end = minOps; end <= n; ++end)
        for (std::size_t start = end > maxOps ? end - maxOps : 0; start + minOps <= end; ++start) {
            const std::int64_t total = best[start] + (end < n ? crossing[end] : 0);
            if (best[start] == kNone || (best[end] != kNone && total >= best[end])) continue;
            best[end] = total;
            from[end] = start;
        }
    std::vector<std::size_t> ends;
    for (std::size_t end = n; best[n] != kNone && end > 0; end = from[end])
        ends.insert(ends.begin(), end);
    return ends;
}

} // namespace

class TestBlockPartition : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cutsWhereTheFewestBytesCross()
    {
        //                                  0  1  2  3  4  5  6  7  8
        const auto cuts = cutCandidates(orderOf({0, 9, 9, 2, 9, 9, 1, 9, 0}), {2, 3});
        QVERIFY(cuts.front().ends == std::vector<std::size_t>({3, 6, 8}));
        QCOMPARE(cuts.front().crossingBytes, 3.0);
    }

    void noCutIsCheaper()
    {
        Random random(5);
        int compared = 0;
        for (int trial = 0; trial < 500; ++trial) {
            std::vector<std::int64_t> crossing(random.between(20, 120) + 1);
            const int most = random.percent(50) ? 3 : 1000; // few values: many cuts are as good
            for (std::int64_t &bytes : crossing)
                bytes = random.between(0, most);
            const int minOps = random.between(1, 10), maxOps = minOps + random.between(0, 15);
            const std::vector<std::size_t> ends = cheapestEnds(crossing, minOps, maxOps);
            if (ends.empty()) continue;
            QCOMPARE(cutCandidates(orderOf(crossing), {minOps, maxOps}).front().ends, ends);
            ++compared;
        }
        QVERIFY(compared > 300);
    }

    void largeBlocksAreCut()
    {
        Random random(6);
        // So many that what grows with the square would not end before the time limit of the test program.
        std::vector<std::int64_t> crossing(2'000'001);
        for (std::int64_t &bytes : crossing)
            bytes = random.between(0, 1000);
        QVERIFY(!cutCandidates(orderOf(crossing), {200'000, 600'000}).empty());
    }

    void sizesAreKeptOrRelaxed()
    {
        const ForwardOrder order = orderOf(std::vector<std::int64_t>(11, 1));
        for (const BlockCut &cut : cutCandidates(order, {3, 4})) {
            std::size_t begin = 0;
            for (const std::size_t end : cut.ends) {
                QVERIFY(end - begin >= 3 && end - begin <= 4);
                begin = end;
            }
        }
        // 10 ops in blocks of 7 to 8: the lower limit gives way.
        std::size_t begin = 0;
        const BlockCut relaxed = cutCandidates(order, {7, 8}).front();
        for (const std::size_t end : relaxed.ends) {
            QVERIFY(end - begin <= 8);
            begin = end;
        }
        QCOMPARE(begin, 10U);
        QCOMPARE(cutCandidates(order, {14, 30}).size(), 1U);
        QVERIFY(cutCandidates(order, {14, 30}).front().ends == std::vector<std::size_t>({10}));
        QVERIFY(cutCandidates(orderOf({0}), {14, 30}).front().ends == std::vector<std::size_t>({0}));
        QVERIFY(!cutCandidates(order, {0, 0}).empty());
        QVERIFY(!cutCandidates(order, {-5, -9}).empty());
    }

    void trivialOpsDoNotCount()
    {
        ForwardOrder order = orderOf(std::vector<std::int64_t>(41, 1));
        for (std::size_t i = 0; i < 40; ++i)
            order.counts[i] = i % 4 == 0 ? 1 : 0;
        for (const BlockCut &cut : cutCandidates(order, {5, 5})) {
            QCOMPARE(cut.ends.size(), 2U);
            QVERIFY(cut.ends[0] >= 17 && cut.ends[0] <= 20);
        }
    }

    void layersFallAlike()
    {
        const Graph graph = layeredGraph(12);
        const ClusterTree tree = partition(graph);
        verifyBlocks(graph, tree);
        QVERIFY(distinct(tree) <= 3);
        QVERIFY(tree.clusters.size() >= 6);
        const Cluster &middle = tree.cluster(ClusterId(3));
        QCOMPARE(static_cast<std::size_t>(middle.copies) + distinct(tree), tree.clusters.size());
    }

    void twiceTheLayersAreNotMoreWork()
    {
        QCOMPARE(distinct(partition(layeredGraph(24))), distinct(partition(layeredGraph(12))));
        QCOMPARE(distinct(partition(layeredGraph(48))), distinct(partition(layeredGraph(12))));
    }

    void lossAndFirstBackwardOpsAreInTheLastBlock()
    {
        const Graph graph = layeredGraph(4);
        const ClusterTree tree = partition(graph);
        const ClusterId last = tree.cluster(tree.root()).children.back();
        for (std::size_t i = 0; i < graph.ops.size(); ++i)
            if (graph.ops[i].phase == Phase::Loss) QVERIFY(tree.clusterOf[i] == last);

        GraphBuilder builder;
        const StorageId x = builder.resident(1);
        StorageId current = x;
        for (int i = 0; i < 8; ++i)
            current = builder.output(builder.op({current}, {{10}}));
        const OpId loss = builder.op({current}, {{1, StorageKind::Activation, true}}, 1, Phase::Loss);
        const OpId ones = builder.op({builder.output(loss)}, {{1}}, 1, Phase::Backward);
        const OpId first = builder.op({builder.output(ones)}, {{1, StorageKind::Gradient, true}}, 1, Phase::Backward);
        builder.edit(first).forwardOp = OpId(0);
        const Graph small = builder.finish();
        const ClusterTree blocks = partition(small, {2, 3});
        verifyBlocks(small, blocks);
        QVERIFY(blocks.clusters.size() > 3);
        QVERIFY(blocks.clusterOf[ones.index()] == blocks.cluster(blocks.root()).children.back());
        QVERIFY(blocks.clusterOf[first.index()] == ClusterId(1));
    }

    void oneStrayBackwardOpDoesNotDragTheRest()
    {
        // A backward op of the first block right after the loss (a mask, say) must not pull all the others there.
        Graph graph = layeredGraph(6);
        const ClusterTree before = partition(graph);
        std::size_t stray = 0;
        while (graph.ops[stray].phase != Phase::Backward)
            ++stray;
        graph.ops[stray + 1].forwardOp = OpId(0);
        const ClusterTree after = partition(graph);
        verifyBlocks(graph, after);
        std::size_t moved = 0;
        for (std::size_t i = 0; i < graph.ops.size(); ++i)
            moved += before.clusterOf[i] != after.clusterOf[i] ? 1U : 0U;
        QVERIFY(moved <= 3);
    }

    void otherTimesAreAnotherStructure()
    {
        const Graph graph = layeredGraph(12);
        std::vector<double> timeUs = graphCosts(graph).timeUs;
        const std::size_t same = distinct(blockPartition(graph, timeUs, {}));
        timeUs[100] *= 2;
        QVERIFY(distinct(blockPartition(graph, timeUs, {})) > same);

        // Measured times: the noise of a measurement does not count.
        timeUs = graphCosts(graph).timeUs;
        Random random(1);
        for (double &us : timeUs)
            us *= random.between(97, 103) / 100.0;
        QCOMPARE(distinct(blockPartition(graph, timeUs, {})), same);
    }

    void withoutBackward()
    {
        GraphBuilder builder;
        StorageId current = builder.resident(1);
        for (int i = 0; i < 100; ++i)
            current = builder.output(builder.op({current}, {{10, StorageKind::Activation, i == 99}}));
        const Graph graph = builder.finish();
        const ClusterTree tree = partition(graph);
        verifyBlocks(graph, tree);
        QVERIFY(tree.clusters.size() >= 5);
        for (const Cluster &block : tree.clusters)
            QVERIFY(block.backwardOps.empty());
    }

    void randomGraphsAreCovered()
    {
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const Graph graph = randomGraph(seed, {.ops = 1 + static_cast<int>(seed % 90), .joint = seed % 2 == 0});
            verifyBlocks(graph, partition(graph, {1 + static_cast<int>(seed % 5), 3 + static_cast<int>(seed % 9)}));
        }
        const Graph empty;
        QCOMPARE(partition(empty).clusters.size(), 2U);
    }

    void manyLayersAreFewBlocks()
    {
        const Graph graph = layeredGraph(300);
        const ClusterTree tree = partition(graph);
        qInfo("%zu ops: %zu blocks, %zu distinct", graph.ops.size(), tree.clusters.size() - 1, distinct(tree));
        QVERIFY(distinct(tree) < tree.clusters.size() / 10);
    }

    void samples_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("mostDistinct");
        QTest::newRow("gpt2") << "gpt2" << 4;
        QTest::newRow("gpt2_24") << "gpt2_24" << 3;
        QTest::newRow("resnet50") << "resnet50" << 100;
        QTest::newRow("unet") << "unet" << 100;
        QTest::newRow("transformer") << "transformer" << 9;
    }

    void samples()
    {
        QFETCH(QString, name);
        QFETCH(int, mostDistinct);
        const auto model = loadSample(name.toStdString());
        if (!model) QFAIL(model.error().message.c_str());
        const auto device = findDevice("reference");
        QVERIFY(device);
        const ClusterTree tree = blockPartition(model->graph, rooflineCosts(*model, *device).timeUs, {});
        verifyBlocks(model->graph, tree);
        qInfo("%s: %zu blocks, %zu distinct", qPrintable(name), tree.clusters.size() - 1, distinct(tree));
        QVERIFY(distinct(tree) <= static_cast<std::size_t>(mostDistinct));
    }
};

QTEST_GUILESS_MAIN(TestBlockPartition)
#include "tst_block_partition.moc"
