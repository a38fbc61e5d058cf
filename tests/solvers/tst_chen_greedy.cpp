// SPDX-License-Identifier: Apache-2.0
#include "tests/solvers/planner_checks.h"

#include <QtTest>

#include <map>

using namespace remat;

class TestChenGreedy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aChainComputesEveryForwardOpAtMostTwice()
    {
        const test::Case chain(test::chainGraph(25));
        const auto outcome = test::plan("chen-greedy", chain, chain.percent(50));
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        std::map<OpId, int> computed;
        for (const OpId op : computeSequence(*outcome->plan))
            QVERIFY(++computed[op] <= 2);
    }

    void oneSizeCutsWhereTheBytesSay()
    {
        // Six ops of 10 bytes and a loss; one segment size only, that of all bytes: nothing is cut and nothing
        // recomputed.
        const test::Case chain(test::chainGraph(6));
        const auto all = test::plan("chen-greedy", chain, chain.keepAllPeakBytes, {}, {{"levels", "1"}});
        QVERIFY(all && all->plan);
        QCOMPARE(all->plan->predicted.timeUs, chain.keepAllTimeUs);
        const auto less = test::plan("chen-greedy", chain, chain.keepAllPeakBytes - 1, {}, {{"levels", "1"}});
        QVERIFY(less && !less->plan);
        QCOMPARE(less->status, SolveStatus::Infeasible);
        QCOMPARE(less->smallestPeakBytes, chain.keepAllPeakBytes);
    }

    void theFastestSizeThatFits()
    {
        const test::Case chain(test::chainGraph(36));
        double last = 0;
        for (int share = 100; share >= 40; share -= 5) {
            const auto outcome = test::plan("chen-greedy", chain, chain.percent(share));
            QVERIFY2(outcome && outcome->plan, outcome ? outcome->message.c_str() : "failed");
            QVERIFY(outcome->plan->predicted.peakBytes <= chain.percent(share));
            QVERIFY(outcome->plan->predicted.timeUs >= last - 1e-9);
            last = outcome->plan->predicted.timeUs;
        }
        QVERIFY(last > chain.keepAllTimeUs);
    }

    void neverOverBudgetOnRandomTrainingGraphs() { test::neverOverBudget("chen-greedy", 20); }

    void needsABackwardPart() { test::needsABackwardPart("chen-greedy"); }
};

QTEST_GUILESS_MAIN(TestChenGreedy)
#include "tst_chen_greedy.moc"
