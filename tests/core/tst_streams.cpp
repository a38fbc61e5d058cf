// SPDX-License-Identifier: Apache-2.0
// Waits of streams: exactly those of the rules, and a judge who finds each that is missing.
#include "core/plan/simulator.h"
#include "core/streams/race_check.h"
#include "tests/support/graphs.h"
#include "tests/support/random_plans.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace remat;
using namespace remat::test;

namespace {

Graph graphWithCopies(std::uint64_t seed)
{
    if (seed % 4 == 3) return updatingGraph(seed);
    Graph graph = randomGraph(seed, {.ops = 3 + static_cast<int>(seed % 17), .joint = seed % 3 == 0});
    if (seed % 2 == 0) return graph;
    for (Storage &storage : graph.storages)
        if (isResident(storage.kind)) storage.kind = StorageKind::Parameter;
    return withPlannedParameters(std::move(graph));
}

/// Begin and end of every step when each begins as soon as its stream and its waits let it.
std::vector<std::pair<double, double>> schedule(const Graph &graph, const CostTable &costs,
                                                const std::vector<Step> &steps, const StreamProgram &program)
{
    std::vector<std::pair<double, double>> times(steps.size());
    std::array<double, kAllStreams> free{};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        double &now = free[static_cast<std::size_t>(streamOf(graph, steps[i]))];
        double begin = now;
        for (const std::int32_t wait : program.waits[i])
            begin = std::max(begin, times[static_cast<std::size_t>(wait)].second);
        double takes = 0;
        if (steps[i].kind == StepKind::Compute) takes = costs.time(steps[i].op);
        if (steps[i].kind == StepKind::Offload || steps[i].kind == StepKind::Prefetch)
            takes = costs.linkLatencyUs +
                    static_cast<double>(graph.storage(steps[i].storage).bytes) / costs.linkBytesPerSecond * 1e6;
        now = begin + takes;
        times[i] = {begin, now};
    }
    return times;
}

} // namespace

class TestStreams : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void waitsAreThoseOfTheRules()
    {
        int waits = 0;
        for (std::uint64_t seed = 0; seed < 2000; ++seed) {
            const Graph graph = graphWithCopies(seed % 300);
            const CostTable costs = graphCosts(graph);
            Random random(seed);
            const std::vector<Step> steps = randomValidPlan(graph, random);
            const Expected<Simulation> simulated = simulate(graph, costs, steps);
            QVERIFY2(simulated, simulated ? "" : simulated.error().message.c_str());
            const StreamProgram program = streamProgram(graph, steps);
            const auto times = schedule(graph, costs, steps, program);
            for (std::size_t i = 0; i < steps.size(); ++i) {
                waits += static_cast<int>(program.waits[i].size());
                QVERIFY(std::abs(times[i].second - simulated->steps[i].endUs) < 1e-6);
                // The simulator lets a `free` begin and then wait.
                if (steps[i].kind != StepKind::Free)
                    QVERIFY(std::abs(times[i].first - simulated->steps[i].startUs) < 1e-6);
            }
        }
        QVERIFY2(waits > 20000, qPrintable(QString::number(waits)));
    }

    void noPlanRaces()
    {
        for (std::uint64_t seed = 0; seed < 2000; ++seed) {
            const Graph graph = graphWithCopies(seed % 300);
            const CostTable costs = graphCosts(graph);
            Random random(seed);
            const std::vector<Step> steps = randomValidPlan(graph, random);
            const StreamProgram program = streamProgram(graph, steps);
            const std::optional<Race> race = findRace(graph, steps, program);
            QVERIFY2(!race, race ? race->sentence.c_str() : "");
            const std::vector<MemoryInstance> instances = memoryInstances(graph, costs, steps);
            const std::optional<Race> overlap = findOverlap(graph, steps, program, instances, layOut(instances));
            QVERIFY2(!overlap, overlap ? overlap->sentence.c_str() : "");
        }
    }

    /// Compute steps wait only for copies of what they read or free, so each of those waits is needed.
    void everyWaitForACopyIsNeeded()
    {
        int left = 0;
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            const Graph graph = graphWithCopies(seed);
            Random random(seed);
            const std::vector<Step> steps = randomValidPlan(graph, random);
            const StreamProgram program = streamProgram(graph, steps);
            for (std::size_t i = 0; i < steps.size(); ++i) {
                if (streamOf(graph, steps[i]) != Stream::Compute) continue;
                for (std::size_t w = 0; w < program.waits[i].size(); ++w) {
                    StreamProgram broken = program;
                    broken.waits[i].erase(broken.waits[i].begin() + static_cast<std::ptrdiff_t>(w));
                    const std::optional<Race> race = findRace(graph, steps, broken);
                    QVERIFY(race);
                    QVERIFY(race->step <= static_cast<std::int32_t>(i));
                    ++left;
                }
            }
        }
        QVERIFY2(left > 1000, qPrintable(QString::number(left)));
    }

    void sentencesSayWhatRaces()
    {
        const Graph graph = chainGraph(3);
        const StorageId a = graph.op(OpId(0)).outputs[0];
        std::vector<Step> steps = {Step::compute(OpId(0)), Step::offload(a), Step::compute(OpId(1)), Step::free(a)};
        StreamProgram program = streamProgram(graph, steps);
        QCOMPARE(program.waits[1], std::vector<std::int32_t>{0});
        QCOMPARE(program.waits[3], std::vector<std::int32_t>{1});
        program.waits[3].clear();
        std::optional<Race> race = findRace(graph, steps, program);
        QVERIFY(race);
        QCOMPARE(race->step, 3);
        QCOMPARE(QString::fromStdString(race->sentence),
                 QString::fromStdString("Step 3 frees " + graph.storage(a).name +
                                        ", which step 1 may still be copying: it waits for no event after it."));
        program.waits[3] = {1};
        program.waits[1].clear();
        race = findRace(graph, steps, program);
        QVERIFY(race && race->step == 1);
        QVERIFY(QString::fromStdString(race->sentence).contains("offloads"));
        program.waits[1] = {2};
        race = findRace(graph, steps, program);
        QVERIFY(race && QString::fromStdString(race->sentence).contains("stand still"));
        program.waits.pop_back();
        QCOMPARE(findRace(graph, steps, program)->step, -1);
    }

    void sharedAddressesAreFound()
    {
        int moved = 0;
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            const Graph graph = graphWithCopies(seed);
            const CostTable costs = graphCosts(graph);
            Random random(seed);
            const std::vector<Step> steps = randomValidPlan(graph, random);
            const std::vector<MemoryInstance> instances = memoryInstances(graph, costs, steps);
            MemoryLayout layout = layOut(instances);
            // One that lives beside another is put into its place.
            for (std::size_t i = 1; i < instances.size(); ++i) {
                if (instances[i - 1].endStep <= instances[i].firstStep) continue;
                layout.offsets[i] = layout.offsets[i - 1];
                layout.heightBytes = std::max(layout.heightBytes, layout.offsets[i] + instances[i].bytes);
                ++moved;
                QVERIFY(findOverlap(graph, steps, streamProgram(graph, steps), instances, layout));
                break;
            }
        }
        QVERIFY(moved > 200);
    }

    /// Addresses that follow each other are only as good as the waits.
    void addressesNeedTheWaits()
    {
        const Graph graph = chainGraph(3);
        const CostTable costs = graphCosts(graph);
        const StorageId a = graph.op(OpId(0)).outputs[0];
        const std::vector<Step> steps = {Step::compute(OpId(0)), Step::offload(a), Step::compute(OpId(1)),
                                         Step::free(a), Step::prefetch(a)};
        StreamProgram program = streamProgram(graph, steps);
        const std::vector<MemoryInstance> instances = memoryInstances(graph, costs, steps);
        MemoryLayout layout = layOut(instances);
        QVERIFY(!findOverlap(graph, steps, program, instances, layout));
        program.waits[4].clear();
        const std::optional<Race> race = findOverlap(graph, steps, program, instances, layout);
        QVERIFY(race && race->step == 4);
        layout.offsets.pop_back();
        QVERIFY(findOverlap(graph, steps, program, instances, layout));
    }
};

QTEST_APPLESS_MAIN(TestStreams)
#include "tst_streams.moc"
