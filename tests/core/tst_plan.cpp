// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan.h"
#include "core/plan/simulator.h"
#include "tests/support/graphs.h"
#include "tests/support/random.h"

#include <QtTest>

#include <set>

using namespace remat;
using namespace remat::test;

namespace {

/// a → b → c(output), d reads a and b and makes an output; a two-output op in between whose second output nobody reads.
struct PlanGraph {
    GraphBuilder builder;
    StorageId x = builder.resident(100);
    OpId a = builder.op({x}, {{10}});
    OpId b = builder.op({builder.output(a)}, {{20}, {5}});
    OpId c = builder.op({builder.output(b)}, {{7, StorageKind::Activation, true, {}}});
    OpId d = builder.op({builder.output(a), builder.output(b)}, {{3, StorageKind::Activation, true, {}}});
    Graph graph = builder.finish();
    StorageId sa = graph.op(a).outputs[0], sb = graph.op(b).outputs[0], unread = graph.op(b).outputs[1];
};

/// Planned storages freed and read around each computation, straight from the definition, in quadratic time.
std::vector<std::set<StorageId>> freedAfter(const Graph &graph, const std::vector<OpId> &sequence)
{
    std::vector<std::set<StorageId>> freed(sequence.size());
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        for (const StorageId made : graph.op(sequence[i]).outputs) {
            std::size_t last = i;
            bool madeAgain = false;
            for (std::size_t k = i + 1; k < sequence.size() && !madeAgain; ++k) {
                const auto &inputs = graph.op(sequence[k]).inputs;
                if (std::find(inputs.begin(), inputs.end(), made) != inputs.end()) last = k;
                madeAgain = sequence[k] == sequence[i];
            }
            if (madeAgain || !graph.storage(made).isOutput) freed[last].insert(made);
        }
    }
    return freed;
}

} // namespace

class TestPlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepAllComputesEveryOpOnceAndFreesAfterTheLastRead()
    {
        const PlanGraph s;
        const std::vector<Step> expected = {Step::compute(s.a), Step::compute(s.b), Step::free(s.unread),
                                            Step::compute(s.c), Step::compute(s.d), Step::free(s.sb),
                                            Step::free(s.sa)};
        const Plan plan = keepAllPlan(s.graph);
        QCOMPARE(plan.steps.size(), expected.size());
        QVERIFY(std::is_permutation(plan.steps.end() - 2, plan.steps.end(), expected.end() - 2));
        QVERIFY(std::equal(plan.steps.begin(), plan.steps.end() - 2, expected.begin()));
        QCOMPARE(plan.budgetBytes, 0);
    }

    void freesComeRightAfterTheLastRead_data()
    {
        QTest::addColumn<quint64>("seed");
        for (quint64 seed = 1; seed <= 50; ++seed)
            QTest::addRow("%llu", static_cast<unsigned long long>(seed)) << seed;
    }

    void freesComeRightAfterTheLastRead()
    {
        QFETCH(quint64, seed);
        const Graph graph = randomGraph(seed, {.joint = seed % 2 == 0});
        Random random(seed);
        std::vector<OpId> sequence;
        for (std::size_t i = 0; i < graph.ops.size(); ++i) {
            sequence.emplace_back(i);
            // Reads are not checked by withEarliestFrees, so any earlier op may come again.
            if (random.percent(50)) sequence.emplace_back(random.below(static_cast<int>(i) + 1));
        }
        const auto expected = freedAfter(graph, sequence);
        std::size_t position = 0;
        std::set<StorageId> freed;
        std::vector<OpId> computed;
        const std::vector<Step> steps = withEarliestFrees(graph, sequence);
        for (std::size_t i = 0; i <= steps.size(); ++i) {
            const bool frees = i < steps.size() && steps[i].kind == StepKind::Free;
            if (frees) {
                QVERIFY2(freed.insert(steps[i].storage).second, "freed twice after one computation");
                continue;
            }
            if (i > 0) QVERIFY(freed == expected[position++]);
            freed.clear();
            if (i < steps.size()) computed.push_back(steps[i].op);
        }
        QVERIFY(computed == sequence);
    }

    void aRecomputedStorageIsFreedTwice()
    {
        const PlanGraph s;
        const auto steps = withEarliestFrees(s.graph, {s.a, s.b, s.c, s.a, s.b, s.d});
        QCOMPARE(std::count(steps.begin(), steps.end(), Step::free(s.sa)), 2);
        QCOMPARE(std::count(steps.begin(), steps.end(), Step::free(s.sb)), 2);
        QCOMPARE(std::count(steps.begin(), steps.end(), Step::free(s.unread)), 2);
        QVERIFY(std::find(steps.begin(), steps.end(), Step::free(s.graph.op(s.c).outputs[0])) == steps.end());
    }

    void uselessRecomputesGo()
    {
        const PlanGraph s;
        // The second a serves only the second b, whose output nobody reads before the third.
        const std::vector<OpId> sequence = {s.a, s.b, s.c, s.a, s.b, s.b, s.d};
        const std::vector<OpId> expected = {s.a, s.b, s.c, s.a, s.b, s.d};
        QVERIFY(dropUselessRecomputes(s.graph, sequence) == expected);
        const std::vector<OpId> trailing = {s.a, s.b, s.c, s.d, s.a, s.b};
        QVERIFY(dropUselessRecomputes(s.graph, trailing) == std::vector<OpId>({s.a, s.b, s.c, s.d}));
    }

    void firstComputationsStay()
    {
        const PlanGraph s;
        // The first b is read by nobody before it is made again, yet it stays where it is.
        const std::vector<OpId> sequence = {s.a, s.b, s.b, s.c, s.d};
        QVERIFY(dropUselessRecomputes(s.graph, sequence) == sequence);
    }

    void computeSequenceLeavesOutTheRest()
    {
        const PlanGraph s;
        Plan plan;
        plan.steps = {Step::compute(s.a), Step::offload(s.sa), Step::free(s.sa), Step::prefetch(s.sa),
                      Step::compute(s.b)};
        QVERIFY(computeSequence(plan) == std::vector<OpId>({s.a, s.b}));
    }
};

QTEST_GUILESS_MAIN(TestPlan)
#include "tst_plan.moc"
