// Which budgets an order of first computations forbids: none, unless something may be computed only once.
#include "core/base/expected.h"

#include "core/bounds/needs.h"
#include "core/plan/checker.h"
#include "solvers/flat.h"
#include "solvers/order/given_order.h"
#include "solvers/order/orders.h"
#include "solvers/search/peak.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/random.h"

#include <QTest>

#include <algorithm>

using namespace remat;
using namespace remat::test;

namespace {

/// Some recomputations at random places, in a random order of first computations.
std::vector<OpId> someSequence(const Graph &graph, const CostTable &costs, Random &random)
{
    std::vector<int> rank;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        rank.push_back(static_cast<int>(random.between(0, 1000)));
    const auto other = reorderGraph(graph, costs, orderByRank(precedenceOf(graph), rank));
    const FlatGraph flat = flatten(other->graph, other->costs);
    std::vector<Recompute> set;
    for (int stage = 1; stage < flat.ops; ++stage)
        for (int op = 0; op < stage; ++op)
            if (!flat.once[static_cast<std::size_t>(op)] && random.percent(8)) set.push_back({stage, op});
    tidyRecomputes(flat, set);
    return renamed(toSequence(flat, set), other->given);
}

bool firstsAreInGraphOrder(const Graph &graph, const std::vector<OpId> &sequence)
{
    std::vector<char> seen(graph.ops.size(), 0);
    int last = -1;
    for (const OpId op : sequence) {
        if (seen[op.index()]) continue;
        seen[op.index()] = 1;
        if (op.value < last) return false;
        last = op.value;
    }
    return true;
}

bool accepted(const Graph &graph, const CostTable &costs, const std::vector<OpId> &sequence, std::int64_t budgetBytes)
{
    Plan plan;
    plan.budgetBytes = budgetBytes;
    plan.steps = withEarliestFrees(graph, sequence);
    return checkPlan(graph, costs, plan).ok;
}

} // namespace

class TestGivenOrder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theGivenOrderHoldsNoMore()
    {
        int moved = 0;
        for (std::uint64_t seed = 0; seed < 400; ++seed) {
            const Graph graph = randomGraph(seed, {.ops = 4 + static_cast<int>(seed % 30), .joint = seed % 2 == 0});
            const CostTable costs = graphCosts(graph);
            Random random(seed + 1);
            const std::vector<OpId> sequence = someSequence(graph, costs, random);
            const auto given = inGivenOrder(graph, sequence);
            QVERIFY(given);
            QVERIFY(firstsAreInGraphOrder(graph, *given));
            const std::int64_t peak = sequenceCost(graph, costs, sequence).peakBytes;
            QVERIFY(sequenceCost(graph, costs, *given).peakBytes <= peak);
            QVERIFY(accepted(graph, costs, *given, peak));
            if (firstsAreInGraphOrder(graph, sequence)) {
                QVERIFY(*given == sequence);
            } else {
                QVERIFY(given->size() > sequence.size());
                ++moved;
            }
        }
        QVERIFY2(moved > 200, std::to_string(moved).c_str());
    }

    void theSmallestPeakOfAnyOrderFitsTheGivenOne()
    {
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            const Case of(randomGraph(seed, {.ops = 6, .joint = seed % 2 == 0}));
            const std::int64_t least = bruteForceSmallestPeak(of.graph, of.costs);
            // Ops that nothing needs may make the given order's plans, which compute all, hold more.
            const Needs needs = needsOf(of.graph);
            if (std::find(needs.op.begin(), needs.op.end(), 0) != needs.op.end()) continue;
            QVERIFY(bruteForceOptimum(of.graph, of.costs, least));
            QVERIFY(!bruteForceOptimum(of.graph, of.costs, least - 1));
        }
    }

    void whatMayBeComputedOnlyOnceMakesTheDifference()
    {
        GraphBuilder builder;
        const StorageId x = builder.resident(1), y = builder.resident(1);
        const OpId a = builder.op({x}, {{100}}), b = builder.op({y}, {{100}});
        builder.edit(a).computeOnce = builder.edit(b).computeOnce = true;
        const OpId readA = builder.op({builder.output(a)}, {{10}}), readB = builder.op({builder.output(b)}, {{10}});
        const OpId end =
            builder.op({builder.output(readA), builder.output(readB)}, {{1, StorageKind::Activation, true}});
        const Case of(builder.finish());
        const std::vector<OpId> sequence = {a, readA, b, readB, end};
        const std::int64_t peak = sequenceCost(of.graph, of.costs, sequence).peakBytes;
        QVERIFY(!bruteForceOptimum(of.graph, of.costs, peak));
        QVERIFY(!inGivenOrder(of.graph, sequence));
    }

    void noSampleHasABudgetThatItsOrderForbids_data()
    {
        QTest::addColumn<QString>("sample");
        for (const char *sample : {"gpt2", "resnet50", "unet", "transformer"})
            QTest::newRow(sample) << sample;
    }

    void noSampleHasABudgetThatItsOrderForbids()
    {
        QFETCH(const QString, sample);
        const Expected<Case> of = sampleCase(sample.toStdString());
        if (!of) QSKIP(sentenceOf(of).c_str());
        QVERIFY(std::none_of(of->graph.ops.begin(), of->graph.ops.end(), [](const Op &op) { return op.computeOnce; }));

        SlideLimits slides;
        slides.slides = 2000;
        const std::int64_t budget = of->percent(50);
        const auto other = reorderGraph(of->graph, of->costs, leastOverflowOrder(of->graph, of->costs, budget, slides));
        QVERIFY(other);
        const FlatGraph flat = flatten(other->graph, other->costs);
        search::State state(flat, budget);
        search::PeakSettings lower;
        lower.targetBytes = budget;
        lower.moves = 1000;
        const search::Found found = search::lowerPeak(state, lower, [] { return false; });
        QVERIFY(found.fits);
        const std::vector<OpId> sequence = renamed(toSequence(flat, found.set), other->given);
        QVERIFY(!firstsAreInGraphOrder(of->graph, sequence));
        const auto given = inGivenOrder(of->graph, sequence);
        QVERIFY(given && firstsAreInGraphOrder(of->graph, *given));
        QVERIFY(accepted(of->graph, of->costs, *given, found.peakBytes));
    }
};

QTEST_GUILESS_MAIN(TestGivenOrder)
#include "tst_given_order.moc"
