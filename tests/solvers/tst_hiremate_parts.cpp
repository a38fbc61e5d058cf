// SPDX-License-Identifier: Apache-2.0
#include "solvers/blocks/block_graph.h"
#include "solvers/blocks/blocks.h"
#include "solvers/hiremate/leaf.h"
#include "solvers/hiremate/partition/partition.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/sampled.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace remat;
using namespace remat::hiremate;

namespace {

constexpr Partitioner kAll[] = {Partitioner::Repetitive, Partitioner::Sequence, Partitioner::BottomToTop,
                                Partitioner::ModuleTree};

/// Whether the labels are those of a chain: every block has forward ops, ascending, and backward labels descend.
bool isChain(const FlatGraph &flat, const std::vector<int> &labels)
{
    const auto forwardEnd = labels.begin() + flat.forwardOps;
    const int last = *std::prev(forwardEnd);
    const std::set<int> distinct(labels.begin(), forwardEnd);
    return labels.front() == 0 && static_cast<int>(distinct.size()) == last + 1 &&
           std::is_sorted(labels.begin(), forwardEnd) && std::is_sorted(forwardEnd, labels.end(), std::greater<>()) &&
           std::all_of(forwardEnd, labels.end(), [&](int label) { return label >= 0 && label <= last; });
}

/// First positions of the blocks, the end included.
std::vector<int> borders(const FlatGraph &flat, const std::vector<int> &labels)
{
    std::vector<int> positions = {0};
    for (int i = 1; i < flat.forwardOps; ++i)
        if (labels[static_cast<std::size_t>(i)] != labels[static_cast<std::size_t>(i) - 1]) positions.push_back(i);
    positions.push_back(flat.forwardOps);
    return positions;
}

/// A chain of forward ops of the given sizes, each read by its backward op.
Graph chainOf(const std::vector<std::int64_t> &bytes, const std::vector<std::string> &modules = {})
{
    test::GraphBuilder builder;
    std::vector<OpId> forward;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const StorageId input = i == 0 ? builder.resident(4) : builder.output(forward.back());
        forward.push_back(builder.op({input}, {{bytes[i]}}));
        if (!modules.empty()) builder.edit(forward.back()).module = modules[i];
    }
    StorageId gradient = builder.output(forward.back());
    for (std::size_t i = bytes.size(); i-- > 0;) {
        const OpId op = builder.op({gradient, builder.output(forward[i])}, {{10, StorageKind::Gradient, i == 0}}, 1,
                                   Phase::Backward);
        builder.edit(op).forwardOp = forward[i];
        gradient = builder.output(op);
    }
    return builder.finish();
}

std::vector<int> bordersOf(const Graph &graph, Partitioner partitioner, const PartitionSizes &sizes)
{
    const CostTable costs = test::graphCosts(graph);
    const FlatGraph flat = flatten(graph, costs);
    return borders(flat, partitionLabels(flat, partitioner, sizes));
}

} // namespace

/// The partitioners and the leaf planners of hiremate.
class TestHiremateParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyPartitionIsAChain()
    {
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 30 + 5 * static_cast<int>(seed);
            const Graph graph = test::randomGraph(seed, params);
            const CostTable costs = test::graphCosts(graph);
            const FlatGraph flat = flatten(graph, costs);
            if (flat.forwardOps == flat.ops) continue;
            const OpLine line(flat);
            for (const Partitioner partitioner : kAll) {
                const std::vector<int> labels = partitionLabels(flat, partitioner, {4, 9});
                QVERIFY2(isChain(flat, labels), qPrintable(QString("seed %1").arg(seed)));
                const std::vector<int> positions = borders(flat, labels);
                for (std::size_t p = 1; p < positions.size(); ++p)
                    QVERIFY(line.size(positions[p - 1], positions[p]) <= 9);
            }
        }
    }

    void bottomToTopJoinsWhereTheMostBytesWouldCross()
    {
        // Positions 1, 2, 3 are crossed by 90, 10, 80 bytes.
        const Graph graph = chainOf({90, 10, 80, 5});
        QCOMPARE(bordersOf(graph, Partitioner::BottomToTop, {1, 2}), (std::vector<int>{0, 2, 4}));
        QCOMPARE(bordersOf(graph, Partitioner::BottomToTop, {1, 4}), (std::vector<int>{0, 4}));
        // Joins, out of three, the two whose union has little around it: {0, 1} leaves 10 bytes, {1, 2} would leave 90
        // and 5.
        QCOMPARE(bordersOf(chainOf({90, 10, 80}), Partitioner::BottomToTop, {1, 2}), (std::vector<int>{0, 2, 3}));
    }

    void sequenceCutsWhereOneResultIsAllThatPasses()
    {
        // Two diamonds: op 0 and op 3 are passed by everything, ops 1 and 2 go side by side.
        test::GraphBuilder builder;
        OpId entry = builder.op({builder.resident(4)}, {{10}});
        std::vector<OpId> forward = {entry};
        for (int diamond = 0; diamond < 2; ++diamond) {
            const OpId left = builder.op({builder.output(entry)}, {{10}});
            const OpId right = builder.op({builder.output(entry)}, {{10}});
            entry = builder.op({builder.output(left), builder.output(right)}, {{10}});
            forward.insert(forward.end(), {left, right, entry});
        }
        StorageId gradient = builder.output(entry);
        for (std::size_t i = forward.size(); i-- > 0;) {
            const OpId op = builder.op({gradient, builder.output(forward[i])}, {{10, StorageKind::Gradient, i == 0}}, 1,
                                       Phase::Backward);
            builder.edit(op).forwardOp = forward[i];
            gradient = builder.output(op);
        }
        const Graph graph = builder.finish();
        QCOMPARE(bordersOf(graph, Partitioner::Sequence, {1, 3}), (std::vector<int>{0, 1, 4, 7}));
        QCOMPARE(bordersOf(graph, Partitioner::Sequence, {3, 4}), (std::vector<int>{0, 4, 7}));
    }

    void moduleTreeFollowsTheModules()
    {
        const std::vector<std::string> modules = {"net.a", "net.a", "net.b.x", "net.b.x", "net.b.y", "net.b.y", "head"};
        const Graph graph = chainOf({10, 10, 10, 10, 10, 10, 10}, modules);
        QCOMPARE(bordersOf(graph, Partitioner::ModuleTree, {1, 6}), (std::vector<int>{0, 6, 7}));
        QCOMPARE(bordersOf(graph, Partitioner::ModuleTree, {1, 5}), (std::vector<int>{0, 2, 6, 7}));
        QCOMPARE(bordersOf(graph, Partitioner::ModuleTree, {1, 3}), (std::vector<int>{0, 2, 4, 6, 7}));
        // Too small on its own: the head goes with what stands before it.
        QCOMPARE(bordersOf(graph, Partitioner::ModuleTree, {2, 3}), (std::vector<int>{0, 2, 4, 7}));
        // A graph without modules is one module.
        QCOMPARE(bordersOf(chainOf({90, 10, 80, 5}), Partitioner::ModuleTree, {1, 2}), (std::vector<int>{0, 2, 4}));
    }

    void layersOfAModelAreBlocksOfEveryPartitioner_data()
    {
        QTest::addColumn<Partitioner>("partitioner");
        QTest::newRow("repetitive") << Partitioner::Repetitive;
        QTest::newRow("sequence") << Partitioner::Sequence;
        QTest::newRow("bottom-to-top") << Partitioner::BottomToTop;
        QTest::newRow("module-tree") << Partitioner::ModuleTree;
    }

    void layersOfAModelAreBlocksOfEveryPartitioner()
    {
        QFETCH(const Partitioner, partitioner);
        const auto of = test::sampleCase("gpt2");
        if (!of) QFAIL(of.error().message.c_str());
        const FlatGraph flat = flatten(of->graph, of->costs);
        const std::vector<int> labels = partitionLabels(flat, partitioner, {});
        const Chain chain = makeChain(flat, labels, of->keepAllPeakBytes);
        std::set<int> distinct;
        for (const Block &block : chain.blocks)
            distinct.insert(block.representative);
        QVERIFY2(chain.blocks.size() >= 12 && chain.blocks.size() <= 30,
                 qPrintable(QString::number(chain.blocks.size())));
        QVERIFY2(distinct.size() <= 6, qPrintable(QString("%1 distinct blocks").arg(distinct.size())));
    }

    void noLeafPlannerBeatsTheOptimumOfItsBlock_data()
    {
        QTest::addColumn<QString>("leaf");
        for (const std::string &name : leafPlannerNames())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }

    void noLeafPlannerBeatsTheOptimumOfItsBlock()
    {
        QFETCH(const QString, leaf);
        int blocks = 0, found = 0;
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 7;
            params.computeOnce = seed % 3 == 0 ? 15 : 0;
            const test::Case of(seed % 2 == 0 ? test::chainGraph(3, {.seed = seed + 1})
                                              : test::randomGraph(seed, params));
            const FlatGraph flat = flatten(of.graph, of.costs);
            const Chain chain = makeChain(flat, partitionLabels(flat, PartitionSizes{1, 1000}), of.keepAllPeakBytes);
            if (chain.blocks.size() != 1 || chain.blocks[0].backwardOps() == 0) continue;
            const Block &block = chain.blocks[0];
            BlockGraph alone = blockGraph(flat, chain, block);
            const double keepAllUs = keepAllTimeUs(alone.costs);
            ++blocks;
            for (const Option &option : leafOptions(leaf.toStdString(), flat, chain, block, {}, {})) {
                const std::int64_t budget = std::max(option.forwardPeakBytes, option.backwardPeakBytes) +
                                            of.graph.storages.size() * std::int64_t(20);
                alone.costs.workspaceBytes[static_cast<std::size_t>(alone.between)] = budget - option.keptBytes;
                const std::optional<double> best = test::bruteForceOptimum(alone.graph, alone.costs, budget);
                QVERIFY(best && option.extraUs >= *best - keepAllUs - 1e-9);
                for (const ProgramStep &step : option.program)
                    QVERIFY(!step.recompute() || !block.ops[static_cast<std::size_t>(step.op)].once);
                found += option.extraUs > 0 ? 1 : 0;
            }
        }
        QVERIFY2(blocks > 10 && found > 20, qPrintable(QString("%1 options of %2 blocks").arg(found).arg(blocks)));
    }

    void everyCombinationPlansTheSamples_data()
    {
        QTest::addColumn<QString>("partitioner");
        QTest::addColumn<QString>("leaf");
        std::size_t row = 0;
        for (const std::string &partitioner : test::choicesOf("hiremate", "partitioner"))
            for (const std::string &leaf : leafPlannerNames())
                if (test::isSampled(row++))
                    QTest::addRow("%s, %s", partitioner.c_str(), leaf.c_str())
                        << QString::fromStdString(partitioner) << QString::fromStdString(leaf);
    }

    void everyCombinationPlansTheSamples()
    {
        QFETCH(const QString, partitioner);
        QFETCH(const QString, leaf);
        for (const char *sample : {"tiny_gpt2", "tiny_resnet", "tiny_transformer", "tiny_unet"}) {
            const auto of = test::sampleCase(sample);
            if (!of) QFAIL(of.error().message.c_str());
            for (const double share : {80.0, 60.0, 50.0}) {
                const auto outcome = test::plan("hiremate", *of, of->percent(share), test::within(0.4),
                                                {{"partitioner", partitioner.toStdString()},
                                                 {"leaf", leaf.toStdString()},
                                                 {"levels", "10"},
                                                 {"options-per-cluster", "20"},
                                                 {"rounds", "0"}});
                // solve() has passed it through the checker.
                QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
                QVERIFY(outcome->plan->predicted.peakBytes <= of->percent(share));
                QVERIFY(outcome->plan->predicted.timeUs >= outcome->boundTimeUs - 1e-6);
            }
        }
    }

    void blocksMatterWithEveryChoice()
    {
        // Not what a greedy on the whole graph finds by itself: every partitioner's chain does better here.
        const test::Case of(test::layeredGraph(12));
        const auto greedy =
            test::plan("hiremate", of, of.percent(55), test::within(60),
                       {{"leaf", "dtr"}, {"options-per-cluster", "4"}, {"levels", "2"}, {"rounds", "0"}});
        QVERIFY2(greedy && greedy->plan, test::sentenceOf(greedy).c_str());
        for (const std::string &partitioner : test::choicesOf("hiremate", "partitioner")) {
            const auto outcome = test::plan("hiremate", of, of.percent(55), test::within(60),
                                            {{"partitioner", partitioner}, {"rounds", "0"}});
            QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
            QVERIFY2(outcome->plan->predicted.timeUs < greedy->plan->predicted.timeUs, partitioner.c_str());
        }
    }

    void unknownChoicesAreRefusedWithASentence()
    {
        const test::Case of(test::layeredGraph(4));
        for (const char *option : {"partitioner", "leaf"}) {
            const auto outcome = test::plan("hiremate", of, of.percent(60), test::within(1), {{option, "dagp"}});
            QVERIFY(!outcome);
            QVERIFY2(outcome.error().message.find(option) != std::string::npos &&
                         outcome.error().message.find(option == std::string("leaf") ? "treewidth" : "module-tree") !=
                             std::string::npos,
                     outcome.error().message.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestHiremateParts)
#include "tst_hiremate_parts.moc"
