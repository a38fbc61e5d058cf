// SPDX-License-Identifier: Apache-2.0
#include "core/plan/sequence_evaluator.h"
#include "core/plan/simulator.h"
#include "tests/support/graphs.h"
#include "tests/support/random.h"

#include <QtTest>

using namespace remat;
using namespace remat::test;

namespace {

/// f: x → a (10 B, 3 µs) and b (4 B); g: a → c (6 B, output, 5 µs, workspace 2); h: a, b → d (1 B, output, 7 µs).
/// The link takes 2 µs + 1 µs a byte.
struct StepGraph {
    GraphBuilder builder;
    StorageId x = builder.resident(1000);
    OpId f = builder.op({x}, {{10}, {4}}, 3);
    OpId g = builder.op({builder.output(f)}, {{6, StorageKind::Activation, true, {}}}, 5);
    OpId h = builder.op({builder.output(f), builder.output(f, 1)}, {{1, StorageKind::Activation, true, {}}}, 7);
    Graph graph;
    CostTable costs;
    StorageId a, b, c, d;
    StepGraph()
    {
        builder.edit(g).workspaceBytes = 2;
        graph = builder.finish();
        costs = graphCosts(graph);
        a = graph.op(f).outputs[0];
        b = graph.op(f).outputs[1];
        c = graph.op(g).outputs[0];
        d = graph.op(h).outputs[0];
    }
    Expected<Simulation> run(const std::vector<Step> &steps) const { return simulate(graph, costs, steps); }
};

std::vector<std::int64_t> heldBytes(const Simulation &simulation)
{
    std::vector<std::int64_t> held;
    for (const StepMemory &step : simulation.steps)
        held.push_back(step.heldBytes);
    return held;
}

/// A possible sequence with recomputations: before each op whatever it reads is made again now and then.
std::vector<OpId> sequenceWithRecomputes(const Graph &graph, Random &random)
{
    std::vector<OpId> sequence;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        for (const StorageId input : graph.ops[i].inputs)
            if (graph.planned(input) && random.percent(30)) sequence.push_back(graph.storage(input).producer);
        sequence.emplace_back(i);
    }
    return sequence;
}

} // namespace

class TestSimulator : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void memoryAndClockOfAPlainPlan()
    {
        const StepGraph s;
        const auto result =
            s.run({Step::compute(s.f), Step::compute(s.g), Step::compute(s.h), Step::free(s.a), Step::free(s.b)});
        QVERIFY2(result, result ? "" : result.error().message.c_str());
        QVERIFY(heldBytes(*result) == std::vector<std::int64_t>({14, 22, 21, 11, 7}));
        QCOMPARE(result->peakBytes, 22);
        QCOMPARE(result->peakStep, 1U);
        QCOMPARE(result->timeUs, 15.0);
        QCOMPARE(result->steps[1].startUs, 3.0);
        QCOMPARE(result->steps[1].endUs, 8.0);
        QCOMPARE(result->recomputations, 0);
    }

    void aStorageMadeWhileHeldCountsTwiceDuringTheOp()
    {
        const StepGraph s;
        const auto result = s.run({Step::compute(s.f), Step::free(s.b), Step::compute(s.f), Step::compute(s.f),
                                   Step::compute(s.g), Step::compute(s.h)});
        QVERIFY(result);
        // The second f finds a still there: 10 + (10 + 4); the third finds both: 14 + 14. The second copies are gone
        // after.
        QVERIFY(heldBytes(*result) == std::vector<std::int64_t>({14, 10, 24, 28, 22, 21}));
        QCOMPARE(result->recomputedOps, 1);
        QCOMPARE(result->recomputations, 2);
        QCOMPARE(result->recomputeUs, 6.0);
        QCOMPARE(result->timeUs, 21.0);
    }

    void copiesRunBesideComputes()
    {
        const StepGraph s;
        const auto result = s.run({Step::compute(s.f), Step::offload(s.b), Step::compute(s.g), Step::free(s.b),
                                   Step::prefetch(s.b), Step::compute(s.h)});
        QVERIFY(result);
        // b goes out 3..9 beside g 3..8; its free waits until 9; it comes back 9..15, then h 15..22.
        QCOMPARE(result->steps[1].startUs, 3.0);
        QCOMPARE(result->steps[1].endUs, 9.0);
        QCOMPARE(result->steps[2].endUs, 8.0);
        QCOMPARE(result->steps[3].endUs, 9.0);
        QCOMPARE(result->steps[4].startUs, 9.0);
        QCOMPARE(result->steps[4].endUs, 15.0);
        QCOMPARE(result->timeUs, 22.0);
        QVERIFY(heldBytes(*result) == std::vector<std::int64_t>({14, 14, 22, 16, 20, 21}));
    }

    void aCopyLaneServesOneCopyAtATime()
    {
        const StepGraph s;
        const auto result =
            s.run({Step::compute(s.f), Step::offload(s.a), Step::offload(s.b), Step::compute(s.g), Step::compute(s.h)});
        QVERIFY(result);
        QCOMPARE(result->steps[1].endUs, 15.0);   // 3 + 2 + 10
        QCOMPARE(result->steps[2].startUs, 15.0); // waits for the lane, not for the op
        QCOMPARE(result->steps[2].endUs, 21.0);
        QCOMPARE(result->steps[4].endUs, 15.0); // compute is not held up
        QCOMPARE(result->timeUs, 21.0);         // the makespan is that of all lanes
    }

    void aPrefetchWaitsForItsOffload()
    {
        const StepGraph s;
        const auto result = s.run({Step::compute(s.f), Step::offload(s.a), Step::free(s.a), Step::prefetch(s.a),
                                   Step::free(s.a), Step::compute(s.f), Step::compute(s.g), Step::compute(s.h)});
        QVERIFY(result);
        QCOMPARE(result->steps[2].endUs, 15.0); // free waits for the offload
        QCOMPARE(result->steps[3].endUs, 27.0);
        QCOMPARE(result->steps[4].endUs, 27.0); // and for the prefetch that still writes to it
    }

    void impossibleStepsHaveASentence_data()
    {
        QTest::addColumn<std::vector<Step>>("steps");
        QTest::addColumn<QString>("sentence");
        const StepGraph s;
        const Step f = Step::compute(s.f), g = Step::compute(s.g);
        const auto row = [](const char *name, const std::vector<Step> &steps, const char *sentence) {
            QTest::newRow(name) << steps << QString(sentence);
        };
        row("read before", {g}, "Step 0 reads s1, which was never made.");
        row("read after free", {f, Step::free(s.a), g}, "Step 2 reads s1, which was freed at step 1.");
        row("free twice", {f, Step::free(s.b), Step::free(s.b)}, "Step 2 frees s2, which was freed at step 1.");
        row("free before", {Step::free(s.c)}, "Step 0 frees s3, which was never made.");
        row("free input", {Step::free(s.x)}, "Step 0 frees r0, which is always there and not planned.");
        row("offload input", {Step::offload(s.x)}, "Step 0 offloads r0, which is always there and not planned.");
        row("offload before", {Step::offload(s.a)}, "Step 0 offloads s1, which was never made.");
        row("prefetch held", {f, Step::offload(s.a), Step::prefetch(s.a)},
            "Step 2 prefetches s1, which is still in device memory.");
        row("prefetch without offload", {f, Step::free(s.a), Step::prefetch(s.a)},
            "Step 2 prefetches s1, which was never offloaded.");
        row("output missing", {f, g}, "The plan ends without s4, an output of the graph.");
        row("output freed", {f, g, Step::compute(s.h), Step::free(s.c)},
            "The plan ends without s3, an output of the graph.");
        row("no such op", {Step::compute(OpId(3))}, "Step 0 computes an op that the graph does not have.");
        row("no op", {Step::compute(OpId())}, "Step 0 computes an op that the graph does not have.");
        row("no such storage", {f, Step::free(StorageId(99))}, "Step 1 frees a storage that the graph does not have.");
    }

    void impossibleStepsHaveASentence()
    {
        QFETCH(std::vector<Step>, steps);
        QFETCH(QString, sentence);
        const auto result = StepGraph().run(steps);
        QVERIFY(!result);
        QCOMPARE(QString::fromStdString(result.error().message), sentence);
    }

    void mutatingOpsAreComputedExactlyOnce()
    {
        StepGraph s;
        s.graph.ops[s.f.index()].computeOnce = true;
        const auto again = s.run({Step::compute(s.f), Step::compute(s.f)});
        QVERIFY(!again);
        QVERIFY(again.error().message.starts_with("Step 1 computes op0 again"));

        GraphBuilder builder;
        const StorageId buffer = builder.resident(8, StorageKind::Buffer);
        builder.op({buffer}, {{1, StorageKind::Activation, true, {}}});
        const OpId update = builder.op({buffer}, {{0}});
        builder.edit(update).computeOnce = true;
        const Graph graph = builder.finish();
        const auto never = simulate(graph, graphCosts(graph), {Step::compute(OpId(0))});
        QVERIFY(!never);
        QVERIFY(never.error().message.starts_with("The plan never computes op1"));
    }

    void sequenceCostIsWhatSimulateSays()
    {
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            const Graph graph = randomGraph(seed, {.ops = 4 + static_cast<int>(seed % 20), .joint = seed % 2 == 0});
            const CostTable costs = graphCosts(graph);
            Random random(seed);
            const std::vector<OpId> wanted = sequenceWithRecomputes(graph, random);
            // Whatever is missing for a recomputation makes it impossible; those sequences are left out.
            const auto steps = withEarliestFrees(graph, wanted);
            const auto simulation = simulate(graph, costs, steps);
            if (!simulation) continue;
            SequenceEvaluator evaluator(graph, costs);
            std::vector<std::int64_t> held;
            for (const SequenceCost &cost :
                 {sequenceCost(graph, costs, wanted), evaluator(wanted), evaluator.profile(wanted, held)}) {
                QCOMPARE(cost.peakBytes, simulation->peakBytes);
                QVERIFY(std::abs(cost.timeUs - simulation->timeUs) < 1e-9 * simulation->timeUs);
            }
            std::size_t position = 0;
            for (std::size_t i = 0; i < steps.size(); ++i)
                if (steps[i].kind == StepKind::Compute) QCOMPARE(held[position++], simulation->steps[i].heldBytes);
            // Cleaning up never costs anything.
            const SequenceCost cleaned = evaluator(dropUselessRecomputes(graph, wanted));
            QVERIFY(cleaned.timeUs <= simulation->timeUs);
            QVERIFY(cleaned.peakBytes <= simulation->peakBytes);
        }
    }
};

QTEST_GUILESS_MAIN(TestSimulator)
#include "tst_simulator.moc"
