// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/bounds.h"
#include "core/bounds/knapsack.h"
#include "core/plan/simulator.h"
#include "tests/support/brute_force.h"
#include "tests/support/graphs.h"
#include "tests/support/random.h"

#include <QtTest>

#include <algorithm>

using namespace remat;
using namespace remat::test;

namespace {

constexpr std::size_t kStates = 1'000'000;

std::vector<KnapsackItem> randomItems(Random &random, int count, bool alike)
{
    std::vector<KnapsackItem> items;
    for (int i = 0; i < count; ++i) {
        const int bytes = random.between(1, alike ? 4 : 50);
        items.push_back({bytes, static_cast<double>(alike ? bytes + 1 : random.between(1, 50))});
    }
    std::sort(items.begin(), items.end(),
              [](const KnapsackItem &a, const KnapsackItem &b) { return a.usPerByte() > b.usPerByte(); });
    return items;
}

double lossByTrying(const std::vector<KnapsackItem> &items, std::int64_t capacity)
{
    double best = 1e300;
    for (std::uint32_t set = 0; set < (1U << items.size()); ++set) {
        std::int64_t bytes = 0;
        double loss = 0;
        for (std::size_t i = 0; i < items.size(); ++i)
            (set >> i & 1U) != 0 ? static_cast<void>(bytes += items[i].bytes) : static_cast<void>(loss += items[i].us);
        if (bytes <= capacity) best = std::min(best, loss);
    }
    return best;
}

} // namespace

class TestCutKnapsack : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void knapsackIsExact()
    {
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            Random random(seed);
            const auto items = randomItems(random, random.between(1, 12), seed % 2 == 0);
            std::int64_t all = 0;
            for (const KnapsackItem &item : items)
                all += item.bytes;
            const std::int64_t capacity = random.below(static_cast<int>(all) + 2);
            const double exact = lossByTrying(items, capacity);
            QCOMPARE(smallestLoss(items, capacity, -1, kStates), exact);
            QVERIFY(fractionalLoss(items, capacity) <= exact + 1e-9);
            QVERIFY(fractionalLoss(items, capacity) >= 0);
        }
    }

    void knapsackStopsWhenItKnowsEnough()
    {
        Random random(3);
        const auto items = randomItems(random, 12, false);
        const double exact = smallestLoss(items, 100, -1, kStates);
        QVERIFY(smallestLoss(items, 100, exact + 5, kStates) <= exact + 5);
        QVERIFY(exact > 1);
        QCOMPARE(smallestLoss(items, 100, exact - 1, kStates), exact);
    }

    void knapsackRoundsDownWhenItIsTooMuch()
    {
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            Random random(seed);
            const auto items = randomItems(random, 12, false);
            const double exact = lossByTrying(items, 90);
            const double rounded = smallestLoss(items, 90, -1, 2);
            QVERIFY(rounded <= exact + 1e-9);
            QVERIFY(rounded >= fractionalLoss(items, 90) - 1e-9);
        }
    }

    void aHandMadeCut()
    {
        // Three storages of 10, 20 and 30 bytes, read again at the end, around an op that needs 40 of a budget of 75.
        GraphBuilder builder;
        const StorageId x = builder.resident(1);
        const OpId a = builder.op({x}, {{10}}, 5);
        const OpId b = builder.op({x}, {{20}}, 6);
        const OpId c = builder.op({x}, {{30}}, 7);
        const OpId wide = builder.op({x}, {{1, StorageKind::Activation, true}}, 1);
        builder.edit(wide).workspaceBytes = 39;
        builder.op({builder.output(a)}, {{1, StorageKind::Activation, true}}, 1);
        builder.op({builder.output(b)}, {{1, StorageKind::Activation, true}}, 1);
        builder.op({builder.output(c)}, {{1, StorageKind::Activation, true}}, 1);
        const Graph graph = builder.finish();
        const TimeBound bound = cutKnapsackBound(graph, graphCosts(graph), 75);
        // 35 bytes are left beside it: a + b (30) stay, c is made again.
        QCOMPARE(bound.extraUs, 7.0);
        QCOMPARE(bound.timeUs, 22.0 + 7.0);
        QVERIFY(bound.cut == wide);
        QCOMPARE(bound.method, "cut-knapsack");
        QCOMPARE(bruteForceOptimum(graph, graphCosts(graph), 75).value_or(-1), 29.0);
    }

    void severalOutputsArePaidForOnce()
    {
        GraphBuilder builder;
        const StorageId x = builder.resident(1);
        const OpId a = builder.op({x}, {{10}, {10}}, 5);
        const OpId wide = builder.op({x}, {{40, StorageKind::Activation, false}}, 1);
        builder.op({builder.output(a), builder.output(a, 1)}, {{1, StorageKind::Activation, true}}, 1);
        builder.op({builder.output(wide)}, {{1, StorageKind::Activation, true}}, 1);
        // wide is read after the op that reads a, so it stays; both outputs of a come back with one computation.
        const Graph graph = builder.finish();
        const TimeBound bound = cutKnapsackBound(graph, graphCosts(graph), 62);
        QCOMPARE(bound.extraUs, 0.0);
        const TimeBound tight = cutKnapsackBound(graph, graphCosts(graph), 45);
        QVERIFY(tight.extraUs == 5.0 || tight.extraUs == 1.0);
        QVERIFY(tight.timeUs <= bruteForceOptimum(graph, graphCosts(graph), 45).value_or(1e300));
    }

    void nothingToRecompute()
    {
        const Graph graph = chainGraph(4);
        const CostTable costs = graphCosts(graph);
        const auto keepAll = simulate(graph, costs, keepAllPlan(graph).steps);
        QVERIFY(keepAll);
        const TimeBound bound = bestTimeBound(graph, costs, keepAll->peakBytes);
        QCOMPARE(bound.extraUs, 0.0);
        QCOMPARE(bound.timeUs, keepAll->timeUs);
        QCOMPARE(bound.method, "keep-all");
        QVERIFY(!bound.infeasible && !bound.cut);
        QVERIFY(bestTimeBound(graph, costs, keepAll->peakBytes - 1).extraUs > 0);
    }

    void underTheWorkingSet()
    {
        const Graph graph = chainGraph(4);
        const CostTable costs = graphCosts(graph);
        const PeakBound least = workingSetBound(graph, costs);
        QVERIFY(!bestTimeBound(graph, costs, least.bytes).infeasible);
        const TimeBound bound = bestTimeBound(graph, costs, least.bytes - 1);
        QVERIFY(bound.infeasible);
        QCOMPARE(bound.method, "working set");
        QVERIFY(bound.cut == least.op);
        QVERIFY(!bruteForceOptimum(graph, costs, least.bytes - 1));
    }

    void whatMayBeComputedOnceMustStay()
    {
        GraphBuilder builder;
        const StorageId x = builder.resident(1);
        const OpId a = builder.op({x}, {{10}}, 5);
        builder.edit(a).computeOnce = true;
        const OpId wide = builder.op({x}, {{40}}, 1);
        const OpId narrow = builder.op({builder.output(wide)}, {{1, StorageKind::Activation, true}}, 1);
        builder.op({builder.output(a)}, {{1, StorageKind::Activation, true}}, 1);
        const Graph graph = builder.finish();
        QVERIFY(!bestTimeBound(graph, graphCosts(graph), 51).infeasible);
        const TimeBound bound = bestTimeBound(graph, graphCosts(graph), 50);
        QVERIFY(bound.infeasible);
        QVERIFY(bound.cut == narrow);
        QCOMPARE(bound.method, "held until read");
        QVERIFY(bound.holdsFor == HoldsFor::GivenOrder); // another order or an offload could do it
        QVERIFY(!bruteForceOptimum(graph, graphCosts(graph), 50));
    }

    void neverAboveTheOptimum_data()
    {
        QTest::addColumn<Graph>("graph");
        for (std::uint64_t seed = 1; seed <= 250; ++seed)
            QTest::addRow("random %d", static_cast<int>(seed))
                << randomGraph(seed, {.ops = 2 + static_cast<int>(seed % 6),
                                      .joint = seed % 3 == 0,
                                      .multiOutput = seed % 2 == 0 ? 40 : 0,
                                      .computeOnce = seed % 5 == 0 ? 15 : 0});
        for (std::uint64_t seed = 0; seed < 6; ++seed)
            QTest::addRow("chain %d", static_cast<int>(seed))
                << chainGraph(2 + static_cast<int>(seed % 3), {.parameterBytes = seed % 2 == 0 ? 3 : 0, .seed = seed});
    }

    void neverAboveTheOptimum()
    {
        QFETCH(Graph, graph);
        const CostTable costs = graphCosts(graph);
        const auto keepAll = simulate(graph, costs, keepAllPlan(graph).steps);
        QVERIFY(keepAll);
        const std::int64_t least = workingSetBound(graph, costs).bytes;
        for (int i = 0; i <= 6; ++i) {
            const std::int64_t budget = least - 1 + (keepAll->peakBytes - least + 1) * i / 6;
            const auto optimum = bruteForceOptimum(graph, costs, budget);
            for (const TimeBound &bound :
                 {cutKnapsackBound(graph, costs, budget), bestTimeBound(graph, costs, budget)}) {
                if (bound.infeasible) {
                    // The brute force computes ops too that nothing needs; where it finds a plan there is one.
                    QVERIFY(!optimum);
                } else if (optimum) {
                    QVERIFY2(
                        bound.timeUs <= *optimum * (1 + 1e-12),
                        qPrintable(
                            QString("budget %1: bound %2, optimum %3").arg(budget).arg(bound.timeUs).arg(*optimum)));
                }
            }
        }
    }

    void growsAsTheBudgetShrinks()
    {
        const Graph graph = layeredGraph(4);
        const CostTable costs = graphCosts(graph);
        const auto keepAll = simulate(graph, costs, keepAllPlan(graph).steps);
        QVERIFY(keepAll);
        double previous = 0;
        for (int percent = 100; percent >= 20; percent -= 10) {
            const TimeBound bound = bestTimeBound(graph, costs, keepAll->peakBytes * percent / 100);
            if (bound.infeasible) break;
            QVERIFY(bound.extraUs >= previous);
            previous = bound.extraUs;
        }
        QVERIFY(previous > 0);
    }

    void largeGraphsHaveOne()
    {
        const Graph graph = layeredGraph(32);
        const CostTable costs = graphCosts(graph);
        const auto keepAll = simulate(graph, costs, keepAllPlan(graph).steps);
        QVERIFY(keepAll);
        const TimeBound bound = cutKnapsackBound(graph, costs, keepAll->peakBytes / 2);
        qInfo("%zu ops: %.2f %% more time", graph.ops.size(), 100 * bound.extraUs / keepAll->timeUs);
        QVERIFY(bound.extraUs > 0);
    }
};

QTEST_GUILESS_MAIN(TestCutKnapsack)
#include "tst_cut_knapsack.moc"
