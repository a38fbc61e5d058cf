// SPDX-License-Identifier: Apache-2.0
// The planner `search`: greedy, annealing, the smallest peak.
#include "core/bounds/bounds.h"
#include "core/plan/sequence_evaluator.h"
#include "solvers/search/peak.h"
#include "solvers/search/search.h"
#include "solvers/search/to_plan.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/random_layered.h"

#include <QtTest>

#include <atomic>

using namespace remat;
using namespace remat::search;

namespace {

test::Case smallCase(std::uint64_t seed, int ops = 6)
{
    test::RandomGraphParams params;
    params.ops = ops;
    params.joint = seed % 2 == 1;
    params.multiOutput = 10;
    return test::Case(test::randomGraph(seed, params));
}

/// What a set really costs, by replaying it.
bool saysTheTruth(const test::Case &of, const FlatGraph &flat, const Found &found, std::int64_t budgetBytes)
{
    const SequenceCost cost = sequenceCost(of.graph, of.costs, toSequence(flat, found.set));
    return cost.peakBytes == found.peakBytes && std::abs(cost.timeUs - of.keepAllTimeUs - found.extraUs) < 1e-6 &&
           found.fits == (found.peakBytes <= budgetBytes);
}

std::map<std::string, std::string> quick()
{
    return {{"moves", "4"}, {"reheats", "2"}};
}

} // namespace

class TestSearch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void resultsAreWhatTheySay()
    {
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const test::Case of = smallCase(seed, 10 + static_cast<int>(seed % 60));
            const FlatGraph flat = flatten(of.graph, of.costs);
            for (const int percent : {90, 70, 50}) {
                const std::int64_t budget = of.percent(percent);
                const Found quickly = greedyPlan(flat, budget, {}, test::kNever);
                QVERIFY(saysTheTruth(of, flat, quickly, budget));
                SearchSettings settings;
                settings.budgetBytes = budget;
                settings.moves = 1000;
                settings.reheats = 1;
                const Found found = searchPlan(flat, {}, settings, test::kNever);
                QVERIFY(saysTheTruth(of, flat, found, budget));
                QVERIFY(!isBetter(quickly, found));
                QVERIFY(!quickly.fits || found.fits);
            }
        }
    }

    /// Plans of this kind compute an op at most once before each first computation, in index order, and nothing after
    /// the last one: on graphs this small the tightest budgets may need more. What fits is nearly always optimal.
    void optimalOnSmallGraphs()
    {
        int optimal = 0, solved = 0, reached = 0;
        for (std::uint64_t seed = 0; seed < 120; ++seed) {
            const bool chain = seed % 3 == 0;
            const test::Case of =
                chain ? test::Case(test::chainGraph(4, {.parameterBytes = 2, .seed = seed + 1})) : smallCase(seed);
            const FlatGraph flat = flatten(of.graph, of.costs);
            for (const int percent : {95, 80, 65}) {
                const std::int64_t budget = of.percent(percent);
                const std::optional<double> optimum = test::bruteForceOptimum(of.graph, of.costs, budget);
                SearchSettings settings;
                settings.budgetBytes = budget;
                settings.moves = 2000;
                settings.reheats = 2;
                const Found found = searchPlan(flat, {}, settings, test::kNever);
                QVERIFY(optimum || !found.fits);
                if (!optimum) continue;
                ++solved;
                if (!found.fits) continue;
                ++reached;
                const double us = of.keepAllTimeUs + found.extraUs;
                QVERIFY2(us > *optimum - 1e-6, std::to_string(seed).c_str());
                optimal += us < *optimum + 1e-6 ? 1 : 0;
            }
        }
        QVERIFY2(solved > 100, std::to_string(solved).c_str());
        QVERIFY2(100 * reached >= 75 * solved, std::to_string(reached).c_str());
        QVERIFY2(100 * optimal >= 97 * reached, std::to_string(optimal).c_str());
    }

    void threadsChangeNothing()
    {
        const test::Case of(test::layeredGraph(6));
        std::vector<Step> first;
        for (const int threads : {1, 2, 5}) {
            SolveContext context;
            context.threads = threads;
            context.seed = 7;
            auto set = quick();
            set.emplace("seeds", "3");
            const auto outcome = test::plan("search", of, of.percent(60), context, set);
            QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
            if (first.empty()) first = outcome->plan->steps;
            QVERIFY(outcome->plan->steps == first);
        }
    }

    void seedsDiffer()
    {
        const test::Case of(test::layeredGraph(6));
        const FlatGraph flat = flatten(of.graph, of.costs);
        State state(flat, of.percent(75));
        std::vector<std::vector<Recompute>> sets;
        for (const std::uint64_t seed : {1, 2}) {
            AnnealSettings settings;
            settings.moves = 400;
            settings.seed = seed;
            state.assign({});
            sets.push_back(anneal(state, settings, test::kNever).set);
        }
        QVERIFY(sets[0] != sets[1]);
    }

    void aStartIsUsed()
    {
        const test::Case of(test::layeredGraph(4));
        const auto good = test::plan("search", of, of.percent(60), {}, {{"moves", "30"}});
        QVERIFY(good && good->plan);
        const auto start = std::make_shared<Plan>(*good->plan);
        const auto again = test::plan("search", of, of.percent(60), {}, {{"moves", "0"}}, start);
        QVERIFY(again && again->plan);
        QVERIFY(again->plan->predicted.timeUs <= good->plan->predicted.timeUs + 1e-6);
    }

    /// As a budget is dragged down: each plan goes on from the one before, which needs a little more memory.
    void aPlanNearbyIsGoneOnFrom()
    {
        const test::Case of(test::layeredGraph(30));
        const std::map<std::string, std::string> greedy = {{"moves", "0"}};
        std::shared_ptr<const Plan> before;
        for (const int percent : {80, 76, 73, 70, 66, 62, 58, 55, 52, 50}) {
            const auto gone = test::plan("search", of, of.percent(percent), {}, greedy, before);
            const auto anew = test::plan("search", of, of.percent(percent), {}, greedy);
            QVERIFY(gone && gone->plan && anew && anew->plan);
            QVERIFY(gone->plan->predicted.peakBytes <= of.percent(percent));
            const double added = gone->plan->predicted.timeUs - of.keepAllTimeUs;
            QVERIFY2(added <= 1.25 * (anew->plan->predicted.timeUs - of.keepAllTimeUs),
                     qPrintable(QString::number(percent)));
            before = std::make_shared<Plan>(*gone->plan);
        }
    }

    void stopsAtOnce()
    {
        const test::Case of(test::layeredGraph(30));
        StopToken stop;
        std::atomic<bool> told{false};
        SolveContext context;
        context.stop = &stop;
        context.progress = [&](const SolveProgress &progress) {
            if (!progress.incumbent) return;
            told = true;
            stop.requestStop();
        };
        const auto outcome = test::plan("search", of, of.percent(60), context, {{"moves", "1000000"}});
        QVERIFY(outcome && outcome->plan && told);
        QCOMPARE(outcome->status, SolveStatus::Stopped);
    }

    void endsAtTheBound()
    {
        const test::Case of(test::chainGraph(8));
        // A budget at the keep-all peak: the first plan is optimal and a billion moves are not made.
        const auto outcome =
            test::plan("search", of, of.keepAllPeakBytes, {}, {{"moves", "1000000"}, {"reheats", "1000"}});
        QCOMPARE(outcome->status, SolveStatus::Optimal);
    }

    void theSmallestPeakIsReported()
    {
        const test::Case of(test::layeredGraph(4));
        const PeakBound floor = workingSetBound(of.graph, of.costs);
        const auto outcome = test::plan("search", of, floor.bytes, {}, quick());
        QVERIFY(outcome.has_value());
        if (outcome->plan) return;
        QCOMPARE(outcome->status, SolveStatus::Infeasible);
        QVERIFY(outcome->smallestPeakBytes > floor.bytes && outcome->smallestPeakBytes < of.keepAllPeakBytes);
        QVERIFY(outcome->message.find("smallest peak") != std::string::npos);
        const auto fits = test::plan("search", of, outcome->smallestPeakBytes, {}, quick());
        QVERIFY(fits && fits->plan);
    }

    void peaksAreLoweredAlikeOnAnyNumberOfThreads()
    {
        test::RandomLayeredParams params;
        params.ops = 120;
        const test::Case of(test::randomLayeredGraph(1, params));
        const FlatGraph flat = flatten(of.graph, of.costs);
        const search::StopCheck never = [] { return false; };
        const search::Found from = search::greedyPlan(flat, of.percent(10), {}, never);
        QVERIFY(!from.fits);
        search::PeakSettings lower;
        lower.targetBytes = of.percent(10);
        lower.moves = 2000;
        const search::Found one = search::lowerPeakSideBySide(flat, from, lower, 3, 1, never);
        const search::Found two = search::lowerPeakSideBySide(flat, from, lower, 3, 2, never);
        QVERIFY(one.set == two.set);
        QVERIFY(one.peakBytes < from.peakBytes);
        QCOMPARE(one.moves, two.moves);
        QVERIFY(one.moves > 0);

        lower.mostMoves = one.moves / 2;
        const search::Found less = search::lowerPeakSideBySide(flat, from, lower, 3, 2, never);
        QVERIFY(less.moves <= lower.mostMoves + lower.moves);
    }

    void gpt2SquaredNearTheBound()
    {
        const auto of = test::sampleCase("gpt2_squared");
        if (!of) QFAIL(test::sentenceOf(of).c_str());
        const auto outcome = test::plan("search", *of, of->percent(50), {}, {{"moves", "50"}, {"reheats", "0"}});
        QVERIFY(outcome && outcome->plan);
        QVERIFY2(test::overhead(*of, *outcome) < 12.1, std::to_string(test::overhead(*of, *outcome)).c_str());
    }
};

QTEST_GUILESS_MAIN(TestSearch)
#include "tst_search.moc"
