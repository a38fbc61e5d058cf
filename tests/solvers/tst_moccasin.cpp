#include "core/base/expected.h"

#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/nets.h"

#include <QTest>

#include <algorithm>

using namespace remat;

namespace {

int mostComputations(const Plan &plan, const Graph &graph)
{
    std::vector<int> times(graph.ops.size(), 0);
    for (const OpId op : computeSequence(plan))
        ++times[op.index()];
    return *std::max_element(times.begin(), times.end());
}

/// One tensor that is read four times, far apart, with something large between two reads: three large ones in all.
Graph readAgainAndAgain()
{
    test::GraphBuilder builder;
    const OpId first = builder.op({}, {{10}}, 1);
    OpId last = builder.op({builder.output(first)}, {{1}}, 1);
    for (int k = 0; k < 3; ++k) {
        const OpId large = builder.op({builder.output(last)}, {{20}}, 1);
        const OpId small = builder.op({builder.output(large)}, {{1}}, 1);
        last = builder.op({builder.output(small), builder.output(first)}, {{1, StorageKind::Activation, k == 2}}, 1);
    }
    return builder.finish();
}

} // namespace

class TestMoccasin : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agreesWithBruteForce()
    {
        int equal = 0;
        for (int seed = 1; seed <= 40; ++seed) {
            test::RandomGraphParams params;
            params.ops = 5 + seed % 3;
            params.joint = seed % 2 == 1;
            const test::Case of(test::randomGraph(static_cast<std::uint64_t>(seed), params));
            if (of.graph.storages.size() > 15) continue;
            for (const double share : {88., 76., 64.}) {
                const std::optional<double> best = test::bruteForceOptimum(of.graph, of.costs, of.percent(share));
                const Expected<SolveOutcome> many =
                    test::plan("moccasin", of, of.percent(share), {}, {{"copies", "20"}});
                const Expected<SolveOutcome> two = test::plan("moccasin", of, of.percent(share));
                QVERIFY(many && two);
                QVERIFY(many->plan.has_value() == best.has_value() && (best || !two->plan));
                if (!best) continue;
                QCOMPARE(many->status, SolveStatus::Optimal);
                QVERIFY(std::abs(many->plan->predicted.timeUs - *best) < 1e-6 * *best);
                if (!two->plan) continue;
                QVERIFY(two->plan->predicted.timeUs >= *best - 1e-6);
                QVERIFY(mostComputations(*two->plan, of.graph) <= 2);
                // What the free optimum does with two copies is open to it as well.
                if (mostComputations(*many->plan, of.graph) > 2) continue;
                QVERIFY(std::abs(two->plan->predicted.timeUs - *best) < 1e-6 * *best);
                ++equal;
            }
        }
        QVERIFY(equal > 10);
    }

    void copiesAreWhatIsLimited_data()
    {
        QTest::addColumn<QString>("exactOps");
        QTest::newRow("by branch and cut") << "80";
        QTest::newRow("by search") << "0";
    }
    void copiesAreWhatIsLimited()
    {
        QFETCH(const QString, exactOps);
        const test::Case of(readAgainAndAgain());
        // The large ones do not fit beside the tensor, so it must be made once more for each of its three later reads.
        const auto solve = [&](const char *copies) {
            return test::plan("moccasin", of, 25, {}, {{"copies", copies}, {"exact-ops", exactOps.toStdString()}});
        };
        const Expected<SolveOutcome> four = solve("4"), three = solve("3"), one = solve("1");
        QVERIFY(four && three && one);
        QVERIFY(four->plan);
        QCOMPARE(four->plan->predicted.timeUs, of.keepAllTimeUs + 3);
        QCOMPARE(mostComputations(*four->plan, of.graph), 4);
        QVERIFY(!three->plan && !one->plan);
        QCOMPARE(three->status, SolveStatus::Infeasible);
        QVERIFY(three->message.find("3") != std::string::npos);
    }

    void nets()
    {
        const test::Case of(test::vggUnet());
        double before = 0;
        for (const double share : {90., 80., 70.}) {
            const Expected<SolveOutcome> exact = test::plan("moccasin", of, of.percent(share));
            const Expected<SolveOutcome> searched =
                test::plan("moccasin", of, of.percent(share), {}, {{"exact-ops", "0"}});
            QVERIFY2(exact && searched, test::sentenceOf(exact).c_str());
            QVERIFY(exact->plan && searched->plan);
            QCOMPARE(exact->status, SolveStatus::Optimal);
            const double us = exact->plan->predicted.timeUs;
            QVERIFY(us >= before - 1e-6 && searched->plan->predicted.timeUs >= us - 1e-6);
            QVERIFY(mostComputations(*exact->plan, of.graph) <= 2 && mostComputations(*searched->plan, of.graph) <= 2);
            before = us;
        }
    }

    void largeGraphs()
    {
        const test::Case of(test::layeredGraph(12));
        for (const double share : {80., 60., 45.}) {
            const Expected<SolveOutcome> outcome =
                test::plan("moccasin", of, of.percent(share), {}, {{"moves", "20"}, {"copies", "3"}});
            QVERIFY2(outcome, test::sentenceOf(outcome).c_str());
            QVERIFY(outcome->plan);
            QVERIFY(mostComputations(*outcome->plan, of.graph) <= 3);
        }
    }
};

QTEST_GUILESS_MAIN(TestMoccasin)
#include "tst_moccasin.moc"
