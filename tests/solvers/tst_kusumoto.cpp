// SPDX-License-Identifier: Apache-2.0
#include "solvers/kusumoto/plan_lower_sets.h"
#include "tests/solvers/planner_checks.h"
#include "tests/support/sampled.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <set>

using namespace remat;
using namespace remat::kusumoto;

namespace {

const auto kGoOn = [] { return false; };

/// A random forward graph with the nodes, edges, bytes and whole times of the paper's model; the last node reads all
/// that nobody else reads.
ForwardDag randomDag(test::Random &random, int nodes)
{
    ForwardDag dag;
    dag.reads.resize(static_cast<std::size_t>(nodes));
    dag.readers.resize(static_cast<std::size_t>(nodes));
    for (int node = 0; node < nodes; ++node) {
        dag.ops.push_back(node);
        dag.bytes.push_back(random.between(1, 9));
        dag.time.push_back(random.between(1, 5));
        dag.totalTime += dag.time.back();
        for (int from = 0; from < node; ++from) {
            const bool last = node + 1 == nodes && dag.readers[static_cast<std::size_t>(from)].empty();
            if (!last && !random.percent(40)) continue;
            dag.reads[static_cast<std::size_t>(node)].push_back(from);
            dag.readers[static_cast<std::size_t>(from)].push_back(node);
        }
    }
    return dag;
}

/// The paper's formulas word by word, over plain sets of nodes.
class Formulas
{
public:
    using Nodes = std::set<int>;
    explicit Formulas(const ForwardDag &dag) : m_dag(dag)
    {
        for (int bits = 0; bits < 1 << dag.nodes(); ++bits) {
            Nodes set;
            for (int node = 0; node < dag.nodes(); ++node)
                if ((bits >> node & 1) != 0) set.insert(node);
            const auto closed = [&](int node) {
                const auto &reads = dag.reads[static_cast<std::size_t>(node)];
                return std::all_of(reads.begin(), reads.end(), [&](int read) { return set.count(read) > 0; });
            };
            if (std::all_of(set.begin(), set.end(), closed)) lowerSets.push_back(set);
        }
        std::sort(lowerSets.begin(), lowerSets.end(),
                  [](const Nodes &a, const Nodes &b) { return a.size() < b.size(); });
    }

    /// The least recomputed time of all sequences of lower sets within the budget, by trying each; -1 when there is
    /// none.
    int leastTime(std::int64_t budget) const { return leastFrom(Nodes{}, Nodes{}, budget); }

    std::vector<Nodes> lowerSets;

private:
    int leastFrom(const Nodes &reached, const Nodes &cached, std::int64_t budget) const
    {
        if (static_cast<int>(reached.size()) == m_dag.nodes()) return 0;
        int least = -1;
        for (const Nodes &next : lowerSets) {
            if (next.size() <= reached.size() ||
                !std::includes(next.begin(), next.end(), reached.begin(), reached.end()))
                continue;
            const Nodes segment = minus(next, reached);
            const Nodes border = borderOf(next);
            const Nodes outside = minus(after(next), next);
            const std::int64_t peak =
                bytes(cached) + 2 * bytes(segment) + bytes(outside) + bytes(minus(before(outside), next));
            if (peak > budget) continue;
            Nodes kept = cached;
            kept.insert(border.begin(), border.end());
            const int rest = leastFrom(next, kept, budget);
            if (rest < 0) continue;
            int time = rest;
            for (const int node : minus(segment, border))
                time += m_dag.time[static_cast<std::size_t>(node)];
            if (least < 0 || time < least) least = time;
        }
        return least;
    }

    static Nodes minus(const Nodes &a, const Nodes &b)
    {
        Nodes result;
        std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(result, result.end()));
        return result;
    }
    Nodes after(const Nodes &set) const
    {
        Nodes result;
        for (const int node : set)
            result.insert(m_dag.readers[static_cast<std::size_t>(node)].begin(),
                          m_dag.readers[static_cast<std::size_t>(node)].end());
        return result;
    }
    Nodes before(const Nodes &set) const
    {
        Nodes result;
        for (const int node : set)
            result.insert(m_dag.reads[static_cast<std::size_t>(node)].begin(),
                          m_dag.reads[static_cast<std::size_t>(node)].end());
        return result;
    }
    /// ∂(L): nodes of L with a reader outside.
    Nodes borderOf(const Nodes &set) const
    {
        Nodes result;
        for (const int node : set) {
            const auto &readers = m_dag.readers[static_cast<std::size_t>(node)];
            if (std::any_of(readers.begin(), readers.end(), [&](int reader) { return set.count(reader) == 0; }))
                result.insert(node);
        }
        return result;
    }
    std::int64_t bytes(const Nodes &set) const
    {
        std::int64_t sum = 0;
        for (const int node : set)
            sum += m_dag.bytes[static_cast<std::size_t>(node)];
        return sum;
    }

    const ForwardDag &m_dag;
};

} // namespace

class TestKusumoto : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aChainOfThreeByHand()
    {
        // Nodes a → b → c of 4, 2 and 1 bytes that take 3, 5 and 7.
        ForwardDag dag;
        dag.ops = {0, 1, 2};
        dag.reads = {{}, {0}, {1}};
        dag.readers = {{1}, {2}, {}};
        dag.bytes = {4, 2, 1};
        dag.time = {3, 5, 7};
        dag.totalTime = 15;
        const auto program = SegmentProgram::make(dag, *allLowerSets(dag, 100, kGoOn), kGoOn);
        // {a} {b} {c}: segment a has 2·4 + m(b) = 10, b has 4 + 2·2 + m(c) = 9, c has 4 + 2 + 2·1 = 8; only c is
        // computed again. {a} {b c}: 10 and 4 + 2·3 = 10, recomputes b and c. All at once: 2·7 = 14.
        QCOMPARE(program->smallestBudget(kGoOn), std::int64_t(10));
        QVERIFY(program->best(9, Aim::Time, kGoOn).empty());
        const Segments fine = program->best(10, Aim::Time, kGoOn);
        QCOMPARE(fine, (Segments{1, 2, 3}));
        QCOMPARE(program->recomputedTime(fine), 7);
        QCOMPARE(program->peakBytes(fine), std::int64_t(10));
        const Segments coarse = program->best(10, Aim::Memory, kGoOn);
        QCOMPARE(coarse, (Segments{1, 3}));
        QCOMPARE(program->recomputedTime(coarse), 12);
        QCOMPARE(program->best(14, Aim::Memory, kGoOn), (Segments{3}));
    }

    void everySequenceOfLowerSetsIsTried()
    {
        int feasible = 0, infeasible = 0;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            test::Random random(seed);
            const ForwardDag dag = randomDag(random, random.between(3, 6));
            const Formulas formulas(dag);
            const auto sets = allLowerSets(dag, 1000, kGoOn);
            QVERIFY(sets.has_value());
            QCOMPARE(sets->size(), formulas.lowerSets.size());
            const auto program = SegmentProgram::make(dag, *sets, kGoOn);
            const std::int64_t least = program->smallestBudget(kGoOn);
            QCOMPARE(formulas.leastTime(least - 1), -1);
            for (const std::int64_t budget : {least - 1, least, least + 3, least + 8, program->largestBudget()}) {
                const Segments best = program->best(budget, Aim::Time, kGoOn);
                const int expected = formulas.leastTime(budget);
                QCOMPARE(best.empty(), expected < 0);
                ++(best.empty() ? infeasible : feasible);
                if (best.empty()) continue;
                QCOMPARE(program->recomputedTime(best), expected);
                QVERIFY(program->peakBytes(best) <= budget);
                const Segments coarse = program->best(budget, Aim::Memory, kGoOn);
                QVERIFY(program->recomputedTime(coarse) >= expected);
                QVERIFY(program->peakBytes(coarse) <= budget);
            }
        }
        QVERIFY(feasible > 100 && infeasible > 30);
    }

    void closuresAreLowerSetsOneANode()
    {
        test::Random random(5);
        for (int round = 0; round < 20; ++round) {
            const ForwardDag dag = randomDag(random, 8);
            const std::vector<NodeSet> some = closures(dag);
            const auto all = allLowerSets(dag, 1000, kGoOn);
            QVERIFY(some.size() <= static_cast<std::size_t>(dag.nodes()) + 2);
            for (const NodeSet &set : some)
                QVERIFY(std::find(all->begin(), all->end(), set) != all->end());
            QCOMPARE(some.front(), all->front());
            QCOMPARE(some.back(), all->back());
        }
    }

    void whatIsAskedOftenEndsWhenToldTo()
    {
        test::Random random(6);
        const ForwardDag dag = randomDag(random, 8);
        const auto sets = allLowerSets(dag, 1000, kGoOn);
        int asked = 0;
        const auto count = [&] { return ++asked < 0; };
        const auto program = SegmentProgram::make(dag, *sets, count);
        QVERIFY(asked >= 2 * static_cast<int>(sets->size())); // its borders, then the steps from it
        asked = 0;
        program->smallestBudget(count);
        const int whole = asked;
        QVERIFY(whole > 3);
        for (int most = 0; most < whole; ++most) {
            asked = 0;
            program->smallestBudget([&] { return asked++ >= most; });
            QCOMPARE(asked, most + 1);
        }
    }

    void findsTheSmallestBudget_data() { test::textRows("planner", {"kusumoto-exact", "kusumoto-approx"}); }
    void findsTheSmallestBudget()
    {
        QFETCH(const QString, planner);
        int smaller = 0;
        for (const std::uint64_t seed : test::seedsOfToday(1, 30)) {
            test::ChainParams chain;
            chain.seed = seed;
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 10;
            const test::Case of(seed % 2 == 0 ? test::chainGraph(7, chain) : test::randomGraph(seed, params));
            const FlatGraph flat = flatten(of.graph, of.costs);
            const ForwardDag dag = forwardDag(flat, 500);
            const auto program = SegmentProgram::make(
                dag, planner == u"kusumoto-exact" ? *allLowerSets(dag, 3000, kGoOn) : closures(dag), kGoOn);
            // Every budget of the model, both strategies, each plan replayed.
            std::int64_t least = of.keepAllPeakBytes;
            for (std::int64_t model = program->smallestBudget(kGoOn); model <= program->largestBudget(); ++model)
                for (const Aim aim : {Aim::Time, Aim::Memory}) {
                    const Segments segments = program->best(model, aim, kGoOn);
                    const auto set = translate(flat, forwardChoice(flat, dag, *program, segments));
                    least = std::min(least, sequenceCost(of.graph, of.costs, toSequence(flat, set)).peakBytes);
                }
            const auto smallest = [&](std::int64_t budget) {
                return test::plan(planner.toStdString(), of, budget, {}, {{"aim", "smallest"}});
            };
            const Expected<SolveOutcome> outcome = smallest(of.keepAllPeakBytes);
            QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
            QCOMPARE(outcome->plan->predicted.peakBytes, least);
            QVERIFY(least >= test::bruteForceSmallestPeak(of.graph, of.costs));
            QCOMPARE(smallest(least)->plan->predicted.peakBytes, least);
            QVERIFY(!smallest(least - 1)->plan);
            QVERIFY(!test::plan(planner.toStdString(), of, least - 1)->plan);
            if (least < of.keepAllPeakBytes) ++smaller;
        }
        QVERIFY2(smaller > (test::testsAll() ? 15 : 3), qPrintable(QString::number(smaller)));
    }

    void countsLowerSetsBeforeItStarts()
    {
        // One op that nine others read, side by side: 1 + 2^9 lower sets before the last op reads them all.
        test::GraphBuilder graph;
        const StorageId start = graph.output(graph.op({}, {{10}}));
        std::vector<StorageId> branches;
        for (int i = 0; i < 9; ++i)
            branches.push_back(graph.output(graph.op({start}, {{10}})));
        const StorageId loss = graph.output(graph.op(branches, {{10}}, 1, Phase::Loss));
        graph.op({loss, start}, {{10, StorageKind::ParameterGradient, true}}, 1, Phase::Backward);
        const test::Case wide(graph.finish());
        const auto refused = test::plan("kusumoto-exact", wide, wide.keepAllPeakBytes, {}, {{"max-lower-sets", "500"}});
        QVERIFY(!refused.has_value());
        QVERIFY2(refused.error().message.find("more than 500 lower sets") != std::string::npos,
                 refused.error().message.c_str());
        const auto done = test::plan("kusumoto-exact", wide, wide.keepAllPeakBytes);
        QVERIFY2(done && done->plan, test::sentenceOf(done).c_str());
        QVERIFY(test::plan("kusumoto-approx", wide, wide.keepAllPeakBytes)->plan.has_value());
    }

    void sizesBeyondFourGigabytes()
    {
        test::ChainParams params;
        params.activationBytes = params.gradientBytes = std::int64_t(3) << 33;
        const test::Case chain(test::chainGraph(12, params));
        const auto outcome = test::plan("kusumoto-exact", chain, chain.percent(70));
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        params.activationBytes = params.gradientBytes = 3;
        const test::Case small(test::chainGraph(12, params));
        const auto same = test::plan("kusumoto-exact", small, small.percent(70));
        QCOMPARE(computeSequence(*outcome->plan), computeSequence(*same->plan));
    }

    void threadsChangeNothing() { test::threadsChangeNothing("kusumoto-approx"); }
    void neverBeatsTheOptimum_data() { test::textRows("planner", {"kusumoto-exact", "kusumoto-approx"}); }
    void neverBeatsTheOptimum() { test::neverBeatsTheOptimum(); }
    void downToInfeasible_data() { test::sampleRows({"kusumoto-approx"}); }
    void downToInfeasible() { test::downToInfeasible(); }
    void exactDownToInfeasible_data()
    {
        std::vector<const char *> samples = {"tiny_resnet", "tiny_unet"};
        if (test::isSampled(0, 3)) samples.push_back("resnet50");
        if (test::isSampled(1, 3)) samples.push_back("unet");
        test::sampleRows({"kusumoto-exact"}, samples);
    }
    void exactDownToInfeasible() { test::downToInfeasible(); }
};

QTEST_GUILESS_MAIN(TestKusumoto)
#include "tst_kusumoto.moc"
