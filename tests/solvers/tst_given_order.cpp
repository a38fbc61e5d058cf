// SPDX-License-Identifier: Apache-2.0
// Which budgets an order of first computations forbids: none, unless something may be computed only once.
#include "core/bounds/needs.h"
#include "core/plan/checker.h"
#include "solvers/order/orders.h"
#include "solvers/search/peak.h"
#include "solvers/tools/flat.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/random.h"
#include "tests/support/text_rows.h"

#include <algorithm>

using namespace remat;
using namespace remat::test;

namespace {

/// Per computation of a sequence: those whose results it reads.
std::vector<std::vector<std::size_t>> readsOf(const Graph &graph, const std::vector<OpId> &sequence)
{
    std::vector<std::size_t> maker(graph.storages.size(), 0); // the latest
    std::vector<std::vector<std::size_t>> reads(sequence.size());
    for (std::size_t p = 0; p < sequence.size(); ++p) {
        const Op &op = graph.op(sequence[p]);
        for (const StorageId input : op.inputs)
            if (graph.storage(input).producer) reads[p].push_back(maker[input.index()]);
        for (const StorageId output : op.outputs)
            maker[output.index()] = p;
    }
    return reads;
}

/// A sequence with the same results, a peak that is not higher, and first computations in the order of the graph, from
/// any possible sequence. So no budget is out of reach in one order and within reach in another, unless something may
/// be computed only once: orders differ in time alone.
///
/// Why: an op and all that it takes can be computed as the sequence does it up to there, leaving out what is not needed
/// for it; that holds no more than the sequence does, and nothing of it has to stay. Everything an op takes comes
/// before it in the graph. So ops are computed in passes, each for a run of ops whose first computations follow the
/// graph's order in the sequence; each pass starts with empty memory, and the last one is the sequence itself.
///
/// None when an op that may be computed only once would be computed in more than one pass. The result has at most as
/// many passes as ops; a sequence in graph order comes back as it is. O(passes × sequence).
std::optional<std::vector<OpId>> inGivenOrder(const Graph &graph, const std::vector<OpId> &sequence)
{
    const std::vector<std::vector<std::size_t>> reads = readsOf(graph, sequence);
    std::vector<std::size_t> first(graph.ops.size(), sequence.size());
    for (std::size_t p = sequence.size(); p-- > 0;)
        first[sequence[p].index()] = p;

    std::vector<std::vector<std::size_t>> runs(1); // first computations, by op
    for (const std::size_t p : first) {
        if (p == sequence.size()) continue; // left out
        if (!runs.back().empty() && p < runs.back().back()) runs.emplace_back();
        runs.back().push_back(p);
    }
    runs.pop_back(); // the last run is of the last pass

    std::vector<OpId> passes;
    std::vector<char> wanted(sequence.size(), 0);
    for (const std::vector<std::size_t> &run : runs) {
        std::fill(wanted.begin(), wanted.end(), 0);
        for (const std::size_t p : run)
            wanted[p] = 1;
        for (std::size_t p = run.back() + 1; p-- > 0;)
            if (wanted[p])
                for (const std::size_t maker : reads[p])
                    wanted[maker] = 1;
        for (std::size_t p = 0; p <= run.back(); ++p) {
            if (!wanted[p]) continue;
            if (graph.op(sequence[p]).computeOnce) return {};
            passes.push_back(sequence[p]);
        }
    }
    passes.insert(passes.end(), sequence.begin(), sequence.end());
    return passes;
}

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
        textRows("sample", {"gpt2", "resnet50", "unet", "transformer"});
    }

    void noSampleHasABudgetThatItsOrderForbids()
    {
        QFETCH(const QString, sample);
        const auto of = sampleCase(sample.toStdString());
        if (!of) QFAIL(sentenceOf(of).c_str());
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
