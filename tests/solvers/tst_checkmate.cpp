// SPDX-License-Identifier: Apache-2.0
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/nets.h"
#include "tests/support/patience.h"
#include "tests/support/sampled.h"

#include <QtTest>

using namespace remat;

namespace {

/// A chain or a graph with skips in which op k reads `inputs[k]`; the last op makes the output.
Graph smallNet(const std::vector<std::vector<int>> &inputs)
{
    const std::vector<double> times{1, 10, 5, 1, 4, 2, 1};
    const std::vector<std::int64_t> bytes{1'000'000, 4'000'000, 1'000'000, 1'000'000, 3'000'000, 1'500'000, 1'000'000};
    test::GraphBuilder builder;
    std::vector<OpId> ops;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        std::vector<StorageId> reads;
        for (const int from : inputs[k])
            reads.push_back(builder.output(ops[static_cast<std::size_t>(from)]));
        const test::GraphBuilder::Output made{bytes[k], StorageKind::Activation, k + 1 == inputs.size()};
        ops.push_back(builder.op(reads, {made}, times[k]));
    }
    return builder.finish();
}

bool isSmall(const Graph &graph)
{
    std::size_t planned = 0;
    for (std::size_t s = 0; s < graph.storages.size(); ++s)
        planned += graph.planned(StorageId(s)) ? 1U : 0U;
    return planned <= 14;
}

} // namespace

class TestCheckmate : public QObject
{
    Q_OBJECT

private:
    static void agreesWithBruteForce(const test::Case &of, double share, int &optima)
    {
        const std::int64_t budget = of.percent(share);
        const std::optional<double> best = test::bruteForceOptimum(of.graph, of.costs, budget);
        const auto outcome = test::plan("checkmate", of, budget);
        QVERIFY2(outcome, test::sentenceOf(outcome).c_str());
        if (!best) {
            QCOMPARE(outcome->status, SolveStatus::Infeasible);
            QVERIFY(!outcome->plan);
            return;
        }
        QVERIFY2(outcome->plan, outcome->message.c_str());
        QCOMPARE(outcome->status, SolveStatus::Optimal);
        QVERIFY2(std::abs(outcome->plan->predicted.timeUs - *best) < 1e-6 * *best,
                 qPrintable(QString("%1 against %2").arg(outcome->plan->predicted.timeUs).arg(*best)));
        if (*best > of.keepAllTimeUs) ++optima;
    }

private Q_SLOTS:
    void randomGraphs()
    {
        int optima = 0;
        for (const std::uint64_t seed : test::seedsOfToday(1, 60)) {
            test::RandomGraphParams params;
            params.ops = 5 + static_cast<int>(seed % 3);
            params.joint = seed % 2 == 1;
            params.computeOnce = seed % 5 == 0 ? 20 : 0;
            const test::Case of(test::randomGraph(seed, params));
            if (!isSmall(of.graph)) continue;
            for (const double share : {92., 84., 76., 68., 60.})
                agreesWithBruteForce(of, share, optima);
            if (QTest::currentTestFailed()) return;
        }
        QVERIFY(optima > (test::testsAll() ? 10 : 2));
    }

    void chains()
    {
        int optima = 0;
        for (int stages = 2; stages <= 6; ++stages)
            for (std::uint64_t seed = 0; seed < 3; ++seed) {
                test::ChainParams params;
                params.seed = seed;
                const test::Case of(test::chainGraph(stages, params));
                for (const double share : {90., 75., 60., 50., 40.})
                    agreesWithBruteForce(of, share, optima);
                if (QTest::currentTestFailed()) return;
            }
        QVERIFY(optima > 20);
    }

    /// Schröder et al., XEngine, TACO 2022: the optima of its own tests on one device.
    void publishedOptima_data()
    {
        QTest::addColumn<std::vector<std::vector<int>>>("inputs");
        QTest::addColumn<qint64>("budget");
        QTest::addColumn<double>("optimum");
        using Inputs = std::vector<std::vector<int>>;
        QTest::newRow("chain of 2") << Inputs{{}, {0}} << qint64(5'000'000) << 11.0;
        QTest::newRow("chain of 3") << Inputs{{}, {0}, {1}} << qint64(5'000'000) << 16.0;
        QTest::newRow("chain of 7") << Inputs{{}, {0}, {1}, {2}, {3}, {4}, {5}} << qint64(5'000'000) << 24.0;
        QTest::newRow("skips") << Inputs{{}, {0}, {1}, {1, 2}, {3}, {4}, {2, 5}} << qint64(6'000'000) << 24.0;
    }
    void publishedOptima()
    {
        QFETCH(const std::vector<std::vector<int>>, inputs);
        QFETCH(const qint64, budget);
        QFETCH(const double, optimum);
        const test::Case of(smallNet(inputs));
        const auto outcome = test::plan("checkmate", of, budget);
        QVERIFY2(outcome, test::sentenceOf(outcome).c_str());
        QCOMPARE(outcome->status, SolveStatus::Optimal);
        QCOMPARE(outcome->plan->predicted.timeUs, optimum);
    }

    /// Steiner et al., MODeL, ICML 2023: the least peaks of two of its own test graphs, here in an order that reaches
    /// them. Nothing below fits, computed again or not.
    void publishedPeaks_data()
    {
        QTest::addColumn<std::vector<std::vector<int>>>("edges"); // maker, reader, bytes
        QTest::addColumn<int>("ops");
        QTest::addColumn<qint64>("peak");
        using Edges = std::vector<std::vector<int>>;
        QTest::newRow("simple") << Edges{{0, 1, 10}, {1, 2, 20}, {1, 3, 30}, {3, 4, 40}} << 5 << qint64(70);
        QTest::newRow("diamond") << Edges{{0, 1, 10}, {1, 4, 20}, {1, 2, 30}, {2, 3, 40},
                                          {3, 5, 50}, {4, 5, 60}, {5, 6, 10}}
                                 << 7 << qint64(130);
    }
    void publishedPeaks()
    {
        QFETCH(const std::vector<std::vector<int>>, edges);
        QFETCH(const int, ops);
        QFETCH(const qint64, peak);
        test::GraphBuilder builder;
        std::vector<std::vector<StorageId>> reads(static_cast<std::size_t>(ops));
        for (int k = 0; k < ops; ++k) {
            std::vector<test::GraphBuilder::Output> made;
            for (const std::vector<int> &edge : edges)
                if (edge[0] == k) made.push_back({edge[2]});
            if (made.empty()) made.push_back({0, StorageKind::Activation, true});
            const OpId op = builder.op(reads[static_cast<std::size_t>(k)], made);
            std::size_t which = 0;
            for (const std::vector<int> &edge : edges)
                if (edge[0] == k) reads[static_cast<std::size_t>(edge[1])].push_back(builder.output(op, which++));
        }
        const test::Case of(builder.finish());
        QCOMPARE(of.keepAllPeakBytes, peak);
        const auto at = test::plan("checkmate", of, peak), below = test::plan("checkmate", of, peak - 1);
        QVERIFY(at && below && at->plan);
        QCOMPARE(at->plan->predicted.timeUs, of.keepAllTimeUs);
        QCOMPARE(below->status, SolveStatus::Infeasible);
    }

    void nets_data()
    {
        QTest::addColumn<int>("net");
        QTest::addColumn<double>("share");
        QTest::newRow("VGG16 at 90 %") << 16 << 90.;
        QTest::newRow("VGG19 at 80 %") << 19 << 80.;
        QTest::newRow("VGG-U-Net at 80 %") << 71 << 80.;
        QTest::newRow("VGG-U-Net at 60 %") << 71 << 60.;
    }
    void nets()
    {
        QFETCH(const int, net);
        QFETCH(const double, share);
        const test::Case of(net == 16 ? test::vgg16() : net == 19 ? test::vgg19() : test::vggUnet());
        SolveContext context;
        context.deadline = Deadline(120);
        double bound = 0;
        context.progress = [&](const SolveProgress &progress) { bound = std::max(bound, progress.boundTimeUs); };
        const auto outcome = test::plan("checkmate", of, of.percent(share), context);
        QVERIFY2(outcome, test::sentenceOf(outcome).c_str());
        QCOMPARE(outcome->status, SolveStatus::Optimal);
        QVERIFY(bound <= outcome->plan->predicted.timeUs * (1 + 1e-9));
    }

    void randomTrainingGraphs()
    {
        for (const std::uint64_t seed : {1U, 2U, 4U, 5U}) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 36;
            const test::Case of(test::randomGraph(seed, params));
            QVERIFY(of.graph.ops.size() >= 45 && of.graph.ops.size() <= 75);
            SolveContext context;
            context.deadline = Deadline(120);
            const auto outcome = test::plan("checkmate", of, of.percent(90), context);
            QVERIFY2(outcome, test::sentenceOf(outcome).c_str());
            QCOMPARE(outcome->status, SolveStatus::Optimal);
            QVERIFY(outcome->plan->predicted.timeUs > of.keepAllTimeUs);
        }
    }

    void provesThatNothingFits()
    {
        const test::Case of(test::chainGraph(12));
        int infeasible = 0;
        for (double share = 60; share >= 10; share -= 10) {
            const auto outcome = test::plan("checkmate", of, of.percent(share));
            QVERIFY(outcome);
            QVERIFY(outcome->status == SolveStatus::Optimal || outcome->status == SolveStatus::Infeasible);
            if (outcome->status != SolveStatus::Infeasible) continue;
            ++infeasible;
            QVERIFY(!outcome->message.empty());
        }
        QVERIFY(infeasible > 0);
    }

    void refusesLargeGraphs()
    {
        const test::Case of(test::layeredGraph(20));
        const auto outcome = test::plan("checkmate", of, of.percent(50));
        QVERIFY(!outcome);
        QVERIFY(test::sentenceOf(outcome).find("hiremate") != std::string::npos);
    }

    void keepsTimeAndStops()
    {
        const test::Case of(test::layeredGraph(4));
        SolveContext context;
        context.deadline = Deadline(1.5);
        QElapsedTimer timer;
        timer.start();
        const auto late = test::plan("checkmate", of, of.percent(60), context);
        QVERIFY2(late, test::sentenceOf(late).c_str());
        QVERIFY(late->plan);
        QVERIFY2(timer.elapsed() < 1500 + test::kPatienceMs, qPrintable(QString::number(timer.elapsed())));

        StopToken stop;
        SolveContext stoppable;
        stoppable.stop = &stop;
        bool some = false;
        stoppable.progress = [&](const SolveProgress &progress) {
            some = some || progress.incumbent;
            if (some && progress.activity == "Linear relaxation") stop.requestStop();
        };
        const auto stopped = test::plan("checkmate", of, of.percent(60), stoppable);
        QVERIFY(stopped && stopped->plan);
        QCOMPARE(stopped->status, SolveStatus::Stopped);
    }
};

QTEST_GUILESS_MAIN(TestCheckmate)
#include "tst_checkmate.moc"
