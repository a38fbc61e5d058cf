#include "solvers/hiremate/closure.h"
#include "solvers/hiremate/compose.h"
#include "solvers/hiremate/partition/partition.h"
#include "solvers/hiremate/plan_options.h"
#include "solvers/hiremate/rounds.h"
#include "solvers/hiremate/top_model.h"
#include "tests/solvers/solving.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

using namespace remat;
using namespace remat::hiremate;

namespace {

/// A sample cut into blocks, with options of each.
struct Cut {
    explicit Cut(const test::Case &of)
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
std::vector<Recompute> planOf(const Cut &cut, const std::vector<std::vector<Option>> &options)
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
        const Expected<test::Case> of = test::sampleCase("tiny_unet");
        if (!of) QFAIL(of.error().message.c_str());
        const Cut cut(*of);
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
        const Expected<test::Case> of = test::sampleCase("tiny_unet");
        if (!of) QFAIL(of.error().message.c_str());
        const Cut cut(*of);
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
        const Expected<test::Case> of = test::sampleCase("tiny_unet");
        if (!of) QFAIL(of.error().message.c_str());
        const Cut cut(*of);
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
        const Expected<test::Case> of = test::sampleCase("tiny_transformer");
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
            const Expected<SolveOutcome> outcome = test::plan("hiremate", *of, of->percent(40), context,
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

    void aRoundWithoutGainIsTheLast()
    {
        const Expected<test::Case> of = test::sampleCase("tiny_gpt2");
        if (!of) QFAIL(of.error().message.c_str());
        SolveContext context;
        context.deadline = Deadline(600);
        const Expected<SolveOutcome> outcome = test::plan(
            "hiremate", *of, of->percent(50), context, {{"levels", "4"}, {"work", "1"}, {"options-per-cluster", "10"}});
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        QVERIFY2(outcome->message.ends_with("until a whole round gave no better plan."), outcome->message.c_str());
    }

    void withoutATimeLimitThereIsOneSolve()
    {
        const Expected<test::Case> of = test::sampleCase("tiny_unet");
        if (!of) QFAIL(of.error().message.c_str());
        const Expected<SolveOutcome> outcome =
            test::plan("hiremate", *of, of->percent(45), {}, {{"levels", "4"}, {"work", "1"}});
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        QVERIFY2(outcome->message.empty(), outcome->message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestHiremateRounds)
#include "tst_hiremate_rounds.moc"
