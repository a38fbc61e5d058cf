// SPDX-License-Identifier: Apache-2.0
// Budgets that the greedy does not reach at once are reached in steps.
#include "core/plan/sequence_evaluator.h"
#include "solvers/search/descend.h"
#include "tests/solvers/solving.h"
#include "tests/support/random_layered.h"

#include <QtTest>

using namespace remat;
using namespace remat::search;

namespace {

test::Case randomCase(int ops, std::uint64_t seed)
{
    test::RandomLayeredParams params;
    params.ops = ops;
    return test::Case(test::randomLayeredGraph(seed, params));
}

} // namespace

class TestSearchDescend : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reachesMoreThanTheGreedy()
    {
        const test::Case of = randomCase(1000, 0);
        const FlatGraph flat = flatten(of.graph, of.costs);
        State state(flat, of.percent(60));
        greedy(state, test::kNever);
        QVERIFY(!state.fits());
        const Found found = greedyPlan(flat, of.percent(60), {}, test::kNever);
        QVERIFY(found.fits);
        QVERIFY(found.peakBytes <= of.percent(60));
    }

    void sameEveryTime()
    {
        const test::Case of = randomCase(120, 1);
        const FlatGraph flat = flatten(of.graph, of.costs);
        State first(flat, of.percent(70)), second(flat, of.percent(70));
        QVERIFY(descend(first, of.percent(70), test::kNever).set == descend(second, of.percent(70), test::kNever).set);
    }

    void endsWhereNothingHelps()
    {
        // Storages of a byte or two: a step of some percent is less than that.
        const test::Case tiny(test::chainGraph(6, {.activationBytes = 1, .gradientBytes = 1}));
        const FlatGraph flat = flatten(tiny.graph, tiny.costs);
        State state(flat, 1);
        const Found found = descend(state, 1, test::kNever);
        QVERIFY(!found.fits);
        QVERIFY(found.peakBytes < tiny.keepAllPeakBytes);

        const test::Case of = randomCase(60, 5);
        const FlatGraph layered = flatten(of.graph, of.costs);
        State outOfReach(layered, of.percent(1));
        QVERIFY(!descend(outOfReach, of.percent(1), test::kNever).fits);
    }

    void leavesTheStateWithWhatItFound()
    {
        const test::Case of = randomCase(120, 2);
        const FlatGraph flat = flatten(of.graph, of.costs);
        for (const double percent : {80.0, 50.0}) {
            State state(flat, of.percent(percent));
            const Found found = descend(state, of.percent(percent), test::kNever);
            QVERIFY(state.recomputes() == found.set);
            QCOMPARE(state.budgetBytes(), of.percent(percent));
            QCOMPARE(found.fits, found.peakBytes <= of.percent(percent));
            SequenceEvaluator evaluate(of.graph, of.costs);
            const SequenceCost cost = evaluate(toSequence(flat, found.set));
            QCOMPARE(cost.peakBytes, found.peakBytes);
            QVERIFY(std::abs(cost.timeUs - of.keepAllTimeUs - found.extraUs) < 1e-6 * cost.timeUs);
        }
    }
};

QTEST_GUILESS_MAIN(TestSearchDescend)
#include "tst_search_descend.moc"
