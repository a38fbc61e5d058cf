// SPDX-License-Identifier: Apache-2.0
// What a plan is compared with when keep-all does not fit.
#include "core/plan/plan_verdict.h"
#include "gpu/memory_need.h"
#include "gpu/reference.h"
#include "tests/gpu/run_support.h"

#include <QtTest>

using namespace remat;
using namespace remat::test;

namespace {

/// Keep-all, but what the first ops of a chain make is in host memory from its last reader of the forward pass to its
/// first of the backward pass.
std::vector<Step> offloading(const Graph &graph, std::size_t ops)
{
    const auto readers = readersOf(graph);
    std::vector<Step> steps;
    for (const Step &step : keepAllPlan(graph).steps) {
        for (std::size_t op = 0; op < ops && step.kind == StepKind::Compute; ++op) {
            const StorageId moved = graph.ops[op].outputs.front();
            if (step.op == readers[moved.index()].back()) steps.push_back(Step::prefetch(moved));
        }
        steps.push_back(step);
        for (std::size_t op = 0; op < ops && step.kind == StepKind::Compute; ++op) {
            const StorageId moved = graph.ops[op].outputs.front();
            if (step.op != readers[moved.index()].front()) continue;
            steps.push_back(Step::offload(moved));
            steps.push_back(Step::free(moved));
        }
    }
    return steps;
}

} // namespace

class TestReference : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFirstThatFits()
    {
        const Graph graph = chainGraph(12);
        const CostTable costs = bareCosts(graph);
        const std::vector<Step> keepAll = keepAllPlan(graph).steps;
        const std::vector<Step> another = offloading(graph, 2), plan = offloading(graph, 6);
        const auto peak = [&](const std::vector<Step> &steps) { return simulate(graph, costs, steps)->peakBytes; };
        QVERIFY(peak(plan) < peak(another) && peak(another) < peak(keepAll));
        const auto chosen = [&](const std::vector<Step> &other, std::int64_t room) {
            return *chooseReference(graph, costs, keepAll, other, plan, room);
        };
        QVERIFY(chosen(another, -1).kind == ReferenceKind::KeepAll);
        QVERIFY(chosen(another, peak(keepAll)).steps == &keepAll);
        const Reference second = chosen(another, peak(keepAll) - 1);
        QVERIFY(second.kind == ReferenceKind::AnotherPlan && second.steps == &another);
        QCOMPARE(second.peakBytes, peak(another));
        QVERIFY(chosen(another, peak(another) - 1).kind == ReferenceKind::Itself);
        // A plan that keeps no more than the plan itself shows nothing more.
        QVERIFY(chosen(plan, peak(keepAll) - 1).kind == ReferenceKind::Itself);
        QVERIFY(chosen({}, 0).steps == &plan);
        QVERIFY(!chooseReference(graph, costs, keepAll, {}, {Step::free(StorageId(0))}, -1));
    }

    void sentencesSayWhatItShows()
    {
        const auto sentence = [](ReferenceKind kind) {
            return QString::fromStdString(referenceSentence({kind, nullptr, 1 << 20}, 1 << 30));
        };
        QVERIFY(sentence(ReferenceKind::KeepAll).isEmpty());
        QVERIFY(sentence(ReferenceKind::AnotherPlan).contains("another plan, of 1.00 MiB"));
        QVERIFY(sentence(ReferenceKind::Itself).startsWith("Keep-all would take 1.00 GiB"));
        QVERIFY(sentence(ReferenceKind::Itself).contains("second run of itself"));
    }

    void theVerdictDoesNotCallThatValidated()
    {
        Verdict found{true, -1, {}, 500, 1};
        ValidationRecord run;
        run.passed = run.peakHolds = run.lossEqual = true;
        run.measuredPeakBytes = 500;
        run.reference = ReferenceKind::Itself;
        QCOMPARE(planVerdict({0, 0, &found, &run, true}).title, std::string("Runs on CPU"));
        run.device = "cuda";
        QCOMPARE(planVerdict({0, 0, &found, &run, true}).title, std::string("Runs on GPU"));
        run.reference = ReferenceKind::AnotherPlan;
        QCOMPARE(planVerdict({0, 0, &found, &run, true}).title, std::string("Validated on GPU"));
        run.cpu = {true, 0.5, 1e-3, "loss", {}};
        QVERIFY(planVerdict({0, 0, &found, &run, true}).level == VerdictLevel::Failed);
        run.cpu.largestShare = 1e-4;
        QVERIFY(planVerdict({0, 0, &found, &run, true}).level == VerdictLevel::Ok);
        // What a restless op alone makes differ is no fault of the plan.
        run.lossEqual = false;
        QVERIFY(planVerdict({0, 0, &found, &run, true}).level == VerdictLevel::Failed);
        run.excused = {{"loss", 1e-7}};
        QVERIFY(planVerdict({0, 0, &found, &run, true}).level == VerdictLevel::Ok);
        run.differences = {{"w", 1}};
        QVERIFY(planVerdict({0, 0, &found, &run, true}).level == VerdictLevel::Failed);
    }

    void roomIsWhatIsLeft()
    {
        const MemoryNeed need{100, 1000, 30};
        QCOMPARE(roomBytes(need, RunDevice::Cpu, 1000, 0), 870);
        QCOMPARE(roomBytes(need, RunDevice::Cuda, 1000, 0), 900);
        QCOMPARE(roomBytes(need, RunDevice::Cpu, 50, 0), 0);
        QCOMPARE(roomBytes(need, RunDevice::Cpu, -1, 0), -1);
        QCOMPARE(roomBytes(need, RunDevice::Simulated, 1000, 500), 500);
        QCOMPARE(roomBytes(need, RunDevice::Simulated, 400, 500), 270);
        QCOMPARE(roomBytes(need, RunDevice::Simulated, -1, 500), 500);
        QCOMPARE(roomBytes(need, RunDevice::Cpu, 1000, 500), 870);
    }
};

QTEST_GUILESS_MAIN(TestReference)
#include "tst_reference.moc"
