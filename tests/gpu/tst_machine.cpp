// SPDX-License-Identifier: Apache-2.0
// Plans of real planners through LibTorch on three streams at planned addresses: equal bits, the peak to the byte.
#include "core/plan/measured.h"
#include "core/plan/simulator.h"
#include "solvers/interface/solver.h"
#include "tests/gpu/run_support.h"
#include "tests/support/sampled.h"
#include "tests/support/torch.h"

#include <QtTest>

#include <array>
#include <optional>

using namespace remat;
using namespace remat::test;

namespace {

constexpr std::array<const char *, 6> kPlanners = {"hiremate", "chen-sqrt", "dtr",
                                                   "pofo",     "poet",      "offload-greedy-star"};

/// The planner's plan at this budget; nothing when it has none.
std::optional<Plan> planAt(const char *solver, const Model &model, const CostTable &costs, std::int64_t budgetBytes)
{
    const Expected<const Planner *> planner = findPlanner(solver);
    if (!planner) qFatal("%s", planner.error().message.c_str());
    const Expected<OptionSet> options = makeOptions((*planner)->info.options, {});
    if (!options) qFatal("%s", options.error().message.c_str());
    SolveRequest request;
    request.options = *options;
    request.graph = &model.graph;
    request.costs = &costs;
    request.budgetBytes = budgetBytes;
    SolveContext context;
    context.deadline = Deadline(1);
    context.threads = 2;
    const auto outcome = solve(**planner, request, context);
    if (!outcome) qFatal("%s", outcome.error().message.c_str());
    return outcome->plan;
}

/// Everything offloaded that crosses from the forward to the backward pass and may leave.
Plan offloadEverything(const Graph &graph)
{
    Plan plan;
    const auto readers = readersOf(graph);
    std::vector<char> leaves(graph.storages.size(), 0), away(graph.storages.size(), 0);
    for (std::size_t s = 0; s < leaves.size(); ++s) {
        const Storage &storage = graph.storages[s];
        if (!graph.planned(StorageId(s)) || storage.isOutput || readers[s].empty() || !storage.producer) continue;
        leaves[s] =
            graph.op(storage.producer).phase == Phase::Forward && graph.op(readers[s].back()).phase == Phase::Backward;
    }
    for (const Step &step : keepAllPlan(graph).steps) {
        if (step.kind != StepKind::Compute) {
            plan.steps.push_back(step);
            continue;
        }
        for (const StorageId input : graph.op(step.op).inputs)
            if (std::exchange(away[input.index()], 0)) plan.steps.push_back(Step::prefetch(input));
        plan.steps.push_back(step);
        if (graph.op(step.op).phase == Phase::Backward) continue;
        // After the last reader of the forward pass.
        for (std::size_t s = 0; s < leaves.size(); ++s) {
            if (!leaves[s]) continue;
            OpId last = graph.storages[s].producer;
            for (const OpId reader : readers[s])
                if (graph.op(reader).phase != Phase::Backward) last = reader;
            if (last != step.op) continue;
            plan.steps.push_back(Step::offload(StorageId(s)));
            plan.steps.push_back(Step::free(StorageId(s)));
            away[s] = 1;
        }
    }
    return plan;
}

} // namespace

class TestMachine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!runtimeInfo().available) REMAT_NO_TORCH(runtimeInfo().sentence.c_str());
    }

    void plansAtPlannedAddresses_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("turn");
        int turn = 0;
        for (const char *name : {"tiny_gpt2", "tiny_resnet", "tiny_unet", "tiny_transformer"})
            QTest::newRow(name) << name << turn++;
    }
    /// One planner a sample at one budget, another each day; a planner that has no plan leaves its turn to the next.
    void plansAtPlannedAddresses()
    {
        QFETCH(QString, name);
        QFETCH(int, turn);
        const Expected<Model> model = loadSample(name.toStdString());
        if (!model) QFAIL(model.error().message.c_str());
        RunContext context = fixedContext(MemoryMode::Arena);
        const Expected<Profile> profile = profileModel(*model, RunDevice::Cpu, {2}, context);
        QVERIFY2(profile, profile ? "" : profile.error().message.c_str());
        const CostTable costs = measuredCosts(*profile);
        const Expected<Simulation> keepAll = simulate(model->graph, costs, keepAllPlan(model->graph).steps);
        QVERIFY(keepAll);
        constexpr int kRows = 18; // six planners, three budgets
        int first = 0, runs = 0;
        while (!testsAll() && !isSampled(static_cast<std::size_t>(first + 5 * turn), kRows))
            ++first;
        for (int row = first; row < first + kRows && (testsAll() || runs == 0); ++row) {
            const int which = row % kRows / 3, budget = row % 3;
            std::optional<Plan> plan;
            // The last is the smallest that the planner reaches, in steps of 10 %.
            for (int percent = budget == 0 ? 70 : budget == 1 ? 50 : 25; !plan && percent <= 75; percent += 10)
                plan = planAt(kPlanners[static_cast<std::size_t>(which)], *model, costs,
                              keepAll->peakBytes * percent / 100);
            if (!plan) {
                qInfo("%s has no plan", kPlanners[static_cast<std::size_t>(which)]);
                continue;
            }
            const auto record = validatePlan(*model, costs, *plan, RunDevice::Simulated, context);
            QVERIFY2(record, record ? "" : record.error().message.c_str());
            qInfo("%s, %.0f %%: %s", kPlanners[static_cast<std::size_t>(which)],
                  100.0 * static_cast<double>(record->measuredPeakBytes) / static_cast<double>(keepAll->peakBytes),
                  record->sentence.c_str());
            QVERIFY2(record->lossEqual && record->differences.empty(), record->sentence.c_str());
            QCOMPARE(QString::fromStdString(record->memory), QString("arena"));
            QCOMPARE(record->heightBytes, record->plannedHeightBytes);
            QVERIFY(record->heightBytes >= record->measuredPeakBytes);
            QCOMPARE(record->measuredPeakBytes, record->predictedPeakBytes);
            // Not only the peak: at every step the storages that are there weigh what the simulator says.
            const Expected<Simulation> simulated = simulatePlan(model->graph, costs, *plan);
            QVERIFY(simulated);
            QCOMPARE(record->steps.size(), plan->steps.size());
            for (std::size_t step = 0; step < plan->steps.size(); ++step) {
                const bool computes = plan->steps[step].kind == StepKind::Compute;
                const std::int64_t off =
                    computes ? memoryGap(model->graph, costs, plan->steps, *simulated, record->steps, step).heldBytes()
                             : record->steps[step].heldBytes - simulated->steps[step].heldBytes;
                QVERIFY2(off == 0, (stepTitle(model->graph, plan->steps[step]) + " at step " + std::to_string(step) +
                                    " held " + std::to_string(off) + " bytes more than simulated")
                                       .c_str());
            }
            ++runs;
        }
        QVERIFY(runs >= 1);
    }

    void offloadsOnThreeStreams_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("arena");
        QTest::newRow("arena") << "tiny_gpt2" << true;
        QTest::newRow("allocator") << "tiny_gpt2" << false;
        QTest::newRow("convolutions") << "tiny_resnet" << true;
    }
    void offloadsOnThreeStreams()
    {
        QFETCH(QString, name);
        QFETCH(bool, arena);
        const Expected<Model> model = loadSample(name.toStdString());
        if (!model) QFAIL(model.error().message.c_str());
        const Plan plan = offloadEverything(model->graph);
        RunContext context = fixedContext(arena ? MemoryMode::Arena : MemoryMode::Allocator);
        context.repeats = 4;
        const auto record = validatePlan(*model, bareCosts(model->graph), plan, RunDevice::Simulated, context);
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        QVERIFY2(record->lossEqual && record->differences.empty(), record->sentence.c_str());
        QVERIFY(record->hostBytes > 0);
        QCOMPARE(record->plannedHeightBytes > 0, arena);
        if (arena) QCOMPARE(record->heightBytes, record->plannedHeightBytes);
        QVERIFY(record->measuredPeakBytes < record->measuredKeepAllPeakBytes);
    }

    /// Every other parameter begins in host memory; each is fetched for the ops that read it.
    void parametersOnThreeStreams()
    {
        const Expected<Model> model = loadSample("tiny_gpt2");
        if (!model) QFAIL(model.error().message.c_str());
        const Graph graph = withPlannedParameters(model->graph);
        Plan plan;
        plan.parametersPlanned = true;
        std::vector<StorageId> moved;
        std::vector<char> away(graph.storages.size(), 0);
        for (std::size_t s = 0; s < graph.storages.size(); ++s) {
            if (!graph.storages[s].plannedParameter) continue;
            if (s % 2 == 0)
                away[s] = 1;
            else
                moved.emplace_back(s);
        }
        for (const Step &step : keepAllPlan(graph).steps) {
            if (step.kind != StepKind::Compute) {
                plan.steps.push_back(step);
                continue;
            }
            for (const StorageId input : graph.op(step.op).inputs)
                if (std::exchange(away[input.index()], 0)) plan.steps.push_back(Step::prefetch(input));
            plan.steps.push_back(step);
            for (const StorageId input : graph.op(step.op).inputs)
                if (graph.storage(input).plannedParameter && !std::exchange(away[input.index()], 1))
                    plan.steps.push_back(Step::free(input));
        }
        for (const StorageId back : moved)
            if (away[back.index()]) plan.steps.push_back(Step::prefetch(back));
        for (const MemoryMode mode : {MemoryMode::Arena, MemoryMode::Allocator}) {
            const auto record = validatePlan(*model, bareCosts(graph), plan, RunDevice::Simulated, fixedContext(mode));
            QVERIFY2(record, record ? "" : record.error().message.c_str());
            QVERIFY2(record->lossEqual && record->differences.empty(), record->sentence.c_str());
            QCOMPARE(record->measuredPeakBytes, record->predictedPeakBytes);
        }
    }

    /// On the CPU, too, when asked.
    void theCpuHasAnArena()
    {
        const Expected<Model> model = loadSample("tiny_transformer");
        if (!model) QFAIL(model.error().message.c_str());
        const auto record = validatePlan(*model, bareCosts(model->graph), forgetfulPlan(model->graph, 3, 60),
                                         RunDevice::Cpu, fixedContext(MemoryMode::Arena));
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        QVERIFY2(record->passed, record->sentence.c_str());
        QCOMPARE(QString::fromStdString(record->device), QString("cpu"));
        QCOMPARE(record->heightBytes, record->plannedHeightBytes);
    }
};

QTEST_GUILESS_MAIN(TestMachine)
#include "tst_machine.moc"
