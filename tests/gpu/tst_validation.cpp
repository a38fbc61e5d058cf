// SPDX-License-Identifier: Apache-2.0
// Real runs of plans on the CPU: equal bits, peak as predicted, wrong plans refused.
#include "core/plan/plan_verdict.h"
#include "core/plan/simulator.h"
#include "solvers/interface/solver.h"
#include "tests/gpu/run_support.h"
#include "tests/support/torch.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace remat;
using namespace remat::test;

namespace {

QString text(const std::string &string)
{
    return QString::fromStdString(string);
}

/// Two threads and one seed, so that every run of the tests does the same.
double peakError(const ValidationRecord &record)
{
    return static_cast<double>(record.measuredPeakBytes) / static_cast<double>(record.predictedPeakBytes) - 1;
}

} // namespace

class TestValidation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!runtimeInfo().available) REMAT_NO_TORCH(runtimeInfo().sentence.c_str());
    }

    void keepAllAndForgetfulPlans_data() { samples(); }

    void keepAllAndForgetfulPlans()
    {
        QFETCH(QString, name);
        const Expected<Model> model = loadSample(name.toStdString());
        if (!model) QFAIL(model.error().message.c_str());
        const RunContext context = fixedContext();
        const Expected<Profile> profile = profileModel(*model, RunDevice::Cpu, {3}, context);
        QVERIFY2(profile, profile ? "" : profile.error().message.c_str());
        QCOMPARE(profile->ops.size(), model->graph.ops.size());
        for (const std::string &mismatch : profile->aliasMismatches)
            QFAIL(mismatch.c_str());
        const CostTable costs = measuredCosts(*profile);

        // With the profile's costs the measured peak is the predicted one; with costs that know no workspace, what is
        // over it is named.
        const Plan forgetful = forgetfulPlan(model->graph, 0, 100);
        check(*model, costs, keepAllPlan(model->graph));
        check(*model, costs, forgetful);
        check(*model, costs, forgetfulPlan(model->graph, 1, 50));
        check(*model, bareCosts(model->graph), forgetful);
    }

    void plannersAtHalfThePeak_data() { samples(); }

    void plannersAtHalfThePeak()
    {
        QFETCH(QString, name);
        const Expected<Model> model = loadSample(name.toStdString());
        if (!model) QFAIL(model.error().message.c_str());
        const CostTable costs = bareCosts(model->graph);
        const Expected<Simulation> keepAll = simulate(model->graph, costs, keepAllPlan(model->graph).steps);
        QVERIFY(keepAll);
        for (const char *solver : {"chen-sqrt", "hiremate"}) {
            const Expected<const Planner *> planner = findPlanner(solver);
            if (!planner) QFAIL(planner.error().message.c_str());
            // HiRemate ends by itself after its first solve.
            std::map<std::string, std::string> chosen;
            if (std::string(solver) == "hiremate") chosen = {{"rounds", "0"}};
            const Expected<OptionSet> options = makeOptions((*planner)->info.options, chosen);
            QVERIFY(options);
            SolveRequest request;
            request.options = *options;
            request.graph = &model->graph;
            request.costs = &costs;
            request.budgetBytes = keepAll->peakBytes / 2;
            SolveContext solveContext;
            solveContext.deadline = Deadline(10);
            solveContext.threads = 2;
            const auto outcome = solve(**planner, request, solveContext);
            QVERIFY2(outcome, outcome ? "" : outcome.error().message.c_str());
            if (!outcome->plan) {
                qInfo("%s: %s", solver, outcome->message.c_str());
                continue;
            }
            const Expected<ValidationRecord> record =
                validatePlan(*model, costs, *outcome->plan, RunDevice::Cpu, fixedContext());
            QVERIFY2(record, record ? "" : record.error().message.c_str());
            qInfo("%s: %s", solver, record->sentence.c_str());
            QVERIFY2(resultsEqual(*record) && record->peakHolds, record->sentence.c_str());
            QCOMPARE(record->passed, record->measuredPeakBytes <= outcome->plan->budgetBytes);
        }
    }

    void randomOpsDrawTheSameBits()
    {
        const Expected<Model> model = loadSample("tiny_gpt2");
        if (!model) QFAIL(model.error().message.c_str());
        const Plan plan = forgetfulPlan(model->graph, 1, 100);
        std::vector<int> computed(model->graph.ops.size(), 0);
        for (const OpId op : computeSequence(plan))
            ++computed[op.index()];
        int randomAgain = 0;
        for (std::size_t index = 0; index < computed.size(); ++index)
            randomAgain += model->graph.ops[index].random && computed[index] > 1 ? 1 : 0;
        QVERIFY2(randomAgain > 0, "the sample has no dropout that the plan computes again");
        // Operators that draw are known by their schema too, whether or not the trace says so.
        Model unmarked = *model;
        for (Node &node : unmarked.program->nodes)
            node.random = false;
        for (const Model *run : {&model.value(), static_cast<const Model *>(&unmarked)}) {
            const auto record = validatePlan(*run, bareCosts(model->graph), plan, RunDevice::Cpu, fixedContext());
            QVERIFY2(record, record ? "" : record.error().message.c_str());
            QVERIFY2(record->lossEqual && record->differences.empty(), record->sentence.c_str());
        }
    }

    void offloadsComeBack()
    {
        const Expected<Model> model = loadSample("tiny_gpt2");
        if (!model) QFAIL(model.error().message.c_str());
        const Graph &graph = model->graph;
        // The largest storage with a reader in the backward pass leaves after its last reader in the forward pass.
        const auto readers = readersOf(graph);
        StorageId moved;
        for (std::size_t index = 0; index < graph.storages.size(); ++index) {
            const StorageId storage{index};
            if (!graph.planned(storage) || graph.storages[index].isOutput || readers[index].empty()) continue;
            const bool crosses = graph.op(graph.storage(storage).producer).phase == Phase::Forward &&
                                 graph.op(readers[index].back()).phase == Phase::Backward;
            if (crosses && (!moved || graph.storages[index].bytes > graph.storage(moved).bytes)) moved = storage;
        }
        QVERIFY(moved);
        OpId lastForward = graph.storage(moved).producer, firstBackward;
        for (const OpId reader : readers[moved.index()]) {
            if (graph.op(reader).phase == Phase::Backward) {
                firstBackward = reader;
                break;
            }
            lastForward = reader;
        }
        Plan plan;
        for (const Step &step : keepAllPlan(graph).steps) {
            if (step == Step::compute(firstBackward)) plan.steps.push_back(Step::prefetch(moved));
            plan.steps.push_back(step);
            if (step == Step::compute(lastForward)) {
                plan.steps.push_back(Step::offload(moved));
                plan.steps.push_back(Step::free(moved));
            }
        }
        const auto record = validatePlan(*model, bareCosts(graph), plan, RunDevice::Cpu, fixedContext());
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        QVERIFY2(record->passed, record->sentence.c_str());
        QVERIFY2(std::abs(peakError(*record)) <= 0.02, record->sentence.c_str());
    }

    void seedsMakeTheInputs()
    {
        // Other seeds give other dropout masks and other made-up inputs, and still equal runs.
        const Expected<Model> model = loadSample("tiny_gpt2");
        if (!model) QFAIL(model.error().message.c_str());
        Model withoutData = *model;
        for (ProgramInput &input : withoutData.program->inputs)
            input.archivePath.clear();
        for (const std::uint64_t seed : {1, 2}) {
            RunContext context = fixedContext();
            context.seed = seed;
            const auto record = validatePlan(withoutData, bareCosts(model->graph),
                                             forgetfulPlan(model->graph, seed, 50), RunDevice::Cpu, context);
            QVERIFY2(record, record ? "" : record.error().message.c_str());
            QVERIFY2(record->lossEqual && record->differences.empty(), record->sentence.c_str());
        }
    }

    void attentionOfGpusTakesItsResultsOnly()
    {
        // The sample has the memory-efficient kernel, which is math here: the scores that math makes are none of the
        // plan's.
        const Expected<Model> model = readModel(REMAT_SAMPLES "/tiny_gpt2.pt2");
        if (!model) QFAIL(model.error().message.c_str());
        const CostTable costs = bareCosts(model->graph);
        for (const Plan &plan : {keepAllPlan(model->graph), forgetfulPlan(model->graph, 0, 100)}) {
            const auto record = validatePlan(*model, costs, plan, RunDevice::Cpu, fixedContext());
            QVERIFY2(record, record ? "" : record.error().message.c_str());
            QVERIFY2(record->passed, record->sentence.c_str());
            QCOMPARE(record->measuredPeakBytes, record->predictedPeakBytes);
        }
    }

    void parametersLeaveAndComeBack()
    {
        // Every other parameter begins in host memory, each is fetched right before every op that reads it and freed
        // after.
        for (const char *sample : {"tiny_gpt2", "tiny_resnet"}) {
            const Expected<Model> model = loadSample(sample);
            if (!model) QFAIL(model.error().message.c_str());
            const Graph graph = withPlannedParameters(model->graph);
            Plan plan;
            plan.parametersPlanned = true;
            std::vector<StorageId> absent, moved;
            for (std::size_t s = 0; s < graph.storages.size(); ++s)
                if (graph.storages[s].plannedParameter) (s % 2 == 0 ? absent : moved).emplace_back(s);
            QVERIFY(absent.size() > 3 && moved.size() > 3);
            std::set<StorageId> away(absent.begin(), absent.end());
            for (const Step &step : keepAllPlan(graph).steps) {
                if (step.kind != StepKind::Compute) {
                    plan.steps.push_back(step);
                    continue;
                }
                for (const StorageId input : graph.op(step.op).inputs)
                    if (away.erase(input) > 0) plan.steps.push_back(Step::prefetch(input));
                plan.steps.push_back(step);
                for (const StorageId input : graph.op(step.op).inputs)
                    if (graph.storage(input).plannedParameter && away.insert(input).second)
                        plan.steps.push_back(Step::free(input));
            }
            for (const StorageId back : moved)
                if (away.contains(back)) plan.steps.push_back(Step::prefetch(back));
            const auto record = validatePlan(*model, bareCosts(graph), plan, RunDevice::Cpu, fixedContext());
            QVERIFY2(record, record ? "" : record.error().message.c_str());
            QVERIFY2(record->lossEqual && record->differences.empty(), record->sentence.c_str());
            QVERIFY2(peakError(*record) <= 0.02 || record->passed, record->sentence.c_str());
            QVERIFY2(record->measuredPeakBytes < record->measuredKeepAllPeakBytes, record->sentence.c_str());
        }
    }

    void wrongPlansAreRefused()
    {
        const Expected<Model> model = loadSample("tiny_gpt2");
        if (!model) QFAIL(model.error().message.c_str());
        const CostTable costs = bareCosts(model->graph);
        const Plan good = keepAllPlan(model->graph);
        const auto refusal = [&](const Plan &plan) {
            const auto record = validatePlan(*model, costs, plan, RunDevice::Cpu, fixedContext());
            return record ? std::string() : record.error().message;
        };
        QCOMPARE(text(refusal(good)), QString());

        Plan removed = good;
        removed.steps.erase(std::find_if(removed.steps.begin(), removed.steps.end(),
                                         [](const Step &step) { return step.kind == StepKind::Compute; }));
        QCOMPARE(text(refusal(removed)), text(checkPlan(model->graph, costs, removed).sentence));
        QVERIFY(!refusal(removed).empty());

        Plan early = good;
        const auto freed = std::find_if(early.steps.begin(), early.steps.end(),
                                        [](const Step &step) { return step.kind == StepKind::Free; });
        QVERIFY(freed != early.steps.end() && freed != early.steps.begin());
        std::iter_swap(freed, freed - 1);
        QCOMPARE(text(refusal(early)), text(checkPlan(model->graph, costs, early).sentence));
        QVERIFY(!refusal(early).empty());

        Plan over = good;
        over.budgetBytes = 1024;
        QVERIFY(!refusal(over).empty());
    }

    void stops()
    {
        const Expected<Model> model = loadSample("tiny_gpt2");
        if (!model) QFAIL(model.error().message.c_str());
        StopToken stop;
        RunContext context = fixedContext();
        context.stop = &stop;
        // Stopped in the middle of a run, from its own progress.
        int calls = 0;
        context.progress = [&](const std::string &, double fraction) {
            ++calls;
            if (fraction > 0.3) stop.requestStop();
        };
        const auto record =
            validatePlan(*model, bareCosts(model->graph), keepAllPlan(model->graph), RunDevice::Cpu, context);
        QVERIFY(!record);
        QCOMPARE(text(record.error().message), QString("Stopped."));
        QVERIFY(calls > 2);
        const auto profile = profileModel(*model, RunDevice::Cpu, {3}, context);
        QVERIFY(!profile);
        QCOMPARE(text(profile.error().message), QString("Stopped."));
    }

private:
    void check(const Model &model, const CostTable &costs, const Plan &plan)
    {
        const Expected<ValidationRecord> record = validatePlan(model, costs, plan, RunDevice::Cpu, fixedContext());
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        qInfo("%s", record->sentence.c_str());
        QVERIFY2(record->passed, record->sentence.c_str());
        QVERIFY(record->lossEqual);
        QVERIFY(record->gradients > 0);
        QCOMPARE(record->gradientsEqual, record->gradients);
        QCOMPARE(record->buffersEqual, record->buffers);
        QVERIFY(record->differences.empty());
        QVERIFY(record->measuredTimeUs > 0 && record->measuredKeepAllTimeUs > 0);
        if (costs.source.kind == "profile")
            QVERIFY2(std::abs(peakError(*record)) <= 0.02, record->sentence.c_str());
        else
            QVERIFY(std::abs(peakError(*record)) <= 0.02 || !record->peakReasons.empty());
    }

    static void samples()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"tiny_gpt2", "tiny_resnet", "tiny_unet", "tiny_transformer"})
            QTest::newRow(name) << name;
    }
};

QTEST_GUILESS_MAIN(TestValidation)
#include "tst_validation.moc"
