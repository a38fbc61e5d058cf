// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/cut_closure.h"
#include "core/bounds/plan_bound.h"
#include "core/costs/reorder.h"
#include "core/plan/simulator.h"
#include "tests/support/brute_force.h"
#include "tests/support/graphs.h"
#include "tests/support/random.h"

#include <QtTest>

#include <algorithm>

using namespace remat;
using namespace remat::test;

/// Bounds beside a plan hold for that plan.
class TestPlanBound : public QObject
{
    Q_OBJECT

    /// Early and late results of two branches; the second is wide. In the given order the first waits beside it.
    static Graph twoBranches()
    {
        GraphBuilder builder;
        const StorageId x = builder.resident(1);
        const OpId first = builder.op({x}, {{10}}, 5);
        const OpId wide = builder.op({x}, {{1, StorageKind::Activation, true}}, 1);
        builder.edit(wide).workspaceBytes = 40;
        builder.op({builder.output(first)}, {{1, StorageKind::Activation, true}}, 1);
        return builder.finish();
    }

    static Plan planOf(const Graph &graph, const std::vector<OpId> &sequence, std::int64_t budget)
    {
        Plan plan;
        plan.steps = withEarliestFrees(graph, sequence);
        plan.budgetBytes = budget;
        return plan;
    }

    /// Calls `visit` with every valid order that goes on from `order`.
    template <class Visit>
    static void forEachOrder(const Precedence &precedence, std::vector<OpId> &order, const Visit &visit)
    {
        const std::size_t ops = precedence.before.size();
        if (order.size() == ops) return visit(order);
        const auto has = [&order](int op) { return std::find(order.begin(), order.end(), OpId(op)) != order.end(); };
        for (int op = 0; op < static_cast<int>(ops); ++op) {
            const auto &before = precedence.before[static_cast<std::size_t>(op)];
            if (has(op) || !std::all_of(before.begin(), before.end(), has)) continue;
            order.emplace_back(op);
            forEachOrder(precedence, order, visit);
            order.pop_back();
        }
    }

private Q_SLOTS:
    void kindsOfPlans()
    {
        const Graph graph = twoBranches();
        const OpId first(0), wide(1), late(2);
        QVERIFY(kindOfPlan(graph, keepAllPlan(graph)) == HoldsFor::GivenOrder);
        QVERIFY(kindOfPlan(graph, planOf(graph, {first, wide, first, late}, 0)) == HoldsFor::GivenOrder);
        QVERIFY(kindOfPlan(graph, planOf(graph, {wide, first, late}, 0)) == HoldsFor::AnyOrder);
        Plan offloads = keepAllPlan(graph);
        offloads.steps.insert(offloads.steps.begin() + 1, Step::offload(graph.op(first).outputs[0]));
        QVERIFY(kindOfPlan(graph, offloads) == HoldsFor::EveryPlan);
    }

    void opsThatNothingNeedsHaveNoOrder()
    {
        GraphBuilder builder;
        const StorageId x = builder.resident(1);
        const OpId unused = builder.op({x}, {{1}});
        const OpId last = builder.op({x}, {{1, StorageKind::Activation, true}});
        const Graph graph = builder.finish();
        QVERIFY(kindOfPlan(graph, planOf(graph, {last, unused}, 0)) == HoldsFor::GivenOrder);
        QVERIFY(kindOfPlan(graph, planOf(graph, {last}, 0)) == HoldsFor::GivenOrder);
    }

    void anotherOrderHasItsOwnBound()
    {
        const Graph graph = twoBranches();
        const CostTable costs = graphCosts(graph);
        const OpId first(0), wide(1), late(2);
        const Plan given = planOf(graph, {first, wide, first, late}, 41),
                   other = planOf(graph, {wide, first, late}, 41);
        QCOMPARE(boundForPlan(graph, costs, given).timeUs, 12.0);
        QVERIFY(boundForPlan(graph, costs, given).cut == wide);
        QCOMPARE(boundForPlan(graph, costs, other).timeUs, 7.0); // faster than any in the given order
        QCOMPARE(simulate(graph, costs, other.steps)->peakBytes, 41);
    }

    void theCutIsAnOpOfTheGivenGraph()
    {
        // In its own order this plan must make `first` again, since the wide op comes between.
        GraphBuilder builder;
        const StorageId x = builder.resident(1);
        const OpId unrelated = builder.op({x}, {{1, StorageKind::Activation, true}}, 1);
        const OpId first = builder.op({x}, {{10}}, 5);
        const OpId wide = builder.op({builder.output(first)}, {{1, StorageKind::Activation, true}}, 1);
        const OpId wider = builder.op({x}, {{1, StorageKind::Activation, true}}, 1);
        builder.edit(wider).workspaceBytes = 40;
        const OpId late = builder.op({builder.output(first)}, {{1, StorageKind::Activation, true}}, 1);
        const Graph graph = builder.finish();
        const CostTable costs = graphCosts(graph);
        const Plan plan = planOf(graph, {first, wide, wider, first, late, unrelated}, 45);
        QVERIFY(kindOfPlan(graph, plan) == HoldsFor::AnyOrder);
        const TimeBound bound = boundForPlan(graph, costs, plan);
        QCOMPARE(bound.timeUs, 9.0 + 5.0);
        QVERIFY(bound.cut == wider);
        QCOMPARE(simulate(graph, costs, plan.steps)->timeUs, 14.0);
    }

    void withOffloadsOnlyEveryOpOnce()
    {
        const Graph graph = twoBranches();
        const CostTable costs = graphCosts(graph);
        Plan plan = keepAllPlan(graph);
        plan.steps.insert(plan.steps.begin() + 1, Step::offload(graph.op(OpId(0)).outputs[0]));
        plan.budgetBytes = 41;
        QCOMPARE(boundForPlan(graph, costs, plan).timeUs, 7.0);
        QCOMPARE(boundForPlan(graph, costs, keepAllPlan(graph)).timeUs, 7.0); // no budget
    }

    void neverAboveTheOptimumOfItsOrder()
    {
        int reordered = 0, more = 0;
        for (std::uint64_t seed = 1; seed <= 400; ++seed) {
            const Graph graph = randomGraph(seed, {.ops = 4 + static_cast<int>(seed % 4), .multiOutput = 10});
            const CostTable costs = graphCosts(graph);
            const Precedence precedence = precedenceOf(graph);
            Random random(seed);
            std::vector<int> rank(graph.ops.size());
            for (int &r : rank)
                r = random.below(9);
            const auto other = reorderGraph(graph, costs, orderByRank(precedence, rank));
            QVERIFY(other);
            const std::int64_t least = workingSetBound(graph, costs).bytes;
            const std::int64_t peak = simulate(other->graph, other->costs, keepAllPlan(other->graph).steps)->peakBytes;
            for (int i = 0; i < 3; ++i) {
                const std::int64_t budget = least + (peak - least) * i / 3;
                const auto optimum = bruteForceOptimum(other->graph, other->costs, budget);
                const TimeBound bound = boundForPlan(graph, costs, planOf(graph, other->given, budget));
                QVERIFY(!bound.infeasible || !optimum);
                if (optimum) QVERIFY(bound.timeUs <= *optimum * (1 + 1e-9));
                more += !bound.infeasible && bound.extraUs > 0 ? 1 : 0;
            }
            reordered += std::is_sorted(other->given.begin(), other->given.end()) ? 0 : 1;
        }
        QVERIFY2(reordered > 100, qPrintable(QString::number(reordered)));
        QVERIFY2(more > 100, qPrintable(QString::number(more)));
    }

    void inAnyOrderOnlyWhatIsSureCounts()
    {
        const Graph graph = twoBranches();
        const CostTable costs = graphCosts(graph);
        const OpId first(0), wide(1), late(2);
        QCOMPARE(bestTimeBound(graph, costs, 41).timeUs, 12.0);
        QCOMPARE(anyOrderBound(graph, costs, 41).timeUs, 7.0); // the wide op may come first
        QVERIFY(!anyOrderBoundForPlan(graph, costs, planOf(graph, {first, wide, first, late}, 41)));
        const auto beside = anyOrderBoundForPlan(graph, costs, planOf(graph, {wide, first, late}, 41));
        QVERIFY(beside);
        QCOMPARE(beside->timeUs, 7.0);

        // Here it cannot: it reads what comes of the first op, and what reads both is after it.
        GraphBuilder builder;
        const StorageId x = builder.resident(1);
        const OpId early = builder.op({x}, {{10}}, 5);
        const OpId small = builder.op({builder.output(early)}, {{1}}, 1);
        const OpId between = builder.op({builder.output(small)}, {{1}}, 1);
        builder.edit(between).workspaceBytes = 40;
        builder.op({builder.output(early), builder.output(between)}, {{1, StorageKind::Activation, true}}, 1);
        const Graph chain = builder.finish();
        const TimeBound bound = anyOrderBound(chain, graphCosts(chain), 42);
        QVERIFY(std::abs(bound.extraUs - 5) < 1e-6);
        QVERIFY(bound.cut == between);
        QVERIFY(bound.holdsFor == HoldsFor::AnyOrder);
    }

    void neverAboveTheOptimumOfAllOrders()
    {
        int binds = 0, lower = 0, best = 0;
        for (std::uint64_t seed = 1; seed <= 250; ++seed) {
            const Graph graph = randomGraph(seed, {.ops = 4 + static_cast<int>(seed % 3),
                                                   .joint = seed % 2 == 0,
                                                   .multiOutput = 10,
                                                   .computeOnce = seed % 5 == 0 ? 15 : 0});
            const CostTable costs = graphCosts(graph);
            const Precedence precedence = precedenceOf(graph);
            const std::int64_t least = workingSetBound(graph, costs).bytes;
            const std::int64_t peak = simulate(graph, costs, keepAllPlan(graph).steps)->peakBytes;
            const std::int64_t budget = least + (peak - least) / (2 + static_cast<std::int64_t>(seed % 3));
            std::optional<double> optimum;
            std::vector<OpId> order;
            forEachOrder(precedence, order, [&](const std::vector<OpId> &whole) {
                const auto other = reorderGraph(graph, costs, whole);
                const auto time = bruteForceOptimum(other->graph, other->costs, budget);
                if (time) optimum = std::min(*time, optimum.value_or(*time));
            });
            const TimeBound bound = anyOrderBound(graph, costs, budget);
            QVERIFY(!bound.infeasible || !optimum);
            if (!optimum || bound.infeasible) continue;
            QVERIFY2(bound.timeUs <= *optimum * (1 + 1e-9), qPrintable(QString::number(seed)));
            binds += bound.extraUs > 0 ? 1 : 0;
            best += bound.extraUs > 0 && bound.timeUs >= *optimum * (1 - 1e-9) ? 1 : 0;
            const TimeBound given = cutClosureBound(graph, costs, budget);
            QVERIFY(bound.extraUs <= given.extraUs * (1 + 1e-6) + 1e-6);
            lower += bound.extraUs < given.extraUs - 1e-6 ? 1 : 0;
        }
        qInfo("binds on %d graphs, is the optimum on %d, below the given order's on %d", binds, best, lower);
        QVERIFY(binds > 20);
        QVERIFY(best > 5);
        QVERIFY(lower > 5);
    }

    void theClosuresChoiceFitsAndIsClosed()
    {
        int checked = 0;
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            const Graph graph = randomGraph(seed, {.ops = 12 + static_cast<int>(seed % 20), .joint = seed % 2 == 0});
            const CostTable costs = graphCosts(graph);
            const std::int64_t peak = simulate(graph, costs, keepAllPlan(graph).steps)->peakBytes;
            const std::int64_t budget = (peak + workingSetBound(graph, costs).bytes) / 2;
            const CutClosure closure = cutClosure(graph, costs, budget);
            if (!closure.bound.cut) continue;
            const OpId cut = closure.bound.cut;
            const auto has = [](const auto &list, auto id) { return std::binary_search(list.begin(), list.end(), id); };
            const auto &atCut = graph.op(cut).inputs;
            const auto there = [&](StorageId storage) {
                return !graph.planned(storage) || has(closure.kept, storage) ||
                       has(closure.recomputed, graph.storage(storage).producer) ||
                       std::find(atCut.begin(), atCut.end(), storage) != atCut.end();
            };
            std::int64_t bytes = costs.workspace(cut);
            for (const auto &list : {graph.op(cut).inputs, graph.op(cut).outputs, closure.kept})
                for (const StorageId storage : list)
                    bytes += graph.planned(storage) ? graph.storage(storage).bytes : 0;
            QVERIFY(bytes <= budget);
            double lossUs = 0;
            for (const OpId op : closure.recomputed) {
                lossUs += costs.time(op);
                for (const StorageId input : graph.op(op).inputs)
                    QVERIFY(there(input));
            }
            QVERIFY(lossUs >= closure.bound.extraUs - 1e-9);
            for (std::size_t s = 0; s < graph.storages.size(); ++s) {
                const Storage &storage = graph.storages[s];
                if (storage.isOutput && storage.producer && storage.producer < cut) QVERIFY(there(StorageId(s)));
            }
            ++checked;
        }
        QVERIFY(checked > 100);
    }
};

QTEST_GUILESS_MAIN(TestPlanBound)
#include "tst_plan_bound.moc"
