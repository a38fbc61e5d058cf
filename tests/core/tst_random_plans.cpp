// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/needs.h"
#include "core/plan/checker.h"
#include "core/plan/simulator.h"
#include "tests/support/graphs.h"
#include "tests/support/random_plans.h"

#include <QtTest>

#include <cmath>

using namespace remat;
using namespace remat::test;

namespace {

/// The step that a sentence of the simulator names; -1 when it is about the end of the plan.
std::int64_t stepOf(const std::string &sentence)
{
    return sentence.starts_with("Step ") ? std::stoll(sentence.substr(5)) : -1;
}

Graph graphFor(std::uint64_t seed)
{
    return randomGraph(
        seed, {.ops = 3 + static_cast<int>(seed % 17), .joint = seed % 3 == 0, .computeOnce = seed % 4 == 0 ? 15 : 0});
}

/// The same with every resident storage a parameter, and parameters planned.
Graph plannedGraphFor(std::uint64_t seed)
{
    Graph graph = graphFor(seed);
    for (Storage &storage : graph.storages)
        if (isResident(storage.kind)) storage.kind = StorageKind::Parameter;
    return withPlannedParameters(std::move(graph));
}

} // namespace

/// Simulator and checker, which share no code, against each other.
class TestRandomPlans : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void validPlansAreJudgedAlike()
    {
        std::size_t copies = 0, recomputed = 0;
        for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
            const Graph graph = graphFor(seed % 500);
            const CostTable costs = graphCosts(graph);
            Random random(seed);
            Plan plan;
            plan.steps = randomValidPlan(graph, random);
            const auto simulation = simulate(graph, costs, plan.steps);
            QVERIFY2(simulation, simulation ? "" : simulation.error().message.c_str());
            const Verdict verdict = checkPlan(graph, costs, plan);
            QVERIFY2(verdict.ok, verdict.sentence.c_str());
            QCOMPARE(verdict.peakBytes, simulation->peakBytes);
            QVERIFY(std::abs(verdict.timeUs - simulation->timeUs) <= 1e-9 * simulation->timeUs);

            // One byte less is over the budget, at the first step that reaches the peak.
            plan.budgetBytes = simulation->peakBytes - 1;
            if (plan.budgetBytes > 0)
                QCOMPARE(checkPlan(graph, costs, plan).step, static_cast<std::int64_t>(simulation->peakStep));
            copies +=
                static_cast<std::size_t>(std::count_if(plan.steps.begin(), plan.steps.end(), [](const Step &step) {
                    return step.kind == StepKind::Prefetch;
                }));
            recomputed += static_cast<std::size_t>(simulation->recomputations);
        }
        QVERIFY2(copies > 5000 && recomputed > 5000, "the plans hardly try what they should");
    }

    void brokenPlansAreJudgedAlike()
    {
        int broken = 0, fine = 0;
        for (std::uint64_t seed = 1; seed <= 12000; ++seed) {
            const Graph graph = graphFor(seed % 500);
            const CostTable costs = graphCosts(graph);
            Random random(seed);
            Plan plan;
            plan.steps = mutatedPlan(graph, randomValidPlan(graph, random), random);
            const auto simulation = simulate(graph, costs, plan.steps);
            const Verdict verdict = checkPlan(graph, costs, plan);
            QCOMPARE(verdict.ok, simulation.has_value());
            if (simulation) {
                ++fine;
                QCOMPARE(verdict.peakBytes, simulation->peakBytes);
            } else {
                ++broken;
                QVERIFY(!verdict.sentence.empty());
                QCOMPARE(verdict.step, stepOf(simulation.error().message));
            }
        }
        QVERIFY2(broken > 3000 && fine > 1000, "the changes hardly break anything, or everything");
    }

    void plannedParametersAreJudgedAlike()
    {
        int broken = 0, fine = 0, fetched = 0, onHost = 0;
        for (std::uint64_t seed = 1; seed <= 8000; ++seed) {
            const Graph graph = plannedGraphFor(seed % 500);
            const CostTable costs = graphCosts(graph);
            Random random(seed);
            Plan plan;
            plan.parametersPlanned = true;
            plan.steps = randomValidPlan(graph, random);
            const std::vector<char> begins = beginsOnHost(graph, plan.steps);
            onHost += static_cast<int>(std::count(begins.begin(), begins.end(), 1));
            for (const Step &step : plan.steps)
                fetched += step.kind == StepKind::Prefetch && graph.storage(step.storage).plannedParameter ? 1 : 0;
            if (seed % 2 == 0) plan.steps = mutatedPlan(graph, plan.steps, random);
            const auto simulation = simulate(graph, costs, plan.steps);
            const Verdict verdict = checkPlan(graph, costs, plan);
            QCOMPARE(verdict.ok, simulation.has_value());
            QVERIFY2(seed % 2 == 0 || verdict.ok, verdict.sentence.c_str());
            if (!simulation) {
                ++broken;
                QCOMPARE(verdict.step, stepOf(simulation.error().message));
                continue;
            }
            ++fine;
            QCOMPARE(verdict.peakBytes, simulation->peakBytes);
            QVERIFY(std::abs(verdict.timeUs - simulation->timeUs) <= 1e-9 * simulation->timeUs);
            plan.budgetBytes = simulation->peakBytes - 1;
            if (plan.budgetBytes > 0)
                QCOMPARE(checkPlan(graph, costs, plan).step, static_cast<std::int64_t>(simulation->peakStep));
        }
        QVERIFY2(broken > 1500 && fine > 4500, "the changes hardly break anything, or everything");
        QVERIFY2(fetched > 2000 && onHost > 2000, "the plans hardly try what they should");
    }

    void updatesAreJudgedAlike()
    {
        int broken = 0, fine = 0, onHost = 0, updates = 0;
        for (std::uint64_t seed = 1; seed <= 8000; ++seed) {
            const Graph graph = updatingGraph(seed % 500);
            const CostTable costs = graphCosts(graph);
            Random random(seed);
            Plan plan;
            plan.parametersPlanned = true;
            plan.steps = randomValidPlan(graph, random);
            for (const Step &step : plan.steps) {
                if (step.kind != StepKind::Compute) continue;
                updates += graph.op(step.op).updates.empty() ? 0 : 1;
                onHost += graph.op(step.op).onHost ? 1 : 0;
            }
            if (seed % 2 == 0) plan.steps = mutatedPlan(graph, plan.steps, random);
            const auto simulation = simulate(graph, costs, plan.steps);
            const Verdict verdict = checkPlan(graph, costs, plan);
            QVERIFY2(seed % 2 == 0 || simulation, simulation ? "" : simulation.error().message.c_str());
            QVERIFY2(seed % 2 == 0 || verdict.ok, verdict.sentence.c_str());
            QVERIFY2(verdict.ok == simulation.has_value(),
                     simulation ? verdict.sentence.c_str() : simulation.error().message.c_str());
            if (!simulation) {
                ++broken;
                QCOMPARE(verdict.step, stepOf(simulation.error().message));
                continue;
            }
            ++fine;
            QCOMPARE(verdict.peakBytes, simulation->peakBytes);
            QVERIFY(std::abs(verdict.timeUs - simulation->timeUs) <= 1e-9 * simulation->timeUs);
        }
        QVERIFY2(broken > 1500 && fine > 4500, "the changes hardly break anything, or everything");
        QVERIFY2(updates > 8000 && onHost > 4000, "the plans hardly update");
    }

    void everyOpOnceWithUpdates()
    {
        for (std::uint64_t seed = 0; seed < 500; ++seed) {
            const Graph graph = updatingGraph(seed);
            const CostTable costs = graphCosts(graph);
            Graph resident = graph;
            for (Storage &storage : resident.storages)
                storage.plannedParameter = false;
            resident.parametersPlanned = false;
            for (const Graph &each : {graph, resident}) {
                const Plan plan = keepAllPlan(each);
                const auto simulation = simulate(each, costs, plan.steps);
                QVERIFY2(simulation, simulation ? "" : simulation.error().message.c_str());
                const Verdict verdict = checkPlan(each, costs, plan);
                QVERIFY2(verdict.ok, verdict.sentence.c_str());
                // Memory is what inner loops of planners say, on the host or not.
                QCOMPARE(simulation->peakBytes, sequenceCost(each, costs, computeSequence(plan)).peakBytes);
                QVERIFY(neededTimeUs(needsOf(each), costs) <= simulation->timeUs + 1e-9);
            }
        }
    }

    void sumsInPlaceAreJudgedAlike()
    {
        int broken = 0, fine = 0, tooOften = 0;
        for (std::uint64_t seed = 1; seed <= 8000; ++seed) {
            const Graph graph = summingGraph(seed % 500);
            const CostTable costs = graphCosts(graph);
            Random random(seed);
            Plan plan = keepAllPlan(graph);
            if (seed % 3 != 0) plan.steps = mutatedPlan(graph, plan.steps, random);
            if (seed % 3 == 2) plan.steps = mutatedPlan(graph, plan.steps, random);
            const auto simulation = simulate(graph, costs, plan.steps);
            const Verdict verdict = checkPlan(graph, costs, plan);
            QVERIFY2(seed % 3 != 0 || simulation, simulation ? "" : simulation.error().message.c_str());
            QVERIFY2(verdict.ok == simulation.has_value(),
                     simulation ? verdict.sentence.c_str() : simulation.error().message.c_str());
            if (!simulation) {
                ++broken;
                QCOMPARE(verdict.step, stepOf(simulation.error().message));
                tooOften += simulation.error().message.find("updated it") != std::string::npos ? 1 : 0;
                continue;
            }
            ++fine;
            QCOMPARE(verdict.peakBytes, simulation->peakBytes);
            QVERIFY(std::abs(verdict.timeUs - simulation->timeUs) <= 1e-9 * simulation->timeUs);
            QVERIFY(neededTimeUs(needsOf(graph), costs) <= simulation->timeUs + 1e-9);
            if (seed % 3 == 0)
                QCOMPARE(simulation->peakBytes, sequenceCost(graph, costs, computeSequence(plan)).peakBytes);
        }
        QVERIFY2(broken > 1500 && fine > 3000, "the changes hardly break anything, or everything");
        QVERIFY2(tooOften > 100, "no plan adds twice to the same sum");
    }
};

QTEST_GUILESS_MAIN(TestRandomPlans)
#include "tst_random_plans.moc"
