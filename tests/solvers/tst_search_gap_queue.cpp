// SPDX-License-Identifier: Apache-2.0
// Gaps come by what their drops are worth.
#include "solvers/search/gap_queue.h"
#include "solvers/search/lookalikes.h"
#include "tests/solvers/solving.h"
#include "tests/support/random_layered.h"

#include <QtTest>

#include <set>

using namespace remat;
using namespace remat::search;

namespace {

struct Flat {
    test::Case of;
    FlatGraph flat;
    std::int64_t budgetBytes;

    Flat(const Graph &graph, int percent)
        : of(graph), flat(flatten(of.graph, of.costs)), budgetBytes(of.percent(percent))
    {
    }
};

double worthOf(const State &state, const Gap &gap)
{
    const FlatGraph &flat = state.flat();
    const std::int64_t off =
        state.memory().overflowOfLess(slotOf(gap.from) + 1, slotOf(gap.to), flat.bytes[gap.storage]);
    return static_cast<double>(off) / flat.timeUs[flat.producer[gap.storage]];
}

/// Drops until the state fits, as the greedy does; returns how many drops were tried.
int trialsOf(State &state)
{
    GapQueue queue(state);
    Drop drop(state, 1e-7);
    for (int s = 0; s < state.flat().storages(); ++s)
        queue.pushGapsOf(s, 1);
    int trials = 0;
    while (!state.fits() && queue.findBest()) {
        ++trials;
        const Gap gap = queue.best();
        const std::int64_t overflow = state.overflow();
        const double us = state.extraUs();
        if (!drop(dropSlot(state, gap), state.flat().producer[gap.storage]) || state.overflow() >= overflow) {
            state.rollback(0);
            queue.remove();
            continue;
        }
        const double worth = static_cast<double>(overflow - state.overflow()) / (state.extraUs() - us);
        if (queue.isStillBest(worth)) {
            queue.remove();
            queue.pushGapsOf(gap.storage, 1);
            for (const Key step : state.journal())
                for (const int s : state.flat().inputs[opOf(step)])
                    queue.pushGapsOf(s, 1);
            drop.setPrice(std::max(drop.price(), 0.5 / worth));
            state.commit();
        } else {
            state.rollback(0);
            queue.keep(worth);
        }
    }
    return trials;
}

} // namespace

class TestSearchGapQueue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comesByFallingWorth()
    {
        test::RandomLayeredParams params;
        params.ops = 60;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Flat c(test::randomLayeredGraph(seed, params), 70);
            const State state(c.flat, c.budgetBytes);
            GapQueue queue(state);
            std::set<std::pair<int, Key>> expected, met;
            for (int s = 0; s < c.flat.storages(); ++s) {
                queue.pushGapsOf(s, 1);
                const std::vector<Key> &events = state.events(s);
                for (std::size_t e = 1; e < events.size(); ++e)
                    if (worthOf(state, {s, events[e - 1], events[e]}) > 0) expected.emplace(s, events[e]);
            }
            double before = std::numeric_limits<double>::infinity();
            while (queue.findBest()) {
                const double worth = worthOf(state, queue.best());
                QVERIFY(worth > 0 && worth <= before);
                before = worth;
                QVERIFY(met.emplace(queue.best().storage, queue.best().to).second);
                queue.remove();
            }
            QVERIFY(!expected.empty());
            QCOMPARE(met, expected);
        }
    }

    void whatWasTriedWaitsForItsTurn()
    {
        test::RandomLayeredParams params;
        params.ops = 60;
        const Flat c(test::randomLayeredGraph(3, params), 70);
        const State state(c.flat, c.budgetBytes);
        GapQueue queue(state);
        for (int s = 0; s < c.flat.storages(); ++s)
            queue.pushGapsOf(s, 1);
        QVERIFY(queue.findBest());
        const Gap first = queue.best();
        const double worth = worthOf(state, first);
        QVERIFY(queue.isStillBest(worth));
        QVERIFY(!queue.isStillBest(worth / 1e6));
        queue.keep(worth / 1e6);
        QVERIFY(queue.findBest());
        QVERIFY(queue.best() != first);
        int others = 0;
        for (; queue.findBest() && queue.best() != first; ++others)
            queue.remove();
        QVERIFY(others > 5);
        QVERIFY(queue.best() == first);
    }

    void gapsThatAreGoneDoNotCome()
    {
        const Flat c(test::layeredGraph(4), 60);
        State state(c.flat, c.budgetBytes);
        GapQueue queue(state);
        for (int s = 0; s < c.flat.storages(); ++s)
            queue.pushGapsOf(s, 1);
        QVERIFY(queue.findBest());
        const Gap gap = queue.best();
        state.add(keyOf(dropSlot(state, gap), c.flat.producer[gap.storage]));
        state.commit();
        while (queue.findBest()) {
            QVERIFY(queue.best() != gap);
            queue.remove();
        }
    }

    void trialsGrowWithTheLayers()
    {
        int before = 0;
        for (const int layers : {6, 24, 96}) {
            const Flat c(test::layeredGraph(layers), 60);
            State state(c.flat, c.budgetBytes);
            const int trials = trialsOf(state);
            QVERIFY(state.fits());
            if (before > 0) QVERIFY2(trials <= 4.2 * before, qPrintable(QString("%1 → %2").arg(before).arg(trials)));
            before = trials;
        }
    }

    void layersOfOtherSizesAreNotAllTried()
    {
        Graph graph = test::layeredGraph(96);
        std::int64_t more = 0;
        for (Storage &storage : graph.storages)
            storage.bytes += ++more;
        const Flat c(graph, 97);
        QVERIFY(classesOf(c.flat, Likeness::Structure).back() < classesOf(c.flat, Likeness::Exact).back() / 4);
        State state(c.flat, c.budgetBytes);
        GapQueue queue(state);
        std::size_t gaps = 0;
        for (int s = 0; s < c.flat.storages(); ++s) {
            queue.pushGapsOf(s, 1);
            gaps += state.events(s).size();
        }
        QVERIFY(gaps > 96 * 28);
        const int trials = trialsOf(state);
        QVERIFY(state.fits());
        const auto drops = static_cast<int>(state.steps().size());
        QVERIFY2(trials < drops + 96 * 8, qPrintable(QString("%1 trials, %2 drops").arg(trials).arg(drops)));
    }
};

QTEST_GUILESS_MAIN(TestSearchGapQueue)
#include "tst_search_gap_queue.moc"
