// SPDX-License-Identifier: Apache-2.0
#include "tests/solvers/planner_checks.h"

#include <QtTest>

using namespace remat;

namespace {

std::vector<int> sequenceOf(const Expected<SolveOutcome> &outcome)
{
    std::vector<int> ops;
    if (outcome && outcome->plan)
        for (const OpId op : computeSequence(*outcome->plan))
            ops.push_back(op.value);
    return ops;
}

} // namespace

class TestXlaGreedy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void takesTheLargestReductionWhateverItCosts()
    {
        // A (60 bytes, slow) and B (50 bytes, quick) are read late; C (40 bytes) brings the memory to 150.
        test::GraphBuilder graph;
        const StorageId a = graph.output(graph.op({}, {{60}}, 100));
        const StorageId b = graph.output(graph.op({}, {{50}}, 1));
        const StorageId c = graph.output(graph.op({}, {{40}}, 1));
        const StorageId d = graph.output(graph.op({a, c}, {{10}}, 1));
        graph.op({b, d}, {{1, StorageKind::Activation, true}}, 1);
        const test::Case of(graph.finish());
        QCOMPARE(of.keepAllPeakBytes, std::int64_t(160));
        // Over 120 at C, A goes first (60 > 50). Made again before D it drives B out (50 + 40 + 60 > 120).
        const auto outcome = test::plan("xla-greedy", of, 120);
        QCOMPARE(sequenceOf(outcome), (std::vector<int>{0, 1, 2, 0, 3, 1, 4}));
        QCOMPARE(outcome->plan->predicted.timeUs, 104.0 + 101.0);
        QCOMPARE(*test::bruteForceOptimum(of.graph, of.costs, 120), 104.0 + 1.0);
    }

    void nothingIsDoneWithinTheLimit()
    {
        const test::Case chain(test::chainGraph(8));
        const auto outcome = test::plan("xla-greedy", chain, chain.keepAllPeakBytes);
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        QCOMPARE(outcome->plan->predicted.timeUs, chain.keepAllTimeUs);
    }

    void whatItNeedsCountsWhenItIsGone()
    {
        // B is made from A, which is larger and read by nobody else: holding A instead of B gains nothing.
        test::GraphBuilder graph;
        const StorageId a = graph.output(graph.op({}, {{80}}));
        const StorageId b = graph.output(graph.op({a}, {{50}}));
        const StorageId c = graph.output(graph.op({}, {{60}}));
        const StorageId d = graph.output(graph.op({c}, {{60}}));
        graph.op({b, d}, {{1, StorageKind::Activation, true}});
        const test::Case of(graph.finish());
        QCOMPARE(of.keepAllPeakBytes, std::int64_t(170));
        const auto one = test::plan("xla-greedy", of, 150);
        QVERIFY2(one.has_value(), test::sentenceOf(one).c_str());
        QCOMPARE(one->status, SolveStatus::Infeasible);
        QCOMPARE(one->smallestPeakBytes, std::int64_t(170));
        // Both together hold nothing, and fit when B is made again beside D.
        const auto two = test::plan("xla-greedy", of, 190, {}, {{"block-size", "2"}});
        QVERIFY(two && two->plan);
    }

    void longerBlocksReachLower()
    {
        test::ChainParams params;
        params.gradientBytes = 1;
        const test::Case chain(test::chainGraph(24, params));
        const auto one = test::plan("xla-greedy", chain, chain.percent(45));
        const auto eight = test::plan("xla-greedy", chain, chain.percent(45), {}, {{"block-size", "8"}});
        QVERIFY(one && !one->plan);
        QVERIFY2(eight && eight->plan, test::sentenceOf(eight).c_str());
    }

    void threadsChangeNothing()
    {
        const test::Case chain(test::layeredGraph(4));
        SolveContext many;
        many.threads = 4;
        for (const double share : {90.0, 80.0})
            QCOMPARE(sequenceOf(test::plan("xla-greedy", chain, chain.percent(share))),
                     sequenceOf(test::plan("xla-greedy", chain, chain.percent(share), many)));
    }

    void neverBeatsTheOptimum_data() { test::textRows("planner", {"xla-greedy"}); }
    void neverBeatsTheOptimum() { test::neverBeatsTheOptimum(); }
    void downToInfeasible_data() { test::sampleRows({"xla-greedy"}); }
    void downToInfeasible() { test::downToInfeasible(); }
};

QTEST_GUILESS_MAIN(TestXlaGreedy)
#include "tst_xla_greedy.moc"
