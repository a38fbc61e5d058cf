// SPDX-License-Identifier: Apache-2.0
#include "core/costs/reorder.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"

#include <QtTest>

using namespace remat;
using namespace remat::test;

namespace {

std::vector<OpId> firstsOf(const Plan &plan, const Graph &graph)
{
    return firstComputations(precedenceOf(graph), computeSequence(plan));
}

std::vector<OpId> inGraphOrder(const Graph &graph)
{
    std::vector<OpId> order;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        order.emplace_back(i);
    return order;
}

} // namespace

class TestOrderAuto : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reachesWhatTheGivenOrderForbids()
    {
        // Two results that can be made only once: in the given order both are held at a time.
        GraphBuilder builder;
        const StorageId x = builder.resident(1), y = builder.resident(1);
        const OpId a = builder.op({x}, {{100}}), b = builder.op({y}, {{100}});
        builder.edit(a).computeOnce = builder.edit(b).computeOnce = true;
        const OpId readA = builder.op({builder.output(a)}, {{10}}), readB = builder.op({builder.output(b)}, {{10}});
        builder.op({builder.output(readA), builder.output(readB)}, {{1, StorageKind::Activation, true}});
        const Case of(builder.finish());
        constexpr std::int64_t kBudget = 150;
        QVERIFY(!bruteForceOptimum(of.graph, of.costs, kBudget));

        const auto kept = plan("auto", of, kBudget, {}, {{"reorder", "false"}});
        QVERIFY2(kept, sentenceOf(kept).c_str());
        QVERIFY(!kept->plan);
        const auto moved = plan("auto", of, kBudget);
        QVERIFY2(moved, sentenceOf(moved).c_str());
        QVERIFY2(moved->plan, moved->message.c_str());
        QVERIFY(moved->plan->predicted.peakBytes <= kBudget);
        QCOMPARE(moved->plan->predicted.timeUs, of.keepAllTimeUs);
        QVERIFY(firstsOf(*moved->plan, of.graph) != inGraphOrder(of.graph));
    }

    void otherOrdersTakeLessTime()
    {
        int better = 0, worse = 0, checked = 0;
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            const Case of(randomGraph(seed, {.ops = 60, .maxInputs = 2, .graphOutput = 2}));
            const auto kept = plan("auto", of, of.percent(75), {}, {{"reorder", "false"}, {"effort", "40"}});
            const auto moved = plan("auto", of, of.percent(75), {}, {{"effort", "40"}});
            QVERIFY2(kept, sentenceOf(kept).c_str());
            QVERIFY2(moved, sentenceOf(moved).c_str());
            ++checked;
            if (!kept->plan) {
                better += moved->plan ? 1 : 0;
                continue;
            }
            QVERIFY(moved->plan);
            better += moved->plan->predicted.timeUs < kept->plan->predicted.timeUs - 1e-6 ? 1 : 0;
            worse += moved->plan->predicted.timeUs > kept->plan->predicted.timeUs + 1e-6 ? 1 : 0;
        }
        QVERIFY2(better * 2 > checked, qPrintable(QString("%1 of %2").arg(better).arg(checked)));
        QCOMPARE(worse, 0);
    }

    void threadsAndRunsChangeNothing()
    {
        const Case of(randomGraph(5, {.ops = 60, .maxInputs = 2, .graphOutput = 2}));
        std::vector<Plan> plans;
        for (const int threads : {1, 2, 2}) {
            SolveContext context;
            context.threads = threads;
            const auto outcome = plan("auto", of, of.percent(70), context, {{"effort", "20"}});
            QVERIFY2(outcome, sentenceOf(outcome).c_str());
            QVERIFY(outcome->plan);
            plans.push_back(*outcome->plan);
        }
        QVERIFY(plans[0].steps == plans[1].steps);
        QVERIFY(plans[1].steps == plans[2].steps);
        QVERIFY(firstsOf(plans[0], of.graph) != inGraphOrder(of.graph));
    }

    void theGivenOrderStaysWhereItIsBest()
    {
        // A chain has one order only.
        const Case of(chainGraph(12));
        const auto kept = plan("auto", of, of.percent(60), {}, {{"reorder", "false"}, {"effort", "20"}});
        const auto moved = plan("auto", of, of.percent(60), {}, {{"effort", "20"}});
        QVERIFY2(kept && moved, sentenceOf(kept).c_str());
        QVERIFY(kept->plan && moved->plan);
        QVERIFY(moved->plan->predicted.timeUs <= kept->plan->predicted.timeUs);
        QVERIFY(firstsOf(*moved->plan, of.graph) == inGraphOrder(of.graph));
    }
};

QTEST_GUILESS_MAIN(TestOrderAuto)
#include "tst_order_auto.moc"
