// SPDX-License-Identifier: Apache-2.0
#include "solvers/blocks/closure.h"
#include "solvers/hiremate/compose.h"
#include "solvers/hiremate/joined_blocks.h"
#include "solvers/hiremate/partition/partition.h"
#include "solvers/hiremate/plan_options.h"
#include "solvers/hiremate/rounds.h"
#include "solvers/hiremate/top/top_model.h"
#include "tests/solvers/solving.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <set>

using namespace remat;
using namespace remat::hiremate;

namespace {

/// A sample cut into blocks, with options of each.
struct RoundsCut {
    explicit RoundsCut(const test::Case &of)
        : flat(flatten(of.graph, of.costs)),
          chain(makeChain(flat, partitionLabels(flat, Partitioner::Repetitive, {6, 12}), of.keepAllPeakBytes))
    {
        ClosureSettings few;
        few.levels = 8;
        for (const Block &block : chain.blocks)
            options.push_back(closureOptions(flat, chain, block, few, {}));
        for (const std::vector<Option> &own : options)
            pointers.push_back(&own);
    }

    /// A plan of one option in each block, any.
    std::vector<Recompute> anyPlan(std::mt19937 &random) const
    {
        TopChoice choice;
        for (const std::vector<Option> &own : options)
            choice.option.push_back(static_cast<int>(random() % own.size()));
        return compose(flat, chain, choicesOf(flat, chain, pointers), choice);
    }

    FlatGraph flat;
    Chain chain;
    std::vector<std::vector<Option>> options;
    std::vector<const std::vector<Option> *> pointers;
};

/// The plan of these options, one for each block.
std::vector<Recompute> planOf(const RoundsCut &cut, const std::vector<std::vector<Option>> &options)
{
    std::vector<const std::vector<Option> *> pointers;
    for (const std::vector<Option> &own : options)
        pointers.push_back(&own);
    TopChoice first;
    first.option.assign(options.size(), 0);
    return compose(cut.flat, cut.chain, choicesOf(cut.flat, cut.chain, pointers), first);
}

} // namespace

/// What hiremate tries after its first solve.
class TestHiremateRounds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRoundIsEveryCutWithTwiceTheOptions()
    {
        PipelineOptions asked;
        asked.partitioner = Partitioner::ModuleTree;
        const std::size_t ways = partitionerNames().size() * 3;
        QCOMPARE(variations(asked, 1).size(), ways - 1);
        for (int round = 2; round < 6; ++round) {
            const std::vector<Variation> tried = variations(asked, round);
            QCOMPARE(tried.size(), ways);
            QCOMPARE(tried.front().options.partitioner, asked.partitioner);
            QCOMPARE(tried.front().options.blockMax, asked.blockMax);
            std::set<std::string> names;
            for (const Variation &each : tried) {
                names.insert(each.name);
                QCOMPARE(each.options.levels, std::min(asked.levels << (round - 1), 400));
                QCOMPARE(each.options.optionsPerBlock, std::min(asked.optionsPerBlock << (round - 1), 400));
            }
            QCOMPARE(names.size(), ways);
        }
    }

    /// A plan made of options of blocks comes apart into options that make the same plan.
    void aPlanIsOptionsOfItsBlocks()
    {
        const auto of = test::sampleCase("tiny_unet");
        if (!of) QFAIL(of.error().message.c_str());
        const RoundsCut cut(*of);
        QVERIFY(cut.chain.blocks.size() > 3);
        std::mt19937 random(7);
        std::size_t computedAgain = 0;
        for (int n = 0; n < 20; ++n) {
            const std::vector<Recompute> plan = cut.anyPlan(random);
            const PlanOptions parts(cut.flat, cut.chain, plan);
            std::vector<std::vector<Option>> options;
            for (const Block &block : cut.chain.blocks)
                options.push_back({parts.ofBlock(block)});
            QVERIFY(planOf(cut, options) == plan);
            computedAgain += plan.size();
        }
        QVERIFY(computedAgain > 20);
    }

    /// What is found in place for one block fits there, exactly, and is no slower; somewhere it is faster.
    void optionsInPlaceFitBetweenTheOthers()
    {
        const auto of = test::sampleCase("tiny_unet");
        if (!of) QFAIL(of.error().message.c_str());
        const RoundsCut cut(*of);
        SequenceEvaluator evaluator(of->graph, of->costs);
        std::mt19937 random(11);
        int faster = 0;
        for (int n = 0; n < 3; ++n) {
            const std::vector<Recompute> plan = cut.anyPlan(random);
            const SequenceCost before = replay(cut.flat, evaluator, plan);
            const PlanOptions parts(cut.flat, cut.chain, plan);
            std::vector<std::vector<Option>> own;
            for (const Block &block : cut.chain.blocks)
                own.push_back({parts.ofBlock(block)});
            for (const Block &block : cut.chain.blocks) {
                const SequenceCost anew =
                    replay(cut.flat, evaluator, parts.planAnew(block, before.peakBytes, 0, [] { return false; }));
                QVERIFY(anew.peakBytes <= before.peakBytes && anew.timeUs <= before.timeUs + 1e-6);
            }
            for (std::size_t k = 0; k < own.size(); ++k)
                for (const Option &option :
                     parts.inPlace(cut.chain.blocks[k], before.peakBytes, 0, [] { return false; })) {
                    std::vector<std::vector<Option>> one = own;
                    one[k] = {option};
                    const SequenceCost after = replay(cut.flat, evaluator, planOf(cut, one));
                    QVERIFY(after.peakBytes <= before.peakBytes);
                    QVERIFY(after.timeUs <= before.timeUs + 1e-6);
                    faster += after.timeUs < before.timeUs - 1e-6 ? 1 : 0;
                }
        }
        QVERIFY(faster > 0);
    }

    /// The same taken off in every part is a smaller budget; in one part it is rows of that part alone that change.
    void whatIsSetAsideIsTakenOffThere()
    {
        const auto of = test::sampleCase("tiny_unet");
        if (!of) QFAIL(of.error().message.c_str());
        const RoundsCut cut(*of);
        const std::vector<BlockChoices> choices = choicesOf(cut.flat, cut.chain, cut.pointers);
        const std::int64_t budget = of->percent(60), aside = of->percent(5);
        const auto upper = [&](std::int64_t bytes, const std::vector<std::int64_t> &setAside) {
            TopSettings settings;
            settings.setAsideBytes = setAside;
            return buildTopModel(cut.flat, cut.chain, choices, bytes, settings)->model.rowUpper;
        };
        std::vector<std::int64_t> amounts(cut.chain.parts.size(), aside);
        const std::vector<double> all = upper(budget, amounts), less = upper(budget - aside, {});
        QCOMPARE(all.size(), less.size());
        for (std::size_t row = 0; row < all.size(); ++row)
            QVERIFY(all[row] == less[row] || std::abs(all[row] - less[row]) < 1e-6);
        std::fill(amounts.begin() + 1, amounts.end(), 0);
        QVERIFY(upper(budget, amounts) != all);
    }

    void roundsGiveBetterPlans()
    {
        const auto of = test::sampleCase("tiny_transformer");
        if (!of) QFAIL(of.error().message.c_str());
        std::vector<double> added;
        std::vector<std::vector<Step>> plans;
        for (const auto &[rounds, threads] : {std::pair("0", 2), {"1", 2}, {"1", 1}}) {
            bool tables = true, inRounds = false;
            SolveProgress last;
            SolveContext context;
            context.deadline = Deadline(600); // far more than the work counted for it takes
            context.threads = threads;
            context.progress = [&](const SolveProgress &progress) {
                const auto done = std::count_if(progress.clusters.begin(), progress.clusters.end(),
                                                [](const ClusterProgress &each) { return each.done; });
                tables = tables && progress.clustersDone == done &&
                         progress.clustersTotal == static_cast<int>(progress.clusters.size());
                inRounds = inRounds || progress.activity.starts_with("Round 1, ");
                last = progress;
            };
            const auto outcome = test::plan("hiremate", *of, of->percent(40), context,
                                            {{"rounds", rounds}, {"levels", "8"}, {"work", "5"}});
            QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
            added.push_back(outcome->plan->predicted.timeUs - of->keepAllTimeUs);
            plans.push_back(outcome->plan->steps);
            const bool once = rounds == std::string("0");
            QVERIFY(inRounds != once);
            QVERIFY2(outcome->message.ends_with("0.1 points of it.") != once, outcome->message.c_str());
            // The table that stays is that of a whole solve.
            QVERIFY(tables && last.clustersTotal > 0);
            QCOMPARE(last.clustersDone, last.clustersTotal);
            QVERIFY(std::any_of(last.clusters.begin(), last.clusters.end(),
                                [](const ClusterProgress &each) { return !each.chosen.empty(); }));
        }
        QVERIFY(added[1] < added[0] - 1e-6);
        QVERIFY(plans[1] == plans[2]);
    }

    /// Blocks that exchange the most come first, and all of them are the last set.
    void blocksThatSkipsJoinAreSets()
    {
        const auto of = test::sampleCase("tiny_unet");
        if (!of) QFAIL(of.error().message.c_str());
        const RoundsCut cut(*of);
        const int blocks = static_cast<int>(cut.chain.blocks.size());
        for (int size = 2; size <= blocks; ++size) {
            const std::vector<std::vector<int>> sets = joinedBlocks(cut.flat, cut.chain, size, 4);
            QVERIFY(!sets.empty() && sets.size() <= 4);
            for (const std::vector<int> &set : sets) {
                QCOMPARE(static_cast<int>(set.size()), size);
                QVERIFY(std::adjacent_find(set.begin(), set.end(), std::greater_equal<>()) == set.end());
                QVERIFY(set.front() >= 0 && set.back() < blocks);
            }
            QCOMPARE(std::set<std::vector<int>>(sets.begin(), sets.end()).size(), sets.size());
        }
        std::int64_t most = 0, ofFirst = 0;
        const std::vector<int> first = joinedBlocks(cut.flat, cut.chain, 2, 1).front();
        for (int a = 0; a < blocks; ++a)
            for (int b = a + 1; b < blocks; ++b) {
                std::int64_t bytes = 0;
                for (const int s : cut.chain.interfaces) {
                    const auto reads = [&](int block) {
                        return std::any_of(cut.flat.readers[s].begin(), cut.flat.readers[s].end(),
                                           [&](int op) { return cut.chain.blockOfOp[op] == block; });
                    };
                    const int maker = cut.chain.blockOfStorage[s];
                    if ((maker == a && reads(b)) || (maker == b && reads(a))) bytes += cut.flat.bytes[s];
                }
                most = std::max(most, bytes);
                if (first == std::vector<int>{a, b}) ofFirst = bytes;
            }
        QVERIFY(most > 0);
        QCOMPARE(ofFirst, most);
    }

    /// Blocks planned together give a better plan than any of options of each, the same on one thread and on two.
    void joinedBlocksArePlannedTogether()
    {
        const auto of = test::sampleCase("tiny_unet");
        if (!of) QFAIL(of.error().message.c_str());
        const RoundsCut cut(*of);
        SolveRequest request;
        request.graph = &of->graph;
        request.costs = &of->costs;
        std::mt19937 random(3);
        const std::vector<Recompute> plan = cut.anyPlan(random);
        SequenceEvaluator evaluator(of->graph, of->costs);
        const SequenceCost before = replay(cut.flat, evaluator, plan);
        request.budgetBytes = before.peakBytes;
        std::vector<std::vector<OpId>> plans;
        for (const int threads : {1, 2}) {
            SolveContext context;
            context.threads = threads;
            SolveState state(request, context, cut.flat, PipelineOptions());
            state.incumbent.offer(plan);
            planJoinedAnew(state, cut.chain);
            QVERIFY(state.incumbent.bestTimeUs() < before.timeUs - 1e-6);
            QVERIFY(state.iterationsDone > 0);
            plans.push_back(state.incumbent.best());
            QVERIFY(evaluator(plans.back()).peakBytes <= request.budgetBytes);
        }
        QVERIFY(plans[0] == plans[1]);
    }

    /// Far from the bound, with time left: only the rounds that are asked for end it.
    void aRoundWithoutGainIsNotTheLast()
    {
        const auto of = test::sampleCase("tiny_gpt2");
        if (!of) QFAIL(of.error().message.c_str());
        std::set<std::string> rounds;
        SolveContext context;
        context.deadline = Deadline(600);
        context.progress = [&](const SolveProgress &progress) {
            if (progress.activity.starts_with("Round ")) rounds.insert(progress.activity.substr(0, 7));
        };
        const auto outcome = test::plan(
            "hiremate", *of, of->percent(50), context,
            {{"leaf", "cheap"}, {"work", "1"}, {"options-per-cluster", "10"}, {"lite", "off"}, {"rounds", "2"}});
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        QVERIFY2(outcome->message.ends_with("until all rounds were done."), outcome->message.c_str());
        QCOMPARE(rounds.size(), std::size_t(2));
    }

    /// 5 % above the smallest peak that the search finds in some seconds: was "no plan".
    void smallBudgetsHaveAPlan()
    {
        const auto of = test::sampleCase("tiny_gpt2");
        if (!of) QFAIL(of.error().message.c_str());
        SolveContext context;
        context.threads = 2;
        const auto outcome =
            test::plan("hiremate", *of, 414489, context, {{"rounds", "0"}, {"levels", "4"}, {"work", "1"}});
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
    }

    void withoutATimeLimitThereIsOneSolve()
    {
        const auto of = test::sampleCase("tiny_unet");
        if (!of) QFAIL(of.error().message.c_str());
        const auto outcome = test::plan("hiremate", *of, of->percent(45), {}, {{"levels", "4"}, {"work", "1"}});
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        QVERIFY2(outcome->message.empty(), outcome->message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestHiremateRounds)
#include "tst_hiremate_rounds.moc"
