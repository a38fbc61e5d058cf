// SPDX-License-Identifier: Apache-2.0
#include "solvers/tools/setting_search.h"
#include "tests/solvers/solving.h"

#include <QtTest>

using namespace remat;

namespace {

/// The keep-all plan of a graph, as what one setting comes to.
SettingPlan keepAll(const test::Case &of)
{
    SettingPlan plan;
    plan.sequence = computeSequence(keepAllPlan(of.graph));
    plan.cost = sequenceCost(of.graph, of.costs, plan.sequence);
    return plan;
}

} // namespace

/// What a search over settings says about its plan.
class TestSettingSearch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPlanThatTimeCutShortSaysSo()
    {
        const test::Case of(test::chainGraph(3));
        SolveContext context;
        context.deadline = Deadline(0);
        SettingSearch search(of.keepAllPeakBytes, context);
        int turned = 0;
        search.search("Settings", {1, 2}, [&](std::int64_t) {
            ++turned;
            return keepAll(of);
        });
        QCOMPARE(turned, 0);
        QVERIFY(search.offer(keepAll(of)));
        const SolveOutcome outcome = search.outcome(of.graph, "plan");
        QVERIFY(outcome.plan);
        QCOMPARE(outcome.status, SolveStatus::Feasible);
        QCOMPARE(outcome.message, std::string(kTimeWasUp));
    }

    void aStopIsNoLackOfTime()
    {
        const test::Case of(test::chainGraph(3));
        StopToken stop;
        SolveContext context;
        context.stop = &stop;
        SettingSearch search(of.keepAllPeakBytes, context);
        QVERIFY(search.offer(keepAll(of)));
        QCOMPARE(search.outcome(of.graph, "plan").status, SolveStatus::Feasible);
        QVERIFY(search.outcome(of.graph, "plan").message.empty());
        stop.requestStop();
        const SolveOutcome outcome = search.outcome(of.graph, "plan");
        QVERIFY(outcome.plan && outcome.message.empty());
        QCOMPARE(outcome.status, SolveStatus::Stopped);
    }

    void withoutAPlanTheSentenceSaysWhatDoesNotFit()
    {
        const test::Case of(test::chainGraph(3));
        const SolveContext context;
        SettingSearch search(of.keepAllPeakBytes - 1, context);
        QVERIFY(!search.offer(keepAll(of)));
        const SolveOutcome outcome = search.outcome(of.graph, "sequence of lower sets");
        QVERIFY(!outcome.plan);
        QCOMPARE(outcome.status, SolveStatus::Infeasible);
        QVERIFY(outcome.message.find("No sequence of lower sets fits") == 0);
        QCOMPARE(outcome.smallestPeakBytes, of.keepAllPeakBytes);
    }
};

QTEST_GUILESS_MAIN(TestSettingSearch)
#include "tst_setting_search.moc"
