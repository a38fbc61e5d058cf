// SPDX-License-Identifier: Apache-2.0
// Plans on the simulated accelerator, with ops that show every wrong byte: right plans run right in every order of
// events.
#include "core/plan/simulator.h"
#include "tests/gpu/engine_cases.h"

#include <QtTest>

#include <map>

using namespace remat;
using namespace remat::test;

namespace {

#if defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kPlans = 100;
#else
constexpr std::uint64_t kPlans = 1000;
#endif

} // namespace

class TestEngine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void randomPlansRunRightInEveryOrder()
    {
        std::map<std::uint64_t, Outputs> expected;
        std::size_t copies = 0;
        for (std::uint64_t seed = 0; seed < kPlans; ++seed) {
            const std::uint64_t graphSeed = seed % 100;
            Random random(seed);
            const Graph graph = graphFor(graphSeed);
            const Case what(graph, randomValidPlan(graph, random));
            if (!expected.contains(graphSeed)) expected[graphSeed] = expectedOutputs(graph);
            const Expected<Simulation> simulated = simulate(what.graph, what.costs, what.steps);
            QVERIFY(simulated);
            SimulatedAccelerator device(adverse(what, seed, kLateCompute));
            const Outcome outcome = runInArena(what, device);
            QVERIFY2(outcome.run, outcome.run ? "" : outcome.run.error().message.c_str());
            QVERIFY2(outcome.outputs == expected[graphSeed], qPrintable(QString("seed %1").arg(seed)));
            QCOMPARE(outcome.run->peakBytes, simulated->peakBytes);
            QCOMPARE(outcome.run->heightBytes, what.layout.heightBytes);
            for (std::size_t i = 0; i < what.steps.size(); ++i)
                QCOMPARE(outcome.run->steps[i].heldBytes, simulated->steps[i].heldBytes);
            QCOMPARE(device.deviceBytes(), 0);
            QCOMPARE(device.hostBytes(), 0);
            copies +=
                static_cast<std::size_t>(std::count_if(what.steps.begin(), what.steps.end(), [](const Step &step) {
                    return streamOf(step.kind) != Stream::Compute;
                }));
        }
        QVERIFY2(copies > 2 * kPlans, qPrintable(QString::number(copies)));
    }

    /// Parameters and states leave, are updated on the device and on the host, and come back.
    void updatesRunRightInEveryOrder()
    {
        std::size_t updates = 0, onHost = 0;
        for (std::uint64_t seed = 0; seed < kPlans / 4; ++seed) {
            const Graph graph = updatingGraph(seed % 60);
            Random random(seed);
            const Case what(graph, randomValidPlan(graph, random));
            const Case keepAll(graph, keepAllPlan(graph).steps);
            SimulatedAccelerator plain;
            const Outcome expected = runFirstFit(keepAll, plain, allBytes(keepAll));
            QVERIFY2(expected.run, expected.run ? "" : expected.run.error().message.c_str());
            const Expected<Simulation> simulated = simulate(what.graph, what.costs, what.steps);
            QVERIFY(simulated);
            SimulatedAccelerator device(adverse(what, seed, kLateHost));
            const Outcome outcome = runInArena(what, device);
            QVERIFY2(outcome.run, outcome.run ? "" : outcome.run.error().message.c_str());
            QVERIFY2(outcome.outputs == expected.outputs && outcome.updated == expected.updated,
                     qPrintable(QString("seed %1").arg(seed)));
            QCOMPARE(outcome.run->peakBytes, simulated->peakBytes);
            for (const Op &op : graph.ops) {
                updates += op.updates.size();
                onHost += op.onHost ? 1 : 0;
                QVERIFY(op.updates.empty() || !outcome.updated.empty());
            }
        }
        QVERIFY(updates > kPlans / 4 && onHost > kPlans / 20);
    }

    void firstFitRunsTheSame()
    {
        for (std::uint64_t seed = 0; seed < kPlans / 5; ++seed) {
            const Graph graph = graphFor(seed);
            Random random(seed);
            const Case what(graph, randomValidPlan(graph, random));
            SimulatedAccelerator device(SimulatedSettings{.late = seed % 2 == 0 ? kLateCopies : kLateCompute});
            const Outcome outcome = runFirstFit(what, device, allBytes(what));
            QVERIFY2(outcome.run, outcome.run ? "" : outcome.run.error().message.c_str());
            QVERIFY(outcome.outputs == expectedOutputs(graph));
            const Expected<Simulation> simulated = simulate(what.graph, what.costs, what.steps);
            QVERIFY(simulated);
            QCOMPARE(outcome.run->peakBytes, simulated->peakBytes);
            QVERIFY(outcome.run->heightBytes >= simulated->peakBytes);
        }
    }

    void theChainRunsRight()
    {
        const Case what = offloadingChain();
        for (const auto &late : {kLateCopies, kLateCompute}) {
            SimulatedAccelerator device(SimulatedSettings{.late = late});
            const Outcome outcome = runInArena(what, device);
            QVERIFY2(outcome.run, outcome.run ? "" : outcome.run.error().message.c_str());
            QVERIFY(outcome.outputs == expectedOutputs(what.graph));
        }
    }

    /// The offload has not begun when ops behind it are done: compute does not wait for copies that nobody needs.
    void copiesRunBesideCompute()
    {
        const Case what = offloadingChain();
        SimulatedAccelerator device(SimulatedSettings{.late = kLateCopies});
        const Outcome outcome = runInArena(what, device);
        QVERIFY2(outcome.run, outcome.run ? "" : outcome.run.error().message.c_str());
        const std::size_t offload = position(what, StepKind::Offload);
        int beside = 0;
        for (std::size_t i = offload + 1; what.steps[i].kind != StepKind::Free; ++i) {
            if (what.steps[i].kind != StepKind::Compute) continue;
            QVERIFY(outcome.run->steps[i].endUs <= outcome.run->steps[offload].endUs);
            ++beside;
        }
        QCOMPARE(beside, 2);
        const auto freed = static_cast<std::size_t>(
            std::find(what.steps.begin(), what.steps.end(), Step::free(what.graph.op(OpId(0)).outputs[0])) -
            what.steps.begin());
        QVERIFY(outcome.run->steps[freed].startUs >= outcome.run->steps[offload].endUs);
    }

    void walledPlansRunToo()
    {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Graph graph = graphFor(seed);
            Random random(seed);
            const Case what(graph, randomValidPlan(graph, random));
            SimulatedAccelerator device(SimulatedSettings{.closed = ClosedMemory::Unreadable, .late = kLateCopies});
            const Outcome outcome = runInArena(what, device);
            QVERIFY2(outcome.run, outcome.run ? "" : outcome.run.error().message.c_str());
            QVERIFY(outcome.outputs == expectedOutputs(graph));
        }
    }
};

QTEST_APPLESS_MAIN(TestEngine)
#include "tst_engine.moc"
