// SPDX-License-Identifier: Apache-2.0
#include "core/plan/sequence_evaluator.h"
#include "solvers/order/orders.h"
#include "solvers/tools/flat.h"
#include "tests/solvers/solving.h"
#include "tests/support/random.h"

#include <QtTest>

#include <algorithm>
#include <functional>

using namespace remat;
using namespace remat::test;

namespace {

Graph graphFor(std::uint64_t seed)
{
    Graph graph = randomGraph(
        seed, {.ops = 4 + static_cast<int>(seed % 25), .joint = seed % 2 == 0, .computeOnce = seed % 3 == 0 ? 15 : 0});
    Random random(seed + 7);
    for (Op &op : graph.ops)
        op.random = random.percent(15);
    return graph;
}

/// Some recomputations at random places, in graph order otherwise.
std::vector<OpId> someSequence(const Graph &graph, Random &random)
{
    const FlatGraph flat = flatten(graph, graphCosts(graph));
    std::vector<Recompute> set;
    for (int stage = 1; stage < flat.ops; ++stage) {
        for (int op = 0; op < stage; ++op)
            if (!flat.once[static_cast<std::size_t>(op)] && random.percent(4)) set.push_back({stage, op});
    }
    return toSequence(flat, set);
}

/// Per read, in the order of tasks, which computation of its storage it reads; per op, how often it is computed.
std::vector<std::vector<int>> copiesRead(const Graph &graph, const std::vector<OpId> &sequence)
{
    std::vector<std::vector<int>> result(graph.ops.size());
    std::vector<int> made(graph.storages.size(), 0);
    for (const OpId id : sequence) {
        for (const StorageId input : graph.op(id).inputs)
            result[id.index()].push_back(made[input.index()]);
        for (const StorageId output : graph.op(id).outputs)
            ++made[output.index()];
    }
    return result;
}

std::int64_t overflowOfOrder(const Graph &graph, const CostTable &costs, const std::vector<OpId> &order,
                             std::int64_t target)
{
    std::vector<std::int64_t> held;
    SequenceEvaluator(graph, costs).profile(order, held);
    std::int64_t sum = 0;
    for (const std::int64_t bytes : held)
        sum += std::max<std::int64_t>(0, bytes - target);
    return sum;
}

/// The least overflow of all valid orders, by trying each.
std::int64_t leastOverflow(const Graph &graph, const CostTable &costs, std::int64_t target)
{
    const Precedence precedence = precedenceOf(graph);
    std::int64_t least = -1;
    std::vector<OpId> order;
    std::vector<std::size_t> waiting;
    for (const auto &before : precedence.before)
        waiting.push_back(before.size());
    std::vector<char> done(graph.ops.size(), 0);
    const std::function<void()> extend = [&] {
        if (order.size() == graph.ops.size()) {
            const std::int64_t overflow = overflowOfOrder(graph, costs, order, target);
            least = least < 0 ? overflow : std::min(least, overflow);
            return;
        }
        for (std::size_t i = 0; i < done.size(); ++i) {
            if (done[i] || waiting[i] > 0) continue;
            done[i] = 1;
            order.emplace_back(i);
            for (const int later : precedence.after[i])
                --waiting[static_cast<std::size_t>(later)];
            extend();
            for (const int later : precedence.after[i])
                ++waiting[static_cast<std::size_t>(later)];
            order.pop_back();
            done[i] = 0;
        }
    };
    extend();
    return least;
}

} // namespace

class TestOrderSlide : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void memoryStaysThatOfTheSimulator()
    {
        int swapped = 0, refused = 0;
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const Graph graph = graphFor(seed);
            const CostTable costs = graphCosts(graph);
            Random random(seed);
            Schedule schedule(graph, costs, someSequence(graph, random));
            SequenceEvaluator evaluator(graph, costs);
            std::vector<std::int64_t> held;
            for (int round = 0; round < 100; ++round) {
                const int at = random.below(schedule.size() - 1);
                if (schedule.tied(schedule.taskAt(at), schedule.taskAt(at + 1))) {
                    ++refused;
                    continue;
                }
                schedule.swap(at);
                ++swapped;
                evaluator.profile(schedule.sequence(), held);
                for (int p = 0; p < schedule.size(); ++p)
                    QCOMPARE(schedule.memory(p), held[static_cast<std::size_t>(p)]);
            }
            QVERIFY(simulate(graph, costs, withEarliestFrees(graph, schedule.sequence())));
        }
        QVERIFY(swapped > 3000);
        QVERIFY(refused > 3000);
    }

    void readsStayWithTheirCopies()
    {
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const Graph graph = graphFor(seed);
            const CostTable costs = graphCosts(graph);
            Random random(seed);
            const std::vector<OpId> sequence = someSequence(graph, random);
            Schedule schedule(graph, costs, sequence);
            SlideLimits limits;
            limits.slides = 200;
            limits.seed = seed;
            slideBelow(schedule, 1, limits);
            QVERIFY(copiesRead(graph, schedule.sequence()) == copiesRead(graph, sequence));
            const Precedence precedence = precedenceOf(graph);
            const std::vector<OpId> first = firstComputations(precedence, schedule.sequence());
            QVERIFY(isValidOrder(precedence, first));
            // The order is that of the sequence itself: no rule had to be mended.
            std::vector<char> seen(graph.ops.size(), 0);
            std::vector<OpId> asRun;
            for (const OpId op : schedule.sequence())
                if (!std::exchange(seen[op.index()], 1)) asRun.push_back(op);
            QVERIFY(first == asRun);
        }
    }

    void overflowNeverGrows()
    {
        int lowered = 0;
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const Graph graph = graphFor(seed);
            const CostTable costs = graphCosts(graph);
            Random random(seed);
            const std::vector<OpId> sequence = someSequence(graph, random);
            const std::int64_t target = sequenceCost(graph, costs, sequence).peakBytes * 7 / 10;
            Schedule schedule(graph, costs, sequence);
            const std::int64_t before = overflowOf(schedule, target);
            QCOMPARE(before, overflowOfOrder(graph, costs, sequence, target));
            SlideLimits limits;
            limits.slides = 300;
            limits.seed = seed;
            const std::int64_t after = slideBelow(schedule, target, limits);
            QCOMPARE(after, overflowOf(schedule, target));
            QVERIFY(after <= before);
            lowered += after < before ? 1 : 0;
        }
        QVERIFY(lowered > 100);
    }

    void mostlyTheBestOfAllOrders()
    {
        int best = 0, checked = 0, givenBest = 0;
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            const Graph graph = randomGraph(seed, {.ops = 7, .joint = seed % 2 == 0});
            if (graph.ops.size() > 9) continue;
            const CostTable costs = graphCosts(graph);
            const std::int64_t target = sequenceCost(graph, costs, givenOrder(graph)).peakBytes * 8 / 10;
            const std::int64_t least = leastOverflow(graph, costs, target);
            Schedule schedule(graph, costs, givenOrder(graph));
            SlideLimits limits;
            limits.slides = 500;
            const std::int64_t reached = slideBelow(schedule, target, limits);
            QVERIFY(reached >= least);
            best += reached == least ? 1 : 0;
            givenBest += overflowOfOrder(graph, costs, givenOrder(graph), target) == least ? 1 : 0;
            ++checked;
        }
        QVERIFY(checked > 150);
        QVERIFY2(best * 100 >= checked * 95,
                 qPrintable(QString("%1 of %2, %3 given").arg(best).arg(checked).arg(givenBest)));
        QVERIFY(givenBest * 10 < best * 9);
    }

    void repeatsAndStops()
    {
        const Graph graph = randomGraph(3, {.ops = 60});
        const CostTable costs = graphCosts(graph);
        const auto slid = [&](std::uint64_t seed, std::function<bool()> stop) {
            Schedule schedule(graph, costs, givenOrder(graph));
            SlideLimits limits;
            limits.slides = 500;
            limits.seed = seed;
            limits.shouldStop = std::move(stop);
            slideBelow(schedule, 1, limits);
            return schedule.sequence();
        };
        QVERIFY(slid(5, {}) == slid(5, {}));
        QVERIFY(slid(5, {}) != givenOrder(graph));
        QVERIFY(slid(5, [] { return true; }) == givenOrder(graph));
        QCOMPARE(overflowOf(Schedule(graph, costs, {}), 0), 0);
    }

    void plannedParametersCount()
    {
        const Graph graph = withPlannedParameters(randomGraph(4, {.ops = 20, .joint = true}));
        const CostTable costs = graphCosts(graph);
        QVERIFY(graph.parametersPlanned);
        const Schedule schedule(graph, costs, givenOrder(graph));
        std::vector<std::int64_t> held;
        SequenceEvaluator(graph, costs).profile(givenOrder(graph), held);
        for (int p = 0; p < schedule.size(); ++p)
            QCOMPARE(schedule.memory(p), held[static_cast<std::size_t>(p)]);
        const auto reordered = reorderGraph(graph, costs, givenOrder(graph));
        QVERIFY(reordered && reordered->graph.parametersPlanned);
    }

    void slotsGoToTheEnd()
    {
        GraphBuilder builder;
        const StorageId count = builder.resident(1, StorageKind::Buffer), x = builder.resident(1);
        const OpId counter = builder.op({count}, {{1, StorageKind::Activation, true}});
        const OpId big = builder.op({x}, {{1'000'000}});
        const OpId read = builder.op({builder.output(big)}, {{1, StorageKind::Activation, true}});
        const Graph graph = builder.finish();
        const std::vector<OpId> expected = {big, read, counter};
        QVERIFY(withSlotsAtEnd(graph, givenOrder(graph)) == expected);
        QVERIFY(isValidOrder(precedenceOf(graph), expected));
    }

    void candidatesAreValidAndDifferent()
    {
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            const Graph graph = graphFor(seed);
            const CostTable costs = graphCosts(graph);
            const std::int64_t peak = sequenceCost(graph, costs, givenOrder(graph)).peakBytes;
            SlideLimits limits;
            limits.slides = 100;
            const auto orders = candidateOrders(graph, costs, peak / 2, limits);
            QVERIFY(orders.front() == givenOrder(graph));
            const Precedence precedence = precedenceOf(graph);
            for (std::size_t i = 0; i < orders.size(); ++i) {
                QVERIFY(isValidOrder(precedence, orders[i]));
                QVERIFY(std::find(orders.begin(), orders.begin() + static_cast<std::ptrdiff_t>(i), orders[i]) ==
                        orders.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestOrderSlide)
#include "tst_order_slide.moc"
