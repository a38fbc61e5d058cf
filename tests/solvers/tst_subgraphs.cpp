// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/compose.h"
#include "solvers/hiremate/hierarchy.h"
#include "solvers/hiremate/leaf.h"
#include "solvers/hiremate/partition/partition.h"
#include "solvers/ilp/cbc.h"
#include "tests/solvers/solving.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <set>

using namespace remat;
using namespace remat::hiremate;

namespace {

constexpr std::int64_t kUnit = 1 << 10;

/// Two towers that read one input each, a stage of the one after a stage of the other, and a loss of both. A stage is
/// two ops; backward ops read what their forward ops read.
Graph interleavedTowers(int stages)
{
    test::GraphBuilder builder;
    StorageId current[2] = {builder.resident(kUnit), builder.resident(kUnit)};
    struct Step {
        OpId op;
        StorageId input;
        int tower;
    };
    std::vector<Step> forward;
    for (int stage = 0; stage < stages; ++stage)
        for (const int tower : {0, 1})
            for (const int half : {0, 1}) {
                const int number = 2 * stage + half + 5 * tower;
                const OpId op = builder.op({current[tower]}, {{(1 + number * 5 % 7) * kUnit}}, 2 + number * 3 % 11);
                forward.push_back({op, current[tower], tower});
                current[tower] = builder.output(op);
            }
    const OpId loss = builder.op({current[0], current[1]}, {{4, StorageKind::Activation, true}}, 1, Phase::Loss);
    StorageId gradient[2] = {builder.output(loss), builder.output(loss)};
    for (std::size_t i = forward.size(); i-- > 0;) {
        const auto &[twin, input, tower] = forward[i];
        const OpId op =
            builder.op({input, gradient[tower]}, {{kUnit, StorageKind::Gradient, i < 4}}, 8, Phase::Backward);
        builder.edit(op).forwardOp = twin;
        gradient[tower] = builder.output(op);
    }
    return builder.finish();
}

/// A graph cut by a partitioner, with the options of its blocks.
struct SubgraphCut {
    test::Case of;
    FlatGraph flat;
    Chain chain;
    std::vector<std::vector<Option>> options;
    std::vector<BlockChoices> choices;

    SubgraphCut(Graph graph, Partitioner partitioner, const PartitionSizes &sizes)
        : of(std::move(graph)),
          flat(flatten(of.graph, of.costs)),
          chain(makeChain(flat, partitionLabels(flat, partitioner, sizes), of.keepAllPeakBytes)),
          options(chain.blocks.size())
    {
        std::vector<const std::vector<Option> *> all;
        for (std::size_t k = 0; k < options.size(); ++k) {
            options[k] = leafOptions("ilp", flat, chain, chain.blocks[k], {}, {});
            all.push_back(&options[k]);
        }
        choices = choicesOf(flat, chain, all);
    }

    /// The best composed plan; infinite where the program has no solution. Checks it against the program's figures.
    double best(std::int64_t budgetBytes) const
    {
        const std::optional<TopModel> top = buildTopModel(flat, chain, choices, budgetBytes, {});
        if (!top) return std::numeric_limits<double>::quiet_NaN();
        ilp::Limits limits;
        limits.relativeGap = 0;
        limits.deadline = Deadline(30.0);
        const ilp::Solution solution = ilp::solve(top->model, limits);
        if (!solution.found()) return std::numeric_limits<double>::infinity();
        SequenceEvaluator evaluator(of.graph, of.costs);
        const SequenceCost cost = replay(flat, evaluator, compose(flat, chain, choices, readChoice(*top, solution.x)));
        if (cost.peakBytes > budgetBytes || cost.timeUs - of.keepAllTimeUs > solution.objective + 1e-6)
            return std::numeric_limits<double>::quiet_NaN();
        return cost.timeUs;
    }
};

} // namespace

/// Clusters of hiremate that are sub-graphs, whatever ops of others stand between theirs.
class TestSubgraphs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void towersAreFoundWhereverTheirOpsStand()
    {
        const SubgraphCut cut(interleavedTowers(3), Partitioner::Subgraphs, {4, 6});
        std::map<int, std::set<int>> towersOf; // per block
        for (int op = 0; op + 1 < cut.flat.forwardOps; ++op)
            towersOf[cut.chain.blockOfOp[op]].insert(op / 2 % 2);
        QVERIFY(towersOf.size() >= 2);
        for (const auto &[block, towers] : towersOf)
            QCOMPARE(towers.size(), std::size_t(1));
        for (int op = cut.flat.forwardOps; op < cut.flat.ops; ++op) {
            const OpId twin = cut.of.graph.op(OpId(op)).forwardOp;
            QCOMPARE(cut.chain.blockOfOp[op], cut.chain.blockOfOp[twin.index()]);
        }
    }

    /// All ops of the chain are in its parts, once and in order, and parts are as long as they can be.
    void partsFollowTheOrderOfTheGraph()
    {
        const SubgraphCut cut(interleavedTowers(5), Partitioner::Subgraphs, {4, 10});
        std::vector<int> seen;
        for (std::size_t t = 0; t < cut.chain.parts.size(); ++t) {
            const Part &part = cut.chain.parts[t];
            const Block &block = cut.chain.blocks[static_cast<std::size_t>(part.block)];
            for (int local = part.begin; local < part.end; ++local)
                seen.push_back(block.globalOp(local));
            QCOMPARE(part.backward, static_cast<int>(t) >= cut.chain.turn);
            if (part.begin < part.end) QCOMPARE(part.slot, block.globalOp(part.begin));
            if (t > 0 && static_cast<int>(t) != cut.chain.turn) QVERIFY(part.block != cut.chain.parts[t - 1].block);
        }
        QCOMPARE(static_cast<int>(seen.size()), cut.flat.ops);
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
        QVERIFY(cut.chain.parts.size() > 2 * cut.chain.blocks.size());
    }

    /// What an option says it holds between two parts of its block is what a replay of the block alone holds there.
    void optionsKnowWhatTheyHoldBetweenParts()
    {
        const SubgraphCut cut(interleavedTowers(5), Partitioner::Subgraphs, {4, 10});
        int between = 0;
        for (std::size_t k = 0; k < cut.chain.blocks.size(); ++k) {
            const Block &block = cut.chain.blocks[k];
            for (const Option &option : cut.options[k]) {
                QCOMPARE(option.heldAfter.size(), block.partEnds.size());
                QCOMPARE(option.heldAfter.back(), std::int64_t(0));
                std::vector<std::pair<int, int>> steps; // local op, the one in whose slot it stands
                for (int op = 0; op < block.forwardOps(); ++op)
                    steps.emplace_back(op, op);
                for (const ProgramStep &step : option.program)
                    steps.emplace_back(step.op, step.before);
                for (std::size_t q = 0; q + 1 < block.partEnds.size(); ++q) {
                    std::set<int> made, held;
                    for (const auto &[op, slot] : steps)
                        if (slot < block.partEnds[q])
                            made.insert(block.ops[static_cast<std::size_t>(op)].outputs.begin(),
                                        block.ops[static_cast<std::size_t>(op)].outputs.end());
                    std::set<int> remade;
                    for (const auto &[op, slot] : steps) {
                        if (slot < block.partEnds[q]) continue;
                        for (const int s : block.ops[static_cast<std::size_t>(op)].inputs)
                            if (made.count(s) > 0 && remade.count(s) == 0) held.insert(s);
                        remade.insert(block.ops[static_cast<std::size_t>(op)].outputs.begin(),
                                      block.ops[static_cast<std::size_t>(op)].outputs.end());
                    }
                    for (std::size_t s = 0; s < option.kept.size(); ++s) // held for others, up to the backward part
                        if (option.kept[s] && block.partEnds[q] <= block.forwardOps() &&
                            made.count(static_cast<int>(s)) > 0)
                            held.insert(static_cast<int>(s));
                    std::int64_t bytes = 0;
                    for (const int s : held)
                        bytes += block.storages[static_cast<std::size_t>(s)].bytes;
                    QCOMPARE(option.heldAfter[q], bytes);
                    ++between;
                }
            }
        }
        QVERIFY(between > 100);
    }

    /// Where towers are interleaved, each as one cluster gives the best plans there are; intervals of both may not.
    void towersAsClustersAreAsGoodAsAnyPlan()
    {
        const SubgraphCut towers(interleavedTowers(3), Partitioner::Subgraphs, {4, 6});
        const SubgraphCut intervals(interleavedTowers(3), Partitioner::BottomToTop, {4, 6});
        QVERIFY(towers.chain.parts.size() > intervals.chain.parts.size());
        int better = 0, found = 0;
        for (const int percent : {85, 70, 60, 55, 50, 40}) {
            const std::int64_t budget = towers.of.percent(percent);
            const double ours = towers.best(budget), theirs = intervals.best(budget);
            const auto exact = test::plan("checkmate", towers.of, budget);
            QVERIFY2(exact.has_value(), test::sentenceOf(exact).c_str());
            QVERIFY(exact->status == SolveStatus::Optimal || exact->status == SolveStatus::Infeasible);
            const double least = exact->plan ? exact->plan->predicted.timeUs : std::numeric_limits<double>::infinity();
            QVERIFY2(ours >= least - 1e-6 && ours <= theirs + 1e-6, qPrintable(QString::number(percent)));
            better += ours < theirs - 1e-6 ? 1 : 0;
            found += std::isfinite(ours) && ours <= least + 1e-6 ? 1 : 0;
        }
        QVERIFY2(better > 2 && found > 2, qPrintable(QString("%1 better, %2 exact").arg(better).arg(found)));
    }

    void deepPlansOfSubgraphsFit_data()
    {
        QTest::addColumn<int>("depth");
        for (const int depth : {1, 2})
            QTest::addRow("%d levels", depth) << depth;
    }

    void deepPlansOfSubgraphsFit()
    {
        QFETCH(int, depth);
        const test::Case of(interleavedTowers(12));
        SolveContext context;
        context.threads = 2;
        int levels = 0;
        context.progress = [&](const SolveProgress &progress) {
            for (const ClusterProgress &row : progress.clusters)
                levels = std::max(levels, row.level);
        };
        for (const double percent : {55.0, 40.0}) {
            const auto planned = [&](const char *partitioner) {
                return test::plan("hiremate", of, of.percent(percent), context,
                                  {{"depth", std::to_string(depth)},
                                   {"partitioner", partitioner},
                                   {"block-min", "4"},
                                   {"block-max", "8"},
                                   {"levels", "8"},
                                   {"top", "ilp"},
                                   {"work", "10"}});
            };
            const Expected<SolveOutcome> ours = planned("sub-graphs"), theirs = planned("bottom-to-top");
            QVERIFY2(ours && ours->plan && theirs && theirs->plan, test::sentenceOf(ours).c_str());
            QVERIFY(ours->plan->predicted.peakBytes <= of.percent(percent));
            QVERIFY(ours->plan->predicted.timeUs <= theirs->plan->predicted.timeUs + 1e-6);
        }
        QCOMPARE(levels, depth);
    }
};

QTEST_GUILESS_MAIN(TestSubgraphs)
#include "tst_subgraphs.moc"
