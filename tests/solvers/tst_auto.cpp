// SPDX-License-Identifier: Apache-2.0
// The planner `auto`: plans at once, better ones later, the same ones always.
#include "core/bounds/plan_bound.h"
#include "core/costs/reorder.h"
#include "solvers/portfolio/board.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/random_layered.h"
#include "tests/support/sampled.h"

#include <QtTest>

using namespace remat;

namespace {

std::map<std::string, std::string> quick()
{
    return {{"effort", "10"}, {"rounds", "4"}, {"hiremate", "false"}};
}

} // namespace

class TestAuto : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void threadsAndRunsChangeNothing()
    {
        const test::Case of(test::layeredGraph(5));
        for (const std::uint64_t seed : {0, 9}) {
            std::vector<Step> first;
            for (const int threads : {1, 2, 2, 4}) {
                SolveContext context;
                context.threads = threads;
                context.seed = seed;
                const auto outcome = test::plan("auto", of, of.percent(60), context, quick());
                QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
                if (first.empty()) first = outcome->plan->steps;
                QVERIFY(outcome->plan->steps == first);
            }
        }
    }

    void threadsAndRunsChangeNothingWithHiremateEither_data()
    {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<int>("percent");
        if (test::isSampled(0, 2)) QTest::newRow("gpt2") << "tiny_gpt2" << 35;
        if (test::isSampled(1, 2)) QTest::newRow("unet") << "tiny_unet" << 45;
    }

    void threadsAndRunsChangeNothingWithHiremateEither()
    {
        QFETCH(const QString, sample);
        QFETCH(const int, percent);
        const auto of = test::sampleCase(sample.toStdString());
        if (!of) QFAIL(test::sentenceOf(of).c_str());
        std::vector<Step> first;
        for (const int threads : {1, 1, 2, 4}) {
            bool hiremate = false;
            SolveContext context;
            context.threads = threads;
            context.deadline = Deadline(1000);
            context.progress = [&](const SolveProgress &progress) {
                hiremate = hiremate || progress.activity == "HiRemate";
            };
            const auto outcome = test::plan("auto", *of, of->percent(percent), context,
                                            {{"effort", "5"}, {"rounds", "2"}, {"use-time", "off"}});
            QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
            QVERIFY(hiremate);
            QVERIFY2(outcome->message.find(kTimeWasUp) == std::string::npos, outcome->message.c_str());
            if (first.empty()) first = outcome->plan->steps;
            QVERIFY(outcome->plan->steps == first);
        }
    }

    /// Bound and plan in turn as long as there is time and they are apart: here until somebody stops it.
    void theTimeIsUsedWhilePlanAndBoundAreApart()
    {
        const auto of = test::sampleCase("tiny_unet");
        if (!of) QFAIL(test::sentenceOf(of).c_str());
        for (const bool useTime : {true, false}) {
            int bounds = 0;
            double boundUs = 0;
            bool falls = false;
            StopToken stop;
            SolveContext context;
            context.stop = &stop;
            context.deadline = Deadline(1000);
            context.progress = [&](const SolveProgress &progress) {
                if (progress.incumbent || progress.boundTimeUs < 0) return;
                falls =
                    falls || (bounds > 0 && progress.activity == "a better proof" && progress.boundTimeUs < boundUs);
                boundUs = progress.boundTimeUs;
                if (progress.activity == "a better proof" && ++bounds == 3) stop.requestStop();
            };
            const auto outcome = test::plan("auto", *of, of->percent(50), context,
                                            {{"effort", "2"},
                                             {"rounds", "2"},
                                             {"hiremate", "off"},
                                             {"reorder", "off"},
                                             {"use-time", useTime ? "on" : "off"}});
            QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
            QVERIFY(!falls);
            QCOMPARE(stop.stopRequested(), useTime);
            QVERIFY(outcome->plan->predicted.lowerBoundTimeUs <= outcome->plan->predicted.timeUs);
            // The quick bound and what the programs add.
            QVERIFY(outcome->plan->predicted.lowerBoundTimeUs >=
                    boundForPlan(of->graph, of->costs, *outcome->plan).timeUs);
        }
    }

    /// Also when all work that was counted for the limit is done, and then it says that the clock ended it.
    void allTheTimeIsUsedWhilePlanAndBoundAreApart()
    {
        const test::Case of(test::randomLayeredGraph(3, {.ops = 60}));
        SolveContext context;
        context.deadline = Deadline(2);
        const auto outcome = test::plan("auto", of, of.percent(60), context, {{"hiremate", "off"}});
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        const Prediction &predicted = outcome->plan->predicted;
        const bool near = predicted.timeUs - of.keepAllTimeUs <= 1.01 * (predicted.lowerBoundTimeUs - of.keepAllTimeUs);
        QVERIFY(!near); // or the test shows nothing
        QVERIFY(context.deadline.secondsLeft() < 0.2);
        QVERIFY2(outcome->message.find(kTimeWasUp) != std::string::npos, outcome->message.c_str());
    }

    /// A plan in another order than the graph's has a bound of that order, and it holds.
    void ownBoundsHold()
    {
        int others = 0;
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            test::RandomLayeredParams params;
            params.ops = 30;
            const test::Case of(test::randomLayeredGraph(seed, params));
            const auto outcome =
                test::plan("auto", of, of.percent(70), {}, {{"effort", "10"}, {"rounds", "4"}, {"hiremate", "off"}});
            QVERIFY2(outcome, test::sentenceOf(outcome).c_str());
            if (!outcome->plan || kindOfPlan(of.graph, *outcome->plan) != HoldsFor::AnyOrder) continue;
            const std::vector<OpId> order = firstComputations(precedenceOf(of.graph), computeSequence(*outcome->plan));
            Expected<ReorderedGraph> reordered = reorderGraph(of.graph, of.costs, order);
            QVERIFY(reordered);
            const test::Case own(std::move(reordered->graph), std::move(reordered->costs));
            const auto best = test::plan("checkmate", own, of.percent(70));
            QVERIFY(best && best->plan);
            QCOMPARE(best->status, SolveStatus::Optimal);
            QVERIFY(outcome->plan->predicted.lowerBoundTimeUs <= best->plan->predicted.timeUs + 1e-6);
            ++others;
        }
        QVERIFY(others > 2);
    }

    void workIsCountedAgainstTheTimeLimit()
    {
        portfolio::WorkClock clock(10);
        const double whole = clock.leftUs();
        QVERIFY(whole > 5e6 && whole < 10e6);
        QCOMPARE(clock.fitting(1000, 1, 1), std::int64_t(1000));
        QCOMPARE(clock.fitting(1'000'000, whole / 1000, 0.5), std::int64_t(500));
        clock.charge(0.5 * whole);
        QCOMPARE(clock.fitting(1'000'000, whole / 1000, 0.5), std::int64_t(250));
        clock.charge(whole);
        QCOMPARE(clock.leftUs(), 0.0);
        QCOMPARE(clock.fitting(1000, 1, 1), std::int64_t(0));
        clock.grantMore();
        QVERIFY(clock.leftUs() > 0 && clock.leftUs() < whole);
        QVERIFY(clock.fitting(1'000'000, 1, 1) > 0);
        QCOMPARE(portfolio::WorkClock(std::numeric_limits<double>::infinity()).fitting(1000, 1, 0.1),
                 std::int64_t(1000));
    }

    void aStageThatTimeCutsShortIsSaid()
    {
        const test::Case of(test::layeredGraph(5));
        SolveRequest request;
        request.graph = &of.graph;
        request.costs = &of.costs;
        request.budgetBytes = of.keepAllPeakBytes;
        const SolveContext context;
        portfolio::Board board(request, context);
        board.offer(keepAllPlan(of.graph));
        QVERIFY(board.fits());
        QVERIFY(board.outcome().message.find(kTimeWasUp) == std::string::npos);
        board.cutShort();
        QVERIFY(board.outcome().message.find(kTimeWasUp) != std::string::npos);
    }

    void incumbentsOnlyImproveAndTheFirstComesAtOnce()
    {
        const test::Case of(test::layeredGraph(8));
        std::vector<double> shown;
        std::vector<std::string> stages;
        SolveContext context;
        context.progress = [&](const SolveProgress &progress) {
            if (stages.empty() || stages.back() != progress.activity) stages.push_back(progress.activity);
            if (!progress.incumbent) return;
            if (shown.empty()) QCOMPARE(progress.activity, std::string("first plan"));
            shown.push_back(progress.incumbent->predicted.timeUs);
        };
        const auto outcome = test::plan("auto", of, of.percent(55), context, quick());
        QVERIFY(outcome && outcome->plan);
        QVERIFY(!shown.empty() && std::is_sorted(shown.rbegin(), shown.rend()));
        QVERIFY(shown.back() >= outcome->plan->predicted.timeUs - 1e-6);
        QVERIFY(stages.size() > 1);
        QVERIFY2(outcome->message.find("first draft") != std::string::npos, outcome->message.c_str());
    }

    void neverBelowTheOptimumAndUsuallyThere()
    {
        int reached = 0, optimal = 0;
        for (const std::uint64_t seed : test::seedsOfToday(0, 59)) {
            const test::Case of(test::chainGraph(4, {.parameterBytes = 2, .seed = seed + 1}));
            for (const int percent : {90, 75}) {
                const std::int64_t budget = of.percent(percent);
                const std::optional<double> optimum = test::bruteForceOptimum(of.graph, of.costs, budget);
                const auto outcome = test::plan("auto", of, budget, {}, {{"effort", "300"}, {"hiremate", "false"}});
                QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
                if (!outcome->plan) continue;
                QVERIFY(optimum.has_value());
                QVERIFY(outcome->plan->predicted.timeUs > *optimum - 1e-6);
                ++reached;
                optimal += outcome->plan->predicted.timeUs < *optimum + 1e-6 ? 1 : 0;
            }
        }
        QVERIFY2(reached > (test::testsAll() ? 60 : 15), std::to_string(reached).c_str());
        QVERIFY2(optimal >= reached - 3, std::to_string(optimal).c_str());
    }

    void saysWhatItReachedWhenNothingFits()
    {
        const test::Case of(test::layeredGraph(4));
        const PeakBound floor = workingSetBound(of.graph, of.costs);
        const auto outcome = test::plan("auto", of, floor.bytes, {}, quick());
        QVERIFY(outcome.has_value());
        if (outcome->plan) return;
        QCOMPARE(outcome->status, SolveStatus::Infeasible);
        QVERIFY(outcome->smallestPeakBytes > floor.bytes && outcome->smallestPeakBytes < of.keepAllPeakBytes);
        QVERIFY2(outcome->message.find("smallest peak reached") != std::string::npos, outcome->message.c_str());
        QVERIFY2(outcome->message.find("alone need") != std::string::npos, outcome->message.c_str());
        const auto fits = test::plan("auto", of, outcome->smallestPeakBytes, {}, quick());
        QVERIFY(fits && fits->plan);
    }

    void aStartIsNeverMadeWorse()
    {
        const test::Case of(test::layeredGraph(6));
        const auto tight = test::plan("auto", of, of.percent(50), {}, quick());
        QVERIFY(tight && tight->plan);
        const auto start = std::make_shared<Plan>(*tight->plan);
        const auto loose = test::plan("auto", of, of.percent(55), {},
                                      {{"effort", "1"}, {"rounds", "0"}, {"hiremate", "false"}}, start);
        QVERIFY(loose && loose->plan);
        QVERIFY(loose->plan->predicted.timeUs <= tight->plan->predicted.timeUs + 1e-6);
    }

    void aStopLeavesThePlanThereIs()
    {
        const test::Case of(test::layeredGraph(40));
        StopToken stop;
        SolveContext context;
        context.stop = &stop;
        context.progress = [&](const SolveProgress &progress) {
            if (progress.incumbent) stop.requestStop();
        };
        const auto outcome = test::plan("auto", of, of.percent(60), context, {{"effort", "100000"}});
        QVERIFY(outcome && outcome->plan);
        QCOMPARE(outcome->status, SolveStatus::Stopped);
    }

    void aDeadlineThatHasPassedLeavesTheFirstPlan()
    {
        const test::Case of(test::layeredGraph(10));
        SolveContext context;
        context.deadline = Deadline(0);
        const auto outcome = test::plan("auto", of, of.percent(60), context);
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        QCOMPARE(outcome->status, SolveStatus::Stopped);
        QVERIFY2(outcome->message.find(kTimeWasUp) != std::string::npos, outcome->message.c_str());
    }

    void aSharperBoundProvesAPlanOptimal()
    {
        const auto of = test::sampleCase("unet");
        if (!of) QFAIL(test::sentenceOf(of).c_str());
        const std::int64_t budget = of->percent(80);
        const auto outcome =
            test::plan("auto", *of, budget, {}, {{"effort", "20"}, {"rounds", "0"}, {"hiremate", "false"}});
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        QCOMPARE(outcome->status, SolveStatus::Optimal);
        const std::string &method = outcome->plan->predicted.lowerBoundMethod;
        QVERIFY2(method == "one-cut MILP" || method.starts_with("K-cut"), method.c_str());
        const TimeBound quick = bestTimeBound(of->graph, of->costs, budget);
        QVERIFY(quick.timeUs < outcome->plan->predicted.timeUs * (1 - 1e-4));
    }

    void gpt2Squared_data()
    {
        QTest::addColumn<int>("percent");
        QTest::addColumn<double>("most");
        QTest::newRow("90 %") << 90 << 1.47;
        QTest::newRow("70 %") << 70 << 4.65;
        QTest::newRow("60 %") << 60 << 7.45;
        QTest::newRow("50 %") << 50 << 11.95;
        QTest::newRow("40 %") << 40 << 17.3;
        QTest::newRow("30 %") << 30 << 26.0;
    }

    void gpt2Squared()
    {
        QFETCH(const int, percent);
        QFETCH(const double, most);
        const auto of = test::sampleCase("gpt2_squared");
        if (!of) QFAIL(test::sentenceOf(of).c_str());
        const auto outcome = test::plan("auto", *of, of->percent(percent), {},
                                        {{"effort", "20"}, {"rounds", "1"}, {"hiremate", "false"}});
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        const double overhead = test::overhead(*of, *outcome);
        QVERIFY2(overhead <= most, std::to_string(overhead).c_str());
    }
};

QTEST_GUILESS_MAIN(TestAuto)
#include "tst_auto.moc"
