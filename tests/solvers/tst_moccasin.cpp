// SPDX-License-Identifier: Apache-2.0
#include "solvers/cp/cp_sat.h"
#include "solvers/moccasin/copies_that_pay.h"
#include "solvers/moccasin/interval_model.h"
#include "solvers/moccasin/moccasin.h"
#include "solvers/search/search.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/nets.h"
#include "tests/support/random_layered.h"
#include "tests/support/sampled.h"
#include "tests/support/u_shaped.h"

#include <QtTest>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

using namespace remat;

namespace {

int mostComputations(const Plan &plan, const Graph &graph)
{
    std::vector<int> times(graph.ops.size(), 0);
    for (const OpId op : computeSequence(plan))
        ++times[op.index()];
    return *std::max_element(times.begin(), times.end());
}

/// One tensor that is read once more for each of the large ones, which stand between two reads. With `other`, a second
/// tensor of its size and five times its time is there until the end of the graph.
Graph readAgainAndAgain(int large, bool other = false)
{
    test::GraphBuilder builder;
    const OpId first = builder.op({}, {{10}}, 1);
    const OpId second = other ? builder.op({}, {{10}}, 5) : OpId();
    OpId last = builder.op({builder.output(first)}, {{1}}, 1);
    for (int k = 0; k < large; ++k) {
        const OpId between = builder.op({builder.output(last)}, {{20}}, 1);
        const OpId small = builder.op({builder.output(between)}, {{1}}, 1);
        const StorageKind kind = StorageKind::Activation;
        last = builder.op({builder.output(small), builder.output(first)}, {{1, kind, !other && k + 1 == large}}, 1);
    }
    if (other) builder.op({builder.output(last), builder.output(second)}, {{1, StorageKind::Activation, true}}, 1);
    return builder.finish();
}

/// The first thing that values break in a model, apart from its capacity; and the most that its intervals take at once.
struct Judged {
    std::string broken;
    std::int64_t most = 0;
};
Judged judge(const cp::CpModel &model, const std::vector<std::int64_t> &x)
{
    Judged judged;
    const auto holds = [&](int literal) { return literal >= 0 ? x[literal] != 0 : x[-literal - 1] == 0; };
    const auto valueOf = [&](const cp::Affine &a) {
        return (a.variable < 0 ? 0 : a.factor * x[a.variable]) + a.offset;
    };
    for (int v = 0; v < model.variables(); ++v)
        if (x[v] < model.low[v] || x[v] > model.high[v]) judged.broken = "bounds of " + std::to_string(v);
    for (const cp::Linear &row : model.linear) {
        if (!std::all_of(row.enforced.begin(), row.enforced.end(), holds)) continue;
        std::int64_t sum = 0;
        for (const auto &[variable, factor] : row.terms)
            sum += factor * x[variable];
        if (sum < row.low || sum > row.high) judged.broken = "row of " + std::to_string(row.terms.front().first);
    }
    for (const cp::AnyOf &row : model.anyOf)
        if (std::all_of(row.enforced.begin(), row.enforced.end(), holds) &&
            std::none_of(row.literals.begin(), row.literals.end(), holds))
            judged.broken = "none of " + std::to_string(row.literals.front());
    std::map<std::int64_t, std::int64_t> changes;
    for (const cp::Interval &interval : model.intervals) {
        if (interval.presence >= 0 && !holds(interval.presence)) continue;
        const std::int64_t start = valueOf(interval.start), end = valueOf(interval.end);
        if (start + valueOf(interval.size) != end || end <= start) judged.broken = "an interval";
        changes[start] += interval.demand;
        changes[end] -= interval.demand;
    }
    std::int64_t held = 0;
    for (const auto &[event, change] : changes)
        judged.most = std::max(judged.most, held += change);
    return judged;
}

} // namespace

class TestMoccasin : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Plans of a search are solutions of the model, and what its intervals take is the plan's peak to the byte.
    void plansAreSolutions()
    {
        int recomputed = 0;
        for (const std::uint64_t seed : test::seedsOfToday(1, 30)) {
            test::RandomGraphParams params;
            params.ops = 8 + static_cast<int>(seed);
            params.joint = seed % 2 == 1;
            const test::Case of(test::randomGraph(seed, params));
            FlatGraph flat = flatten(of.graph, of.costs);
            flat.mostComputations = 3;
            search::SearchSettings search;
            search.budgetBytes = of.percent(75);
            search.moves = 2000;
            const search::Found found = search::searchPlan(flat, {}, search, [] { return false; });
            const std::vector<OpId> sequence = toSequence(flat, found.set);
            moccasin::IntervalSettings settings;
            settings.budgetBytes = std::max(of.percent(75), workingSetBound(of.graph, of.costs).bytes);
            settings.copies.assign(of.graph.ops.size(), 3);
            const moccasin::IntervalModel intervals = *moccasin::buildIntervals(flat, settings);
            const std::vector<std::int64_t> x = moccasin::valuesOf(flat, intervals, sequence);
            QCOMPARE(x.size(), std::size_t(intervals.model.variables()));
            const Judged judged = judge(intervals.model, x);
            // Memory rows of cuts hold for plans within the budget only.
            QVERIFY2(judged.broken.empty() || found.peakBytes > settings.budgetBytes, judged.broken.c_str());
            QCOMPARE(judged.most * intervals.unitBytes, found.peakBytes);
            QVERIFY(moccasin::sequenceOf(intervals, x) == sequence);
            // So it is, with fewer variables, where each op may be computed as often as the plan does.
            settings.copies.assign(of.graph.ops.size(), 0);
            for (const OpId op : sequence)
                ++settings.copies[op.index()];
            const moccasin::IntervalModel own = *moccasin::buildIntervals(flat, settings);
            QVERIFY(cp::integerVariables(own.model) < cp::integerVariables(intervals.model));
            QVERIFY(moccasin::sequenceOf(own, moccasin::valuesOf(flat, own, sequence)) == sequence);
            recomputed += static_cast<int>(found.set.size());
        }
        QVERIFY(recomputed > (test::testsAll() ? 50 : 5));
    }

    /// The point of the paper: the number of integer variables grows with the ops, not with their square.
    void integerVariablesGrowWithTheOps()
    {
        for (const int copies : {2, 3})
            for (const int ops : {100, 200, 400, 800}) {
                test::RandomLayeredParams params;
                params.ops = ops;
                const test::Case of(test::randomLayeredGraph(1, params));
                moccasin::IntervalSettings settings;
                settings.budgetBytes = of.percent(80);
                settings.copies.assign(of.graph.ops.size(), copies);
                const moccasin::IntervalModel intervals =
                    *moccasin::buildIntervals(flatten(of.graph, of.costs), settings);
                const int count = cp::integerVariables(intervals.model);
                QVERIFY(count <= (3 * copies - 2) * ops); // an end; stage, end and length of each further copy
                QVERIFY(count >= (3 * copies - 2) * (ops - 2));
            }
    }

    /// Where C_v may grow as long as it pays it does so for few ops: all in all it is below three times the ops.
    void fewComputationsPay()
    {
        test::RandomLayeredParams params;
        params.ops = 100;
        const test::Case of(test::randomLayeredGraph(1, params));
        const FlatGraph flat = flatten(of.graph, of.costs);
        const moccasin::CopiesThatPay pays(flat, of.percent(80), {});
        moccasin::IntervalSettings settings;
        settings.budgetBytes = of.percent(80);
        settings.copies = pays.below(0.04 * of.keepAllTimeUs); // the optimum is 3.998 %
        QVERIFY(pays.boundUs() > 0.03 * of.keepAllTimeUs && pays.boundUs() < 0.03999 * of.keepAllTimeUs);
        QVERIFY(std::accumulate(settings.copies.begin(), settings.copies.end(), 0) < 3 * flat.ops);
        QVERIFY(cp::integerVariables(moccasin::buildIntervals(flat, settings)->model) < 7 * flat.ops);
        // Nothing pays below the bound, and nothing is left out where no plan is known.
        QCOMPARE(pays.below(pays.boundUs()), std::vector<int>(flat.ops, 1));
        const std::vector<int> all = pays.below(std::numeric_limits<double>::infinity());
        QVERIFY(std::count_if(all.begin(), all.end(), [](int copies) { return copies > moccasin::kMostCopies; }) > 0);
    }

    /// Large models are neither built nor written past the time.
    void aStopEndsTheBuilding()
    {
        test::RandomLayeredParams params;
        params.ops = 4000;
        const test::Case of(test::randomLayeredGraph(1, params));
        moccasin::IntervalSettings settings;
        settings.budgetBytes = of.percent(80);
        settings.copies.assign(of.graph.ops.size(), 2);
        const FlatGraph flat = flatten(of.graph, of.costs);
        int asked = 0;
        QVERIFY(!moccasin::buildIntervals(flat, settings, [&] { return ++asked == 2; }));
        QCOMPARE(asked, 2);
        const std::optional<moccasin::IntervalModel> built =
            moccasin::buildIntervals(flat, settings, [] { return false; });
        QVERIFY(built);
        asked = 0;
        QVERIFY(!cp::textOf(built->model, [&] { return ++asked == 2; }));
        QCOMPARE(asked, 2);
        QVERIFY(cp::textOf(built->model, [] { return false; }) == cp::textOf(built->model));
    }

    void agreesWithBruteForce()
    {
        int equal = 0;
        for (const std::uint64_t seed : test::seedsOfToday(1, 40)) {
            test::RandomGraphParams params;
            params.ops = 5 + static_cast<int>(seed % 3);
            params.joint = seed % 2 == 1;
            const test::Case of(test::randomGraph(seed, params));
            if (of.graph.storages.size() > 15) continue;
            const double share = seed % 2 == 0 ? 88 : 76;
            const std::optional<double> best = test::bruteForceOptimum(of.graph, of.costs, of.percent(share));
            const auto solve = [&](const char *copies) {
                return test::plan("moccasin", of, of.percent(share), {}, {{"copies", copies}, {"warm", "off"}});
            };
            const auto many = solve("8"), two = solve("2"), grown = solve("0");
            const auto alone = test::plan("moccasin", of, of.percent(share), {}, {{"warm", "off"}, {"cuts", "off"}});
            QVERIFY2(many && two && grown, test::sentenceOf(many).c_str());
            if (!best) QVERIFY(!many->plan && !two->plan);
            QCOMPARE(grown->status, many->status);
            QCOMPARE(grown->plan.has_value(), many->plan.has_value());
            QCOMPARE(alone->status, grown->status);
            if (grown->plan) QCOMPARE(alone->plan->predicted.timeUs, grown->plan->predicted.timeUs);
            if (many->plan) QCOMPARE(grown->plan->predicted.timeUs, many->plan->predicted.timeUs);
            if (grown->plan) {
                // What may pay is no less than what does.
                const FlatGraph flat = flatten(of.graph, of.costs);
                const double extraUs = grown->plan->predicted.timeUs - of.keepAllTimeUs;
                const std::vector<int> most = moccasin::CopiesThatPay(flat, of.percent(share), {}).below(extraUs + 1);
                std::vector<Recompute> set = toRecomputes(flat, computeSequence(*grown->plan));
                tidyRecomputes(flat, set);
                for (int v = 0; v < flat.ops; ++v)
                    QVERIFY(std::count_if(set.begin(), set.end(), [&](Recompute r) { return r.op == v; }) < most[v]);
            }
            if (!best || !many->plan) continue;
            QCOMPARE(many->status, SolveStatus::Optimal);
            QVERIFY(many->plan->predicted.timeUs >= *best - 1e-6);
            if (!two->plan) continue;
            QVERIFY(two->plan->predicted.timeUs >= *best - 1e-6);
            QVERIFY(mostComputations(*two->plan, of.graph) <= 2);
            if (mostComputations(*many->plan, of.graph) > 2) continue;
            QVERIFY(std::abs(two->plan->predicted.timeUs - *best) < 1e-6 * *best);
            ++equal;
        }
        QVERIFY(equal > (test::testsAll() ? 3 : 0));
    }

    void copiesAreWhatIsLimited()
    {
        const test::Case of(readAgainAndAgain(3));
        // The large ones do not fit beside the tensor, so it must be made once more for each of its three later reads.
        for (const char *warm : {"on", "off"}) {
            const auto solve = [&](const char *copies) {
                return test::plan("moccasin", of, 25, {}, {{"copies", copies}, {"warm", warm}});
            };
            const auto four = solve("4"), three = solve("3"), one = solve("1");
            QVERIFY2(four && three && one, test::sentenceOf(four).c_str());
            QVERIFY(four->plan);
            QCOMPARE(four->plan->predicted.timeUs, of.keepAllTimeUs + 3);
            QCOMPARE(mostComputations(*four->plan, of.graph), 4);
            QVERIFY(!three->plan && !one->plan);
            QCOMPARE(three->status, SolveStatus::Infeasible);
            QVERIFY(three->message.find("3") != std::string::npos);
        }
    }

    /// Without a number C_v grows until there is a plan.
    void copiesGrowUntilThereIsAPlan()
    {
        const test::Case of(readAgainAndAgain(3));
        for (const char *warm : {"on", "off"}) {
            const auto outcome = test::plan("moccasin", of, 25, {}, {{"warm", warm}});
            QVERIFY2(outcome, test::sentenceOf(outcome).c_str());
            QVERIFY(outcome->plan);
            QCOMPARE(outcome->status, SolveStatus::Optimal);
            QCOMPARE(outcome->plan->predicted.timeUs, of.keepAllTimeUs + 3);
            QCOMPARE(mostComputations(*outcome->plan, of.graph), 4);
        }
    }

    /// … and while more computations give a better one: with two the other tensor, at five, must go; with three the
    /// first one goes twice, at one each. Bounds that are told on the way hold for that one, too.
    void copiesGrowAsLongAsTheyPay()
    {
        const test::Case of(readAgainAndAgain(2, true));
        const std::int64_t budget = 34;
        const std::optional<double> best = test::bruteForceOptimum(of.graph, of.costs, budget);
        QVERIFY(best);
        QCOMPARE(*best, of.keepAllTimeUs + 2);
        double boundUs = 0;
        SolveContext context;
        context.progress = [&](const SolveProgress &progress) { boundUs = std::max(boundUs, progress.boundTimeUs); };
        const auto solve = [&](const char *copies) {
            return test::plan("moccasin", of, budget, context, {{"copies", copies}, {"warm", "off"}});
        };
        const auto grown = solve("0");
        QVERIFY2(grown && grown->plan, test::sentenceOf(grown).c_str());
        QCOMPARE(grown->status, SolveStatus::Optimal);
        QCOMPARE(grown->plan->predicted.timeUs, *best);
        QCOMPARE(mostComputations(*grown->plan, of.graph), 3);
        QVERIFY(grown->message.find("any number") != std::string::npos);
        QCOMPARE(boundUs, *best);
        const auto two = solve("2");
        QVERIFY2(two && two->plan, test::sentenceOf(two).c_str());
        QCOMPARE(two->plan->predicted.timeUs, of.keepAllTimeUs + 5);
    }

    /// What makes it faster than Checkmate's program on graphs whose relaxation is nearly whole, counted and not timed.
    void aDiveProvesTheOptimumFromNothing_data()
    {
        QTest::addColumn<Graph>("graph");
        QTest::addColumn<double>("work");
        test::RandomLayeredParams layered;
        layered.ops = 100;
        QTest::newRow("U-net of 99 ops") << test::uShapedGraph(4, 4) << 0.05;
        QTest::newRow("random, 100 ops") << test::randomLayeredGraph(2, layered) << 0.15;
    }
    void aDiveProvesTheOptimumFromNothing()
    {
        QFETCH(const Graph, graph);
        QFETCH(const double, work);
        const test::Case of(graph);
        const Expected<cp::Helper> helper = cp::findHelper();
        QVERIFY(helper);
        moccasin::IntervalSettings settings;
        settings.budgetBytes = of.percent(80);
        settings.copies.assign(of.graph.ops.size(), 2);
        const moccasin::IntervalModel intervals = *moccasin::buildIntervals(flatten(of.graph, of.costs), settings);
        cp::CpLimits limits;
        limits.work = work;
        limits.strategy = cp::Strategy::Dive;
        QCOMPARE(cp::solve(*helper, intervals.model, limits).status, cp::CpStatus::Optimal);
        limits.strategy = cp::Strategy::Many;
        QVERIFY(cp::solve(*helper, intervals.model, limits).status != cp::CpStatus::Optimal);
    }

    /// On U-nets at tight budgets the dive does not end, and CP-SAT takes a minute; the bound of several cuts ends the
    /// solve. Work is counted, and the optimum is Checkmate's.
    void severalCutsEndWhatTheDiveLeaves_data()
    {
        QTest::addColumn<Graph>("graph");
        QTest::addColumn<bool>("needsCuts");
        QTest::newRow("no plan by then") << test::uShapedGraph(4, 4) << false; // its threads may end it alone
        QTest::newRow("a plan by then") << test::uShapedGraph(5, 3) << true;
    }
    void severalCutsEndWhatTheDiveLeaves()
    {
        QFETCH(const Graph, graph);
        QFETCH(const bool, needsCuts);
        const test::Case of(graph);
        const auto solve = [&](const char *cuts, const char *copies) {
            return test::plan("moccasin", of, of.percent(60), {},
                              {{"warm", "off"}, {"cuts", cuts}, {"copies", copies}, {"work", "1"}});
        };
        const auto with = solve("on", "0"), without = solve("off", "0"), two = solve("on", "2");
        const auto whole = test::plan("checkmate", of, of.percent(60), {}, {{"warm", "off"}});
        QVERIFY2(with && without && two && whole, test::sentenceOf(with).c_str());
        QVERIFY(with->plan && whole->plan);
        QCOMPARE(with->status, SolveStatus::Optimal);
        QCOMPARE(whole->status, SolveStatus::Optimal);
        QCOMPARE(with->plan->predicted.timeUs, whole->plan->predicted.timeUs);
        QVERIFY2(with->message.find("The bound of several cuts found it") != std::string::npos, with->message.c_str());
        QVERIFY(!needsCuts || without->status != SolveStatus::Optimal);
        // A choice at cuts may compute ops more often than asked for, so with a number it gives the bound alone.
        QVERIFY(two->message.find("several cuts") == std::string::npos);
        if (two->plan) QVERIFY(mostComputations(*two->plan, of.graph) <= 2);
    }

    /// From nothing, the same optimum as Checkmate's program, whose variables grow with the square of the ops.
    void agreesWithCheckmate()
    {
        for (const test::Case &of : {test::Case(test::vgg16()), test::Case(test::vggUnet())}) {
            const auto whole = test::plan("checkmate", of, of.percent(80));
            const auto cold = test::plan("moccasin", of, of.percent(80), {}, {{"warm", "off"}});
            QVERIFY2(whole && cold, test::sentenceOf(cold).c_str());
            QVERIFY(whole->plan.has_value() == cold->plan.has_value());
            if (!whole->plan) continue;
            QVERIFY(mostComputations(*whole->plan, of.graph) <= 2);
            QCOMPARE(cold->status, SolveStatus::Optimal);
            QVERIFY(std::abs(cold->plan->predicted.timeUs - whole->plan->predicted.timeUs) < 1e-6 * of.keepAllTimeUs);
        }
    }

    void aHelperThatFailsIsASentence()
    {
        const test::Case of(readAgainAndAgain(3));
        qputenv("REMAT_CPSAT", "/bin/false");
        const auto outcome = test::plan("moccasin", of, 25, {}, {{"warm", "off"}});
        qunsetenv("REMAT_CPSAT");
        QVERIFY(!outcome);
        QVERIFY(outcome.error().message.find("CP-SAT") != std::string::npos);
    }

    /// Too large to be proven: what there is when the time is up, as the search's start guarantees.
    void largeGraphs()
    {
        const test::Case of(test::layeredGraph(12));
        SolveContext context;
        context.deadline = Deadline(4);
        const auto outcome = test::plan("moccasin", of, of.percent(60), context, {{"moves", "10"}, {"copies", "3"}});
        QVERIFY2(outcome, test::sentenceOf(outcome).c_str());
        QVERIFY(outcome->plan);
        QVERIFY(mostComputations(*outcome->plan, of.graph) <= 3);
    }
};

QTEST_GUILESS_MAIN(TestMoccasin)
#include "tst_moccasin.moc"
