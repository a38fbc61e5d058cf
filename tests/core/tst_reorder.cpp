// SPDX-License-Identifier: Apache-2.0
#include "core/costs/reorder.h"
#include "core/plan/checker.h"
#include "core/plan/simulator.h"
#include "tests/support/graphs.h"
#include "tests/support/random.h"

#include <QtTest>

#include <algorithm>
#include <numeric>

using namespace remat;
using namespace remat::test;

namespace {

std::vector<OpId> identity(std::size_t size)
{
    std::vector<OpId> order;
    for (std::size_t i = 0; i < size; ++i)
        order.emplace_back(i);
    return order;
}

std::vector<OpId> ids(std::initializer_list<int> values)
{
    std::vector<OpId> result;
    for (const int value : values)
        result.emplace_back(value);
    return result;
}

/// The rules once more, pair by pair: may `later`, which stands behind `earlier`, come first?
bool mustStay(const Graph &graph, OpId earlier, OpId later)
{
    const Op &a = graph.op(earlier), &b = graph.op(later);
    const auto share = [](const std::vector<StorageId> &x, const std::vector<StorageId> &y) {
        return std::find_first_of(x.begin(), x.end(), y.begin(), y.end()) != x.end();
    };
    const bool sharing = share(a.inputs, b.inputs) || share(a.outputs, b.inputs) || share(a.inputs, b.outputs);
    return share(a.outputs, b.inputs) || (sharing && (a.computeOnce || b.computeOnce)) ||
           (a.computeOnce && b.computeOnce) || (a.random && b.random) || b.forwardOp == earlier;
}

bool keepsTheRules(const Graph &graph, const std::vector<OpId> &order)
{
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t j = i + 1; j < order.size(); ++j)
            if (order[j] < order[i] && mustStay(graph, order[j], order[i])) return false;
    return true;
}

Graph graphWithRandomOps(std::uint64_t seed)
{
    Graph graph = randomGraph(
        seed, {.ops = 3 + static_cast<int>(seed % 17), .joint = seed % 2 == 0, .computeOnce = seed % 3 == 0 ? 20 : 0});
    Random random(seed + 1);
    for (Op &op : graph.ops)
        op.random = random.percent(15);
    return graph;
}

} // namespace

class TestReorder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void mutationsKeepTheirReaders()
    {
        GraphBuilder builder;
        const StorageId buffer = builder.resident(4, StorageKind::Buffer), weight = builder.resident(4);
        const OpId before = builder.op({buffer}, {{1}});
        const OpId other = builder.op({weight}, {{1}});
        const OpId writes = builder.op({buffer}, {{1}});
        builder.edit(writes).computeOnce = true;
        const OpId after = builder.op({buffer, weight}, {{1, StorageKind::Activation, true}});
        const Graph graph = builder.finish();

        const std::vector<OrderEdge> expected = {{before, writes}, {writes, after}};
        QVERIFY(orderConstraints(graph) == expected);
        const Precedence precedence = precedenceOf(graph);
        QVERIFY(isValidOrder(precedence, {before, writes, after, other}));
        QVERIFY(!isValidOrder(precedence, {writes, before, after, other}));
        QVERIFY(!isValidOrder(precedence, {before, other, after, writes}));
    }

    void collectivesAndRandomOpsKeepTheirOrder()
    {
        GraphBuilder builder;
        const StorageId x = builder.resident(4), y = builder.resident(4);
        const OpId reduce = builder.op({x}, {{1}}), drop = builder.op({x}, {{1}});
        const OpId reduceToo = builder.op({y}, {{1}}), dropToo = builder.op({y}, {{1, StorageKind::Activation, true}});
        builder.edit(reduce).computeOnce = builder.edit(reduceToo).computeOnce = true;
        builder.edit(drop).random = builder.edit(dropToo).random = true;
        const Graph graph = builder.finish();
        const std::vector<OrderEdge> expected = {
            {reduce, drop}, {reduce, reduceToo}, {drop, dropToo}, {reduceToo, dropToo}};
        QVERIFY(orderConstraints(graph) == expected);
    }

    void validOrdersAreThoseThatKeepTheRules()
    {
        int moved = 0, refused = 0;
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            const Graph graph = graphWithRandomOps(seed);
            const Precedence precedence = precedenceOf(graph);
            Random random(seed);
            for (int round = 0; round < 10; ++round) {
                std::vector<int> rank(graph.ops.size());
                for (int &r : rank)
                    r = random.below(5);
                std::vector<OpId> order = orderByRank(precedence, rank);
                QVERIFY(isValidOrder(precedence, order));
                QVERIFY(keepsTheRules(graph, order));
                moved += order == identity(order.size()) ? 0 : 1;
                // Two neighbours swapped: both tests must agree on whether that is still allowed.
                const int at = random.below(static_cast<int>(order.size()) - 1);
                std::swap(order[static_cast<std::size_t>(at)], order[static_cast<std::size_t>(at) + 1]);
                QCOMPARE(isValidOrder(precedence, order), keepsTheRules(graph, order));
                refused += isValidOrder(precedence, order) ? 0 : 1;
            }
        }
        QVERIFY(moved > 1000);
        QVERIFY(refused > 500);
    }

    void theGivenOrderComesBack()
    {
        const Graph graph = graphWithRandomOps(6);
        const Precedence precedence = precedenceOf(graph);
        QVERIFY(orderByRank(precedence, std::vector<int>(graph.ops.size(), 0)) == identity(graph.ops.size()));
        const auto same = reorderGraph(graph, graphCosts(graph), identity(graph.ops.size()));
        QVERIFY(same);
        QCOMPARE(same->graph.fingerprint, graphFingerprint(graph));
    }

    void firstComputationsOfASequence()
    {
        GraphBuilder builder;
        const StorageId x = builder.resident(4);
        const OpId a = builder.op({x}, {{1}}), unused = builder.op({x}, {{1}}), b = builder.op({x}, {{1}});
        builder.op({builder.output(a), builder.output(b)}, {{1, StorageKind::Activation, true}});
        const Graph graph = builder.finish();
        const Precedence precedence = precedenceOf(graph);
        QVERIFY(firstComputations(precedence, ids({2, 0, 2, 3})) == ids({unused.value, 2, 0, 3}));
        QVERIFY(firstComputations(precedence, ids({0, 1, 0, 2, 3})) == ids({0, 1, 2, 3}));
    }

    void plansAreTheSameInBothGraphs()
    {
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const Graph graph = graphWithRandomOps(seed);
            const CostTable costs = graphCosts(graph);
            Random random(seed);
            std::vector<int> rank(graph.ops.size());
            for (int &r : rank)
                r = random.below(100);
            const std::vector<OpId> order = orderByRank(precedenceOf(graph), rank);
            const auto reordered = reorderGraph(graph, costs, order);
            QVERIFY2(reordered, reordered ? "" : reordered.error().message.c_str());
            QVERIFY(renamed(order, reordered->place) == identity(order.size()));
            QVERIFY(renamed(identity(order.size()), reordered->given) == order);

            // Keep-all of the new graph is the given graph computed in the new order.
            const Plan there = keepAllPlan(reordered->graph);
            Plan here;
            here.steps = withEarliestFrees(graph, order);
            const auto simulationThere = simulate(reordered->graph, reordered->costs, there.steps);
            const auto simulationHere = simulate(graph, costs, here.steps);
            QVERIFY(simulationThere && simulationHere);
            QCOMPARE(simulationHere->peakBytes, simulationThere->peakBytes);
            QCOMPARE(simulationHere->timeUs, simulationThere->timeUs);
            QVERIFY(checkPlan(graph, costs, here).ok);
            QVERIFY(firstComputations(precedenceOf(graph), order) == order);
        }
    }

    void brokenOrdersAreRefused()
    {
        const Graph graph = chainGraph(3);
        const CostTable costs = graphCosts(graph);
        std::vector<OpId> order = identity(graph.ops.size());
        QVERIFY(reorderGraph(graph, costs, order));
        std::swap(order[0], order[1]);
        QVERIFY(!reorderGraph(graph, costs, order));
        order = identity(graph.ops.size());
        order.back() = order.front();
        QVERIFY(!reorderGraph(graph, costs, order));
        order = identity(graph.ops.size());
        order.pop_back();
        QVERIFY(!reorderGraph(graph, costs, order));
        order.emplace_back(1000);
        QVERIFY(!reorderGraph(graph, costs, order));
    }
};

QTEST_GUILESS_MAIN(TestReorder)
#include "tst_reorder.moc"
