// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/cut_closure.h"
#include "core/bounds/min_cut.h"
#include "core/plan/simulator.h"
#include "tests/support/brute_force.h"
#include "tests/support/graphs.h"
#include "tests/support/random.h"

#include <QtTest>

#include <algorithm>

using namespace remat;
using namespace remat::test;

namespace {

struct Arc {
    std::size_t from = 0, to = 0;
    std::int64_t capacity = 0;
};

/// The cheapest of all cuts between node 0 and node 1.
std::int64_t cutByTrying(std::size_t nodes, const std::vector<Arc> &arcs)
{
    std::int64_t best = MinCut::kInfinite;
    for (std::size_t set = 1; set < (std::size_t(1) << nodes); set += 4) { // node 0 in, node 1 out
        std::int64_t cut = 0;
        for (const Arc &arc : arcs)
            cut += (set >> arc.from & 1U) != 0 && (set >> arc.to & 1U) == 0 ? arc.capacity : 0;
        best = std::min(best, cut);
    }
    return best;
}

} // namespace

class TestCutClosure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void minCutIsTheCheapestCut()
    {
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            Random random(seed);
            const auto nodes = static_cast<std::size_t>(random.between(2, 9));
            MinCut network(nodes);
            std::vector<Arc> arcs;
            for (int i = random.between(1, 30); i > 0; --i) {
                const Arc arc{static_cast<std::size_t>(random.below(static_cast<int>(nodes))),
                              static_cast<std::size_t>(random.below(static_cast<int>(nodes))), random.below(10)};
                network.addEdge(arc.from, arc.to, arc.capacity);
                arcs.push_back(arc);
            }
            const std::int64_t value = network.run(0, 1);
            QCOMPARE(value, cutByTrying(nodes, arcs));
            std::int64_t shown = 0;
            for (const Arc &arc : arcs)
                shown += network.onSourceSide(arc.from) && !network.onSourceSide(arc.to) ? arc.capacity : 0;
            QCOMPARE(shown, value);
            QCOMPARE(network.run(0, 1), value);
        }
    }

    void capacitiesCanChange()
    {
        MinCut network(3);
        const std::size_t first = network.addEdge(0, 2, 5);
        const std::size_t second = network.addEdge(2, 1, 3);
        QCOMPARE(network.run(0, 1), 3);
        network.setCapacity(second, 9);
        QCOMPARE(network.run(0, 1), 5);
        network.setCapacity(first, 0);
        QCOMPARE(network.run(0, 1), 0);
    }

    void longPathsDoNotOverflow()
    {
        constexpr std::size_t kNodes = 200'000;
        MinCut network(kNodes);
        for (std::size_t i = 2; i + 1 < kNodes; ++i)
            network.addEdge(i, i + 1, 7);
        network.addEdge(0, 2, 8);
        network.addEdge(kNodes - 1, 1, 9);
        QCOMPARE(network.run(0, 1), 7);
    }

    void chainsOfRecomputesArePaidInFull()
    {
        // x → a → b → c, only c is read later. Beside the wide op c does not fit, and neither do a nor b: all are made
        // again.
        GraphBuilder builder;
        const StorageId x = builder.resident(1);
        const OpId a = builder.op({x}, {{10}}, 5);
        const OpId b = builder.op({builder.output(a)}, {{10}}, 6);
        const OpId c = builder.op({builder.output(b)}, {{10}}, 7);
        const OpId wide = builder.op({x}, {{1, StorageKind::Activation, true}}, 1);
        builder.edit(wide).workspaceBytes = 50;
        builder.op({builder.output(c)}, {{1, StorageKind::Activation, true}}, 1);
        const Graph graph = builder.finish();
        const CostTable costs = graphCosts(graph);
        QCOMPARE(cutKnapsackBound(graph, costs, 51).extraUs, 7.0);
        const TimeBound bound = cutClosureBound(graph, costs, 51);
        QVERIFY(std::abs(bound.extraUs - 18) < 1e-6);
        QVERIFY(bound.cut == wide);
        QCOMPARE(bruteForceOptimum(graph, costs, 51).value_or(-1), 20.0 + 18.0);
        const TimeBound best = bestTimeBound(graph, costs, 51);
        QCOMPARE(best.method, "cut-closure");
        QVERIFY(std::abs(best.timeUs - 38) < 1e-6);
        QCOMPARE(bestTimeBound(graph, costs, 61).extraUs, 0.0);
    }

    void neverAboveTheOptimum()
    {
        int sharper = 0;
        for (std::uint64_t seed = 1; seed <= 400; ++seed) {
            const Graph graph = seed % 4 == 0 ? chainGraph(2 + static_cast<int>(seed % 3), {.seed = seed})
                                              : randomGraph(seed, {.ops = 3 + static_cast<int>(seed % 5),
                                                                   .joint = seed % 3 == 0,
                                                                   .multiOutput = seed % 2 == 0 ? 40 : 0,
                                                                   .computeOnce = seed % 5 == 0 ? 15 : 0});
            const CostTable costs = graphCosts(graph);
            const auto keepAll = simulate(graph, costs, keepAllPlan(graph).steps);
            QVERIFY(keepAll);
            const std::int64_t least = workingSetBound(graph, costs).bytes;
            for (int i = 0; i < 5; ++i) {
                const std::int64_t budget = least + (keepAll->peakBytes - least) * i / 5;
                const auto optimum = bruteForceOptimum(graph, costs, budget);
                const TimeBound bound = cutClosureBound(graph, costs, budget);
                if (optimum)
                    QVERIFY2(bound.timeUs <= *optimum * (1 + 1e-9),
                             qPrintable(QString("seed %1, budget %2: bound %3, optimum %4")
                                            .arg(seed)
                                            .arg(budget)
                                            .arg(bound.timeUs)
                                            .arg(*optimum)));
                sharper += bound.timeUs > cutKnapsackBound(graph, costs, budget).timeUs + 1e-6 ? 1 : 0;
            }
        }
        QVERIFY2(sharper > 20, "it never says more than the knapsack");
    }

    void sharperThanTheKnapsackOnTransformers()
    {
        const auto model = loadSample("gpt2");
        if (!model) QFAIL(model.error().message.c_str());
        const auto device = findDevice("reference");
        QVERIFY(device);
        const CostTable costs = rooflineCosts(*model, *device);
        const auto keepAll = simulate(model->graph, costs, keepAllPlan(model->graph).steps);
        QVERIFY(keepAll);
        const TimeBound bound = bestTimeBound(model->graph, costs, keepAll->peakBytes / 2);
        qInfo("gpt2 at 50 %%: %.3f %% more time at least", 100 * bound.extraUs / keepAll->timeUs);
        QVERIFY(bound.extraUs > 1.2 * cutKnapsackBound(model->graph, costs, keepAll->peakBytes / 2).extraUs);
    }

    void largeGraphsStop()
    {
        const Graph graph = layeredGraph(150);
        const CostTable costs = graphCosts(graph);
        const auto keepAll = simulate(graph, costs, keepAllPlan(graph).steps);
        QVERIFY(keepAll);
        const TimeBound bound = bestTimeBound(graph, costs, keepAll->peakBytes / 2);
        qInfo("%zu ops: %.2f %% more time at least", graph.ops.size(), 100 * bound.extraUs / keepAll->timeUs);
        QVERIFY(bound.extraUs > 0); // a search without end is what the test's time limit is for
    }
};

QTEST_GUILESS_MAIN(TestCutClosure)
#include "tst_cut_closure.moc"
