// SPDX-License-Identifier: Apache-2.0
#include "solvers/tools/translate.h"
#include "tests/solvers/planner_checks.h"

#include <cmath>
#include <map>

using namespace remat;

class TestChenSqrt : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aChainComputesEveryForwardOpAtMostTwice()
    {
        const test::Case chain(test::chainGraph(25));
        const auto outcome = test::plan("chen-sqrt", chain, chain.keepAllPeakBytes - 1);
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        std::map<OpId, int> computed;
        for (const OpId op : computeSequence(*outcome->plan))
            ++computed[op];
        for (const auto &[op, times] : computed)
            QVERIFY(times <= 2);
        QVERIFY(outcome->plan->predicted.timeUs < chain.keepAllTimeUs + 25 * 1.0);
    }

    void thePeakOfAChainGrowsLikeTheRoot()
    {
        std::map<int, double> activations;
        for (const int stages : {16, 64, 256}) {
            const test::Case chain(test::chainGraph(stages));
            const auto outcome = test::plan("chen-sqrt", chain, chain.keepAllPeakBytes);
            activations[stages] = static_cast<double>(outcome->plan->predicted.peakBytes) / 10;
        }
        for (const auto &[stages, held] : activations)
            QVERIFY2(held < 2 * std::sqrt(stages) + 6, qPrintable(QString("%1: %2").arg(stages).arg(held)));
    }

    void takesTheNearestSpacingThatFits()
    {
        const test::Case chain(test::chainGraph(36));
        const auto root = test::plan("chen-sqrt", chain, chain.keepAllPeakBytes);
        const std::int64_t less = root->plan->predicted.peakBytes - 1;
        const auto nearest = test::plan("chen-sqrt", chain, less);
        QVERIFY(nearest.has_value());
        if (nearest->plan)
            QVERIFY(nearest->plan->predicted.peakBytes <= less);
        else
            QVERIFY(nearest->smallestPeakBytes > less);
    }

    void aSetNumberOfSegmentsIsKept()
    {
        const test::Case chain(test::chainGraph(36));
        const auto two = test::plan("chen-sqrt", chain, chain.keepAllPeakBytes, {}, {{"segments", "2"}});
        const auto nine = test::plan("chen-sqrt", chain, chain.keepAllPeakBytes, {}, {{"segments", "9"}});
        QVERIFY(two->plan && nine->plan);
        QVERIFY(two->plan->predicted.peakBytes > nine->plan->predicted.peakBytes);
        const auto none = test::plan("chen-sqrt", chain, two->plan->predicted.peakBytes - 1, {}, {{"segments", "2"}});
        QCOMPARE(none->status, SolveStatus::Infeasible);
    }

    void saysTheSmallestPeakWhenNothingFits()
    {
        const test::Case chain(test::chainGraph(36));
        std::int64_t budget = chain.keepAllPeakBytes;
        Expected<SolveOutcome> outcome = test::plan("chen-sqrt", chain, budget);
        while (outcome && outcome->plan) {
            budget = outcome->plan->predicted.peakBytes - 1;
            outcome = test::plan("chen-sqrt", chain, budget);
        }
        QCOMPARE(outcome->status, SolveStatus::Infeasible);
        QVERIFY(!outcome->message.empty());
        QVERIFY(outcome->smallestPeakBytes > budget);
    }

    void needsABackwardPart() { test::needsABackwardPart("chen-sqrt"); }

    void neverOverBudgetOnRandomTrainingGraphs() { test::neverOverBudget("chen-sqrt", 20); }

    void tinySamplesAtHalfOfThePeak_data() { test::textRows("name", test::kTinySamples); }

    void tinySamplesAtHalfOfThePeak()
    {
        QFETCH(const QString, name);
        const auto of = test::sampleCase(name.toStdString());
        if (!of) QFAIL(of.error().message.c_str());
        const auto outcome = test::plan("chen-sqrt", *of, of->percent(50));
        QVERIFY2(outcome && outcome->plan, outcome ? outcome->message.c_str() : outcome.error().message.c_str());
    }

    void translatingKeepsAndRecomputesWhatItWasTold()
    {
        const test::Case chain(test::chainGraph(6));
        const FlatGraph flat = flatten(chain.graph, chain.costs);
        ForwardChoice all;
        all.kept.assign(static_cast<std::size_t>(flat.storages()), 1);
        all.segment.assign(static_cast<std::size_t>(flat.ops), 0);
        QVERIFY(translate(flat, all).empty());

        ForwardChoice none = all;
        none.kept.assign(none.kept.size(), 0);
        const std::vector<Recompute> recomputes = translate(flat, none);
        QVERIFY(std::is_sorted(recomputes.begin(), recomputes.end()));
        std::map<int, int> times;
        for (const Recompute &r : recomputes) {
            QVERIFY(r.op < flat.forwardOps && r.slot >= flat.forwardOps);
            ++times[r.op];
        }
        for (const auto &[op, count] : times)
            QCOMPARE(count, 1);
    }
};

QTEST_GUILESS_MAIN(TestChenSqrt)
#include "tst_chen_sqrt.moc"
