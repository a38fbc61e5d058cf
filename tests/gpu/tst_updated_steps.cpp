// SPDX-License-Identifier: Apache-2.0
// Training steps that hold their updates, for real: weights and optimizer states leave the device and come back,
// updates run on the device and on the host, and every updated tensor is equal bit for bit.
#include "core/costs/update_costs.h"
#include "core/plan/simulator.h"
#include "gpu/updated_model.h"
#include "solvers/interface/solver.h"
#include "tests/gpu/run_support.h"
#include "tests/support/torch.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <optional>

using namespace remat;
using namespace remat::test;

namespace {

/// A sample with its profile on the CPU.
struct Measured {
    Model model;
    CostTable costs;
};

const Measured &measured(const std::string &name)
{
    static std::map<std::string, Measured> known;
    const auto found = known.find(name);
    if (found != known.end()) return found->second;
    Expected<Model> model = loadSample(name);
    if (!model) qFatal("%s", model.error().message.c_str());
    RunContext context;
    context.threads = 1; // teams of threads on every stream would wait for each other on a small machine
    const Expected<Profile> profile = profileModel(*model, RunDevice::Cpu, {1}, context);
    if (!profile) qFatal("%s", profile.error().message.c_str());
    CostTable costs = measuredCosts(*profile);
    costs.linkBytesPerSecond = 2e9;
    costs.linkLatencyUs = 10;
    return known.emplace(name, Measured{std::move(*model), std::move(costs)}).first->second;
}

/// A plan that moves weights; the smallest budget in steps of 10 % that the planner has one for.
std::optional<Plan> planOf(const char *solver, const Graph &graph, const CostTable &costs)
{
    const Expected<const Planner *> planner = findPlanner(solver);
    if (!planner) qFatal("%s", planner.error().message.c_str());
    const Expected<OptionSet> options = makeOptions((*planner)->info.options, {{"parameters", "on"}});
    if (!options) qFatal("%s", options.error().message.c_str());
    const Graph planned = withPlannedParameters(graph);
    const Expected<Simulation> keepAll = simulate(planned, costs, keepAllPlan(planned).steps);
    if (!keepAll) qFatal("%s", keepAll.error().message.c_str());
    for (int percent = 40; percent <= 90; percent += 10) {
        SolveRequest request;
        request.options = *options;
        request.graph = &graph;
        request.costs = &costs;
        request.budgetBytes = keepAll->peakBytes * percent / 100;
        SolveContext context;
        context.deadline = Deadline(1);
        context.threads = 2;
        Expected<SolveOutcome> outcome = solve(**planner, request, context);
        if (!outcome) qFatal("%s", outcome.error().message.c_str());
        if (outcome->plan) return std::move(outcome->plan);
    }
    return std::nullopt;
}

bool moves(const Graph &graph, const Plan &plan, StepKind how, StorageKind what)
{
    return std::any_of(plan.steps.begin(), plan.steps.end(),
                       [&](const Step &step) { return step.kind == how && graph.storage(step.storage).kind == what; });
}

} // namespace

class TestUpdatedSteps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!runtimeInfo().available) REMAT_NO_TORCH(runtimeInfo().sentence.c_str());
    }

    void weightsArePaged_data()
    {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<bool>("onHost");
        QTest::addColumn<QString>("solver");
        QTest::addColumn<bool>("arena");
        const auto row = [](const char *sample, const char *optimizer, bool onHost, const char *solver, bool arena) {
            QTest::addRow("%s, %s on the %s, %s, %s", sample, optimizer, onHost ? "host" : "device", solver,
                          arena ? "arena" : "allocator")
                << sample << optimizer << onHost << solver << arena;
        };
        row("tiny_gpt2", "adamw", false, "offload-greedy-star", true);
        row("tiny_gpt2", "adamw", true, "offmate", true);
        row("tiny_gpt2", "momentum", false, "offload-greedy-star", false);
        row("tiny_resnet", "momentum", true, "offload-greedy-star", true);
        row("tiny_resnet", "adamw", false, "offload-greedy-star", false);
    }
    void weightsArePaged()
    {
        QFETCH(QString, sample);
        QFETCH(QString, optimizer);
        QFETCH(bool, onHost);
        QFETCH(QString, solver);
        QFETCH(bool, arena);
        const Measured &of = measured(sample.toStdString());
        const Updates updates{optimizer.toStdString(), UpdateAt::Gradient, onHost};
        const Expected<Graph> graph = withUpdates(of.model, updates);
        QVERIFY2(graph, graph ? "" : graph.error().message.c_str());
        const Expected<Device> device = findDevice("laptop-cpu");
        QVERIFY(device);
        const CostTable costs = costsWithMore(of.model.graph, of.costs, *graph, *device);
        const std::optional<Plan> plan = planOf(qPrintable(solver), *graph, costs);
        QVERIFY2(plan, "there is no plan");
        QVERIFY(moves(*graph, *plan, StepKind::Prefetch, StorageKind::Parameter));
        QVERIFY(onHost || optimizer == "momentum" || moves(*graph, *plan, StepKind::Offload, StorageKind::State));

        RunContext context;
        context.threads = 1;
        context.seed = 7;
        context.memory = arena ? MemoryMode::Arena : MemoryMode::Allocator;
        context.updates = updates;
        const auto record = validatePlan(of.model, costs, *plan, RunDevice::Simulated, context);
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        qInfo("%s", record->sentence.c_str());
        QVERIFY2(record->passed, record->sentence.c_str());
        QVERIFY(record->lossEqual && record->differences.empty());
        std::size_t updated = 0;
        for (const Op &op : graph->ops)
            updated += op.updates.size();
        QVERIFY(updated > 10);
        QCOMPARE(static_cast<std::size_t>(record->updated), updated);
        QCOMPARE(record->updatedEqual, record->updated);
        QCOMPARE(record->gradients, 0); // the updates have read them all
        QCOMPARE(record->measuredPeakBytes, record->predictedPeakBytes);
        QCOMPARE(record->plannedHeightBytes > 0, arena);
        if (arena) QCOMPARE(record->heightBytes, record->plannedHeightBytes);
        QVERIFY(record->measuredPeakBytes < record->measuredKeepAllPeakBytes);
        QVERIFY(record->hostBytes > 0);
    }

    /// Op by op, with LibTorch's own allocator; weights stay where they are, or every one leaves.
    void onTheCpu_data()
    {
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<bool>("onHost");
        QTest::addColumn<bool>("moves");
        QTest::newRow("sgd, resident") << "sgd" << false << false;
        QTest::newRow("adam, resident, on the host") << "adam" << true << false;
        QTest::newRow("adamw, paged") << "adamw" << false << true;
        QTest::newRow("momentum, paged, on the host") << "momentum" << true << true;
    }
    void onTheCpu()
    {
        QFETCH(QString, optimizer);
        QFETCH(bool, onHost);
        QFETCH(bool, moves);
        const Measured &of = measured("tiny_gpt2");
        const Updates updates{optimizer.toStdString(), UpdateAt::End, onHost};
        const Expected<Graph> graph = withUpdates(of.model, updates);
        QVERIFY2(graph, graph ? "" : graph.error().message.c_str());
        const Expected<Device> device = findDevice("laptop-cpu");
        QVERIFY(device);
        const CostTable costs = costsWithMore(of.model.graph, of.costs, *graph, *device);
        std::optional<Plan> plan = moves ? planOf("offload-greedy-star", *graph, costs) : keepAllPlan(*graph);
        QVERIFY(plan);
        RunContext context;
        context.threads = 1;
        context.updates = updates;
        const auto record = validatePlan(of.model, costs, *plan, RunDevice::Cpu, context);
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        QVERIFY2(record->passed, record->sentence.c_str());
        QVERIFY(record->updated > 0 && record->updatedEqual == record->updated);
        QCOMPARE(record->checksums.size(), static_cast<std::size_t>(record->updated + 1));
    }

    /// A plan of other updates, or of none, is refused before anything runs; so is one that would read a stale copy.
    void wrongPlansAreRefused()
    {
        const Measured &of = measured("tiny_gpt2");
        const Updates updates{"adamw", UpdateAt::Gradient, false};
        const Expected<Graph> graph = withUpdates(of.model, updates);
        QVERIFY(graph);
        RunContext context;
        context.updates = updates;
        const Plan ofTheTrace = keepAllPlan(of.model.graph);
        QVERIFY(!validatePlan(of.model, bareCosts(*graph), ofTheTrace, RunDevice::Cpu, context));
        std::optional<Plan> plan = planOf("offload-greedy-star", *graph, costsFor(of, *graph));
        QVERIFY(plan);
        const auto offload = std::find_if(plan->steps.begin(), plan->steps.end(), [&](const Step &step) {
            return step.kind == StepKind::Offload && graph->storage(step.storage).kind == StorageKind::State;
        });
        QVERIFY(offload != plan->steps.end());
        plan->steps.erase(offload);
        const auto stale = validatePlan(of.model, bareCosts(*graph), *plan, RunDevice::Simulated, context);
        QVERIFY(!stale);
        qInfo("%s", stale.error().message.c_str());
    }

    /// What runs is no operator that a trace may name.
    void fusedKernelsAreOurs()
    {
        const Measured &of = measured("tiny_gpt2");
        const Expected<Model> updated = updatedModel(of.model, {"adamw", UpdateAt::Gradient, false});
        QVERIFY(updated);
        const auto refused = validatePlan(*updated, bareCosts(updated->graph), keepAllPlan(updated->graph),
                                          RunDevice::Cpu, RunContext());
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.find("_fused_adamw_") != std::string::npos, refused.error().message.c_str());
    }

private:
    static CostTable costsFor(const Measured &of, const Graph &graph)
    {
        return costsWithMore(of.model.graph, of.costs, graph, *findDevice("laptop-cpu"));
    }
};

QTEST_GUILESS_MAIN(TestUpdatedSteps)
#include "tst_updated_steps.moc"
