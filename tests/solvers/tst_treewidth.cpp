// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/bounds.h"
#include "solvers/treewidth/dissection.h"
#include "solvers/treewidth/theorem.h"
#include "tests/solvers/planner_checks.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace remat;
using namespace remat::separators;

namespace {

using Edges = std::vector<std::pair<int, int>>;

std::vector<std::vector<int>> neighboursOf(int nodes, const Edges &edges)
{
    std::vector<std::set<int>> around(static_cast<std::size_t>(nodes));
    for (const auto &[a, b] : edges) {
        around[static_cast<std::size_t>(a)].insert(b);
        around[static_cast<std::size_t>(b)].insert(a);
    }
    std::vector<std::vector<int>> neighbours;
    neighbours.reserve(around.size());
    for (const std::set<int> &set : around)
        neighbours.emplace_back(set.begin(), set.end());
    return neighbours;
}

Edges randomEdges(test::Random &random, int nodes, int percent)
{
    Edges edges;
    for (int a = 0; a < nodes; ++a)
        for (int b = a + 1; b < nodes; ++b)
            if (random.percent(percent)) edges.emplace_back(a, b);
    return edges;
}

Edges grid(int side)
{
    Edges edges;
    for (int row = 0; row < side; ++row) {
        for (int column = 0; column < side; ++column) {
            const int node = row * side + column;
            if (column + 1 < side) edges.emplace_back(node, node + 1);
            if (row + 1 < side) edges.emplace_back(node, node + side);
        }
    }
    return edges;
}

TreeDecomposition decomposed(int nodes, const Edges &edges, Elimination elimination)
{
    return *decompose(neighboursOf(nodes, edges), elimination, [] { return false; });
}

/// `length` rows of `width` ops, each reading the one before it in its row and the one in its place of the row before;
/// every op has a backward op that reads its result. All storages have one byte.
Graph ladder(int width, int length)
{
    test::GraphBuilder builder;
    const StorageId input = builder.resident(1);
    const auto at = [width](int row, int column) { return static_cast<std::size_t>(row * width + column); };
    std::vector<OpId> forward;
    for (int row = 0; row < length; ++row)
        for (int column = 0; column < width; ++column) {
            std::vector<StorageId> reads;
            if (row > 0) reads.push_back(builder.output(forward[at(row - 1, column)]));
            if (column > 0) reads.push_back(builder.output(forward[at(row, column - 1)]));
            if (reads.empty()) reads.push_back(input);
            forward.push_back(builder.op(reads, {{1}}));
        }
    std::vector<StorageId> gradients(forward.size());
    for (int row = length; row-- > 0;)
        for (int column = width; column-- > 0;) {
            std::vector<StorageId> reads{builder.output(forward[at(row, column)])};
            if (row + 1 < length) reads.push_back(gradients[at(row + 1, column)]);
            if (column + 1 < width) reads.push_back(gradients[at(row, column + 1)]);
            const bool first = row == 0 && column == 0;
            const OpId op = builder.op(reads, {{1, StorageKind::Gradient, first}}, 1, Phase::Backward);
            builder.edit(op).forwardOp = forward[at(row, column)];
            gradients[at(row, column)] = builder.output(op);
        }
    return builder.finish();
}

} // namespace

class TestTreewidth : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void widthsOfKnownGraphs()
    {
        Edges path, cycle, complete, star;
        for (int i = 0; i < 9; ++i) {
            path.emplace_back(i, i + 1);
            cycle.emplace_back(i, (i + 1) % 9);
            star.emplace_back(0, i + 1);
        }
        for (int a = 0; a < 6; ++a)
            for (int b = a + 1; b < 6; ++b)
                complete.emplace_back(a, b);
        for (const Elimination elimination : {Elimination::MinDegree, Elimination::MinFill}) {
            QCOMPARE(decomposed(10, path, elimination).width, 1);
            QCOMPARE(decomposed(10, star, elimination).width, 1);
            QCOMPARE(decomposed(9, cycle, elimination).width, 2);
            QCOMPARE(decomposed(6, complete, elimination).width, 5);
            QCOMPARE(decomposed(16, grid(4), elimination).width, 4);
            QCOMPARE(decomposed(3, {}, elimination).width, 0);
        }
    }

    void bagsHoldEveryEdgeAndNodesStayConnected()
    {
        test::Random random(3);
        for (int round = 0; round < 60; ++round) {
            const int nodes = random.between(2, 20);
            const Edges edges = randomEdges(random, nodes, random.between(5, 60));
            const auto elimination = round % 2 == 0 ? Elimination::MinDegree : Elimination::MinFill;
            const TreeDecomposition tree = decomposed(nodes, edges, elimination);
            const auto inBag = [&](std::size_t bag, int node) {
                return std::find(tree.bags[bag].begin(), tree.bags[bag].end(), node) != tree.bags[bag].end();
            };
            for (const auto &[a, b] : edges) {
                bool together = false;
                for (std::size_t bag = 0; bag < tree.bags.size(); ++bag)
                    together = together || (inBag(bag, a) && inBag(bag, b));
                QVERIFY(together);
            }
            for (int node = 0; node < nodes; ++node) {
                // Connected: of the bags that have it, all but one have a parent that has it, too.
                int tops = 0;
                for (std::size_t bag = 0; bag < tree.bags.size(); ++bag) {
                    if (!inBag(bag, node)) continue;
                    const int parent = tree.parent[bag];
                    tops += parent < 0 || !inBag(static_cast<std::size_t>(parent), node) ? 1 : 0;
                }
                QCOMPARE(tops, 1);
            }
        }
    }

    void separatorsPartWhatIsNotInThem()
    {
        test::Random random(4);
        int separated = 0;
        for (int round = 0; round < 60; ++round) {
            const int nodes = random.between(2, 30);
            const Edges edges = randomEdges(random, nodes, random.between(3, 25));
            std::vector<std::int64_t> weights;
            weights.reserve(static_cast<std::size_t>(nodes));
            for (int node = 0; node < nodes; ++node)
                weights.push_back(random.between(0, 9));
            const std::int64_t leaf = round % 3 == 0 ? 0 : random.between(1, 40);
            const Dissection dissection = dissect(decomposed(nodes, edges, Elimination::MinDegree), weights, leaf);
            const auto region = [&](int node) { return dissection.regionOfNode[static_cast<std::size_t>(node)]; };
            for (const auto &[a, b] : edges)
                QVERIFY(!dissection.apart(region(a), region(b)));
            std::map<int, std::int64_t> weightOf;
            for (int node = 0; node < nodes; ++node) {
                QVERIFY(region(node) >= 0);
                for (int r = region(node); r >= 0; r = dissection.regions[static_cast<std::size_t>(r)].parent)
                    weightOf[r] += weights[static_cast<std::size_t>(node)];
            }
            for (std::size_t r = 1; r < dissection.regions.size(); ++r) {
                const Region &each = dissection.regions[r];
                QCOMPARE(each.begin, static_cast<int>(r));
                QCOMPARE(each.weight, weightOf[static_cast<int>(r)]);
                QVERIFY(each.parent < each.begin);
                const Region &parent = dissection.regions[static_cast<std::size_t>(each.parent)];
                QVERIFY(each.parent == 0 || (parent.begin < each.begin && each.end <= parent.end));
                if (each.parent == 0) continue;
                ++separated;
                QVERIFY(2 * each.weight <= parent.weight);
            }
        }
        QVERIFY(separated > 100);
    }

    void aChainNeedsMemoryLikeTheLogarithm()
    {
        // One activation a stage: kept are separators, a few for each halving.
        for (const int stages : {16, 64, 256}) {
            test::ChainParams params;
            const test::Case chain(test::chainGraph(stages, params));
            const std::int64_t least = workingSetBound(chain.graph, chain.costs).bytes;
            const auto outcome = test::plan("treewidth", chain, least);
            QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
            const std::int64_t smallest = outcome->plan ? least : outcome->smallestPeakBytes;
            const double held = static_cast<double>(smallest) / static_cast<double>(params.activationBytes);
            QVERIFY2(held <= 2 * std::log2(stages) + 4, qPrintable(QString("%1 stages: %2").arg(stages).arg(held)));
        }
    }

    void aLadderNeedsItsWidthTimesTheLogarithm_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("length");
        for (const int width : {1, 2, 3, 4})
            for (const int length : {8, 16, 32})
                QTest::addRow("%d wide, %d long", width, length) << width << length;
    }

    /// The proof: separators of at most w + 1 nodes part each region into halves, so at most log2 n + 1 of them are
    /// held at a time, and beside them what one op reads and makes. The elimination finds a width of 3 k at most
    /// for a ladder of width k and its backward part, joined op by op.
    void aLadderNeedsItsWidthTimesTheLogarithm()
    {
        QFETCH(const int, width);
        QFETCH(const int, length);
        const test::Case of(ladder(width, length));
        const FlatGraph flat = flatten(of.graph, of.costs);
        const std::optional<TreeDecomposition> tree =
            decompose(opGraph(flat).neighbours, Elimination::MinDegree, [] { return false; });
        QVERIFY2(tree->width <= 3 * width, qPrintable(QString::number(tree->width)));
        const std::int64_t least = workingSetBound(of.graph, of.costs).bytes;
        const auto outcome =
            test::plan("treewidth", of, least, {}, {{"elimination", "min-degree"}, {"keep-more", "false"}});
        QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
        const std::int64_t smallest = outcome->plan ? outcome->plan->predicted.peakBytes : outcome->smallestPeakBytes;
        const double proven = (tree->width + 1) * (std::log2(flat.ops) + 1) + static_cast<double>(least);
        QVERIFY2(static_cast<double>(smallest) <= proven,
                 qPrintable(QString("%1 instead of at most %2").arg(smallest).arg(proven)));
    }

    void theTheoremsScheduleIsAsSmallAndShortAsProven_data() { aLadderNeedsItsWidthTimesTheLogarithm_data(); }

    /// With the constants of the proof in the folder's README, for the width and the most reads of this ladder.
    void theTheoremsScheduleIsAsSmallAndShortAsProven()
    {
        QFETCH(const int, width);
        QFETCH(const int, length);
        const test::Case of(ladder(width, length));
        const FlatGraph flat = flatten(of.graph, of.costs);
        const OpGraph graph = opGraph(flat, false);
        const std::optional<TreeDecomposition> tree =
            decompose(graph.neighbours, Elimination::MinDegree, [] { return false; });
        QVERIFY(tree->width <= 3 * width);
        const std::vector<std::int64_t> ones(static_cast<std::size_t>(flat.ops), 1);
        const std::vector<OpId> sequence = theoremSequence(flat, graph, dissect(*tree, ones, 0));
        std::size_t reads = 0;
        for (const std::vector<int> &inputs : flat.inputs)
            reads = std::max(reads, inputs.size());
        const TheoremBound bound = theoremBound(flat.ops, tree->width + 1, static_cast<int>(reads));
        const SequenceCost cost = sequenceCost(of.graph, of.costs, sequence);
        QVERIFY2(static_cast<double>(cost.peakBytes) <= bound.heldOps,
                 qPrintable(QString("%1 held, proven %2").arg(cost.peakBytes).arg(bound.heldOps)));
        QVERIFY2(static_cast<double>(sequence.size()) <= bound.computations,
                 qPrintable(QString("%1 computed, proven %2").arg(sequence.size()).arg(bound.computations)));
    }

    void theTheoremsScheduleIsAPlan()
    {
        int plans = 0;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 40;
            params.computeOnce = seed % 2 == 0 ? 10 : 0;
            const test::Case of(test::randomGraph(seed, params));
            const auto outcome = test::plan("treewidth", of, of.percent(100), {}, {{"schedule", "theorem"}});
            QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str()); // the checker has passed it
            plans += outcome->plan ? 1 : 0;
        }
        QVERIFY2(plans > 20, qPrintable(QString::number(plans)));
    }

    void threadsChangeNothing() { test::threadsChangeNothing("treewidth"); }
    void neverBeatsTheOptimum_data() { test::textRows("planner", {"treewidth"}); }
    void neverBeatsTheOptimum() { test::neverBeatsTheOptimum(); }
    void downToInfeasible_data() { test::sampleRows({"treewidth"}); }
    void downToInfeasible() { test::downToInfeasible(); }
};

QTEST_GUILESS_MAIN(TestTreewidth)
#include "tst_treewidth.moc"
