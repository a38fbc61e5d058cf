// SPDX-License-Identifier: Apache-2.0
// The largest batch that fits, from two traces of a step: sizes on lines, and what a device says of each.
#include "core/costs/batch_costs.h"
#include "core/graph/batch_line.h"
#include "core/plan/simulator.h"
#include "solvers/uses/largest_batch.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <algorithm>

using namespace remat;
using namespace remat::test;

namespace {

constexpr std::int64_t kSample = 1000;

/// Training of a chain whose activations and gradients hold `kSample` bytes a sample.
Graph chain(std::int64_t batch)
{
    ChainParams params;
    params.activationBytes = params.gradientBytes = batch * kSample;
    params.parameterBytes = 300;
    Graph graph = chainGraph(6, params);
    const auto input = std::find_if(graph.storages.begin(), graph.storages.end(),
                                    [](const Storage &storage) { return storage.kind == StorageKind::Input; });
    input->type = "f32[" + std::to_string(batch) + ",250]";
    return graph;
}

} // namespace

class TestLargestBatch : public QObject
{
    Q_OBJECT

    static LargestBatches of(const Graph &graph, std::int64_t memory, const StopToken *stop = nullptr)
    {
        const CostTable costs = graphCosts(graph);
        const auto line = batchLine(graph, chain(12));
        const auto planner = findPlanner("auto");
        if (!line || !planner) qFatal("no line");
        const auto kept = simulate(graph, costs, keepAllPlan(graph).steps);
        const FitNeeds needs = fitNeeds(graph, costs, kept->peakBytes, *findOptimizer("none"));
        SolveRequest request;
        request.graph = &graph;
        request.costs = &costs;
        request.options = *makeOptions((*planner)->info.options, {});
        SolveContext context;
        context.stop = stop;
        const auto found = largestBatches(*line, needs, memory, 0, **planner, request, context);
        if (!found) qFatal("%s", found.error().message.c_str());
        return *found;
    }
    static std::int64_t neededAt(std::int64_t batch)
    {
        const Graph graph = chain(batch);
        const CostTable costs = graphCosts(graph);
        const auto kept = simulate(graph, costs, keepAllPlan(graph).steps);
        return fitNeeds(graph, costs, kept->peakBytes, *findOptimizer("none")).neededBytes();
    }

private Q_SLOTS:
    void everyBatchIsTheGraphThatWouldBeTraced()
    {
        const Graph graph = chain(8);
        const auto line = batchLine(graph, chain(12));
        QVERIFY(line);
        QCOMPARE(line->batch, std::int64_t(8));
        QCOMPARE(line->otherBatch, std::int64_t(12));
        for (const std::int64_t batch : {1, 2, 8, 12, 31, 1000}) {
            const auto made = graphOfBatch(graph, *line, batch);
            QVERIFY(made);
            QCOMPARE(made->fingerprint, chain(batch).fingerprint);
        }
        QVERIFY(!graphOfBatch(graph, *line, std::int64_t(1) << 60));
    }

    void costsLieOnLines()
    {
        const Graph graph = chain(8);
        auto line = batchLine(graph, chain(12));
        QVERIFY(line && line->dimension == 0);
        CostTable costs = graphCosts(graph), other = costs;
        costs.workspaceBytes.front() = 80;
        other.workspaceBytes.front() = 120;
        other.timeUs.front() = costs.timeUs.front() * 1.5;
        for (const std::int64_t batch : {8, 12, 16, 1}) {
            const CostTable made = costsOfBatch(costs, other, *line, batch);
            QCOMPARE(made.timeUs.front(), costs.timeUs.front() * static_cast<double>(batch) / 8);
            QCOMPARE(made.workspaceBytes.front(), 10 * batch);
            QCOMPARE(made.timeUs.back(), costs.timeUs.back());
        }
        // Less of both for more samples is no reason for less than nothing.
        const CostTable made = costsOfBatch(other, costs, *line, 100);
        QVERIFY(made.timeUs.front() == 0 && made.workspaceBytes.front() == 0);
        QVERIFY(made.source.digest != costs.source.digest);
    }

    void aLengthIsNoBatch()
    {
        Graph graph = chain(8), other = chain(12);
        for (Graph *each : {&graph, &other}) {
            const auto input = std::find_if(each->storages.begin(), each->storages.end(),
                                            [](const Storage &storage) { return storage.kind == StorageKind::Input; });
            input->type = each == &graph ? "f32[4,64,10]" : "f32[4,128,10]";
        }
        const auto line = batchLine(graph, other);
        QVERIFY(line);
        QCOMPARE(line->dimension, std::size_t(1));
        QCOMPARE(line->batch, std::int64_t(64));
        QCOMPARE(line->otherBatch, std::int64_t(128));
    }

    void withoutSizesBytesTell()
    {
        Graph one = chain(8), two = chain(12);
        for (Graph *graph : {&one, &two})
            for (Storage &storage : graph->storages)
                storage.type.clear();
        const auto line = batchLine(one, two);
        QVERIFY(line);
        QCOMPARE(line->batch, std::int64_t(2));
        QCOMPARE(line->otherBatch, std::int64_t(3));
        QCOMPARE(graphOfBatch(one, *line, 5)->fingerprint, chain(20).fingerprint);
    }

    void anotherStepIsRefused()
    {
        const Graph graph = chain(8);
        const auto saidOf = [&](const Graph &other) {
            const auto line = batchLine(graph, other);
            return line ? QString() : QString::fromStdString(line.error().message);
        };
        QVERIFY(saidOf(graph).contains("same sizes"));
        Graph other = chain(12);
        other.ops[3].kind = "another";
        QVERIFY2(saidOf(other).contains("(4 of "), qPrintable(saidOf(other)));
        other = chain(12);
        other.ops.pop_back();
        QVERIFY2(saidOf(other).contains("ops, the other "), qPrintable(saidOf(other)));
        other = chain(12);
        other.storages.back().kind = StorageKind::Buffer;
        QVERIFY2(saidOf(other).contains("something else"), qPrintable(saidOf(other)));
    }

    void theLargestFitsAndTheNextDoesNot()
    {
        const Graph graph = chain(8);
        for (const std::int64_t memory : {neededAt(1), neededAt(5) + 3, neededAt(8), neededAt(100) - 1}) {
            const LargestBatches found = of(graph, memory);
            QVERIFY(neededAt(found.asItIs) <= memory && neededAt(found.asItIs + 1) > memory);
            QVERIFY(found.withPlan >= found.asItIs);
        }
        const LargestBatches large = of(graph, neededAt(100));
        QCOMPARE(large.asItIs, std::int64_t(100));
        QVERIFY2(large.withPlan > 130, qPrintable(QString::number(large.withPlan)));
        QCOMPARE(of(graph, 300).withPlan, std::int64_t(0));
    }

    void aStopEndsIt()
    {
        StopToken stop;
        stop.requestStop();
        QCOMPARE(of(chain(8), neededAt(8), &stop).withPlan, std::int64_t(0));
    }
};

QTEST_GUILESS_MAIN(TestLargestBatch)
#include "tst_largest_batch.moc"
