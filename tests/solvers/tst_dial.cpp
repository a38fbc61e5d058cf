// SPDX-License-Identifier: Apache-2.0
#include "solvers/tools/dial.h"
#include "tests/solvers/solving.h"

#include <QTest>

using namespace remat;

namespace {

/// The keep-all plan of a graph, as a setting of a dial.
DialPlan keepAll(const test::Case &of)
{
    DialPlan plan;
    plan.sequence = computeSequence(keepAllPlan(of.graph));
    plan.cost = sequenceCost(of.graph, of.costs, plan.sequence);
    return plan;
}

} // namespace

/// What a search over the settings of a dial says about its plan.
class TestDial : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPlanThatTimeCutShortSaysSo()
    {
        const test::Case of(test::chainGraph(3));
        SolveContext context;
        context.deadline = Deadline(0);
        DialSearch search(of.keepAllPeakBytes, context);
        int turned = 0;
        search.turn("Settings", {1, 2}, [&](std::int64_t) {
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
        DialSearch search(of.keepAllPeakBytes, context);
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
        DialSearch search(of.keepAllPeakBytes - 1, context);
        QVERIFY(!search.offer(keepAll(of)));
        const SolveOutcome outcome = search.outcome(of.graph, "sequence of lower sets");
        QVERIFY(!outcome.plan);
        QCOMPARE(outcome.status, SolveStatus::Infeasible);
        QVERIFY(outcome.message.find("No sequence of lower sets fits") == 0);
        QCOMPARE(outcome.smallestPeakBytes, of.keepAllPeakBytes);
    }
};

QTEST_GUILESS_MAIN(TestDial)
#include "tst_dial.moc"
