// SPDX-License-Identifier: Apache-2.0
#include "core/plan/sequence_evaluator.h"
#include "solvers/chain/chain_table.h"
#include "solvers/chain/plan_chain.h"
#include "tests/solvers/deep_chain.h"
#include "tests/solvers/planner_checks.h"
#include "tests/solvers/varied_chains.h"
#include "tests/support/brute_force.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace remat;

namespace {

/// All persistent schedules of the stages first … last, each a list of holds.
std::vector<chain::ChainSchedule> allSchedules(const chain::ChainModel &model, int first, int last)
{
    const int at = last + 1 == model.size() ? kForwardPass : last;
    const int options = static_cast<int>(model.stages[static_cast<std::size_t>(first)].options.size());
    std::vector<chain::ChainSchedule> all;
    const auto both = [&](const std::vector<chain::ChainSchedule> &a, const std::vector<chain::ChainSchedule> &b,
                          const chain::StageHold &hold) {
        for (const chain::ChainSchedule &x : a)
            for (const chain::ChainSchedule &y : b) {
                chain::ChainSchedule joined = x;
                joined.holds.insert(joined.holds.end(), y.holds.begin(), y.holds.end());
                joined.holds.push_back(hold);
                for (std::size_t s = 0; s < joined.option.size(); ++s)
                    joined.option[s] = std::max(joined.option[s], y.option[s]);
                all.push_back(std::move(joined));
            }
    };
    chain::ChainSchedule empty;
    empty.option.assign(static_cast<std::size_t>(model.size()), -1);
    for (int k = 0; k < options; ++k) {
        chain::ChainSchedule alone = empty;
        alone.option[static_cast<std::size_t>(first)] = k;
        alone.holds.push_back({at, first, k});
        if (first == last) {
            all.push_back(alone);
            continue;
        }
        both(allSchedules(model, first + 1, last), {alone}, {at, first + 1, -1});
    }
    for (int j = first + 1; j <= last; ++j)
        both(allSchedules(model, j, last), allSchedules(model, first, j - 1), {at, j, -1});
    return all;
}

bool neverStop()
{
    return false;
}

} // namespace

class TestRotor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsTheBestPersistentSchedule_data()
    {
        QTest::addColumn<int>("stages");
        for (const int stages : {2, 3, 4, 5, 6})
            QTest::addRow("%d stages", stages) << stages;
    }

    void findsTheBestPersistentSchedule()
    {
        QFETCH(const int, stages);
        int plans = 0;
        const std::uint64_t seeds = stages < 6 ? 20 : 4;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            const test::Case of(test::variedChain(stages, seed));
            const FlatGraph flat = flatten(of.graph, of.costs);
            const chain::StageChain line =
                chain::makeStageChain(flat, chain::stagesOf(flat, chain::articulationPoints(flat)), of.keepAllPeakBytes,
                                      chain::plainSource());
            SequenceEvaluator evaluator(of.graph, of.costs);
            std::vector<SequenceCost> costs;
            for (const chain::ChainSchedule &schedule : allSchedules(line.model, 0, line.model.size() - 1))
                costs.push_back(evaluator(toSequence(flat, translate(flat, chain::choiceOf(flat, line, schedule)))));
            for (const int share : {95, 85, 75, 65, 55, 45}) {
                double least = test::kInfinity;
                for (const SequenceCost &cost : costs)
                    if (cost.peakBytes <= of.percent(share)) least = std::min(least, cost.timeUs);
                const auto outcome =
                    test::plan("rotor", of, of.percent(share), {}, {{"points", "articulation"}, {"slots", "2000"}});
                QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
                const double found = outcome->plan ? outcome->plan->predicted.timeUs : test::kInfinity;
                if (outcome->plan) ++plans;
                QVERIFY2(
                    std::abs(found - least) < 1e-9 || found == least,
                    qPrintable(QString("seed %1 at %2 %: %3, least %4").arg(seed).arg(share).arg(found).arg(least)));
            }
        }
        QVERIFY(plans > 10);
    }

    void neverBeatsBruteForce()
    {
        int plans = 0, optimal = 0;
        for (std::uint64_t seed = 1; seed <= 15; ++seed) {
            test::ChainParams params;
            params.seed = seed;
            const test::Case of(test::chainGraph(6, params));
            for (const int share : {90, 70, 50}) {
                const std::optional<double> best = test::bruteForceOptimum(of.graph, of.costs, of.percent(share));
                const auto outcome = test::plan("rotor", of, of.percent(share));
                QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
                if (!outcome->plan) continue;
                ++plans;
                QVERIFY(best && outcome->plan->predicted.timeUs >= *best - 1e-9);
                if (outcome->plan->predicted.timeUs <= *best + 1e-9) ++optimal;
            }
        }
        QVERIFY2(plans > 25 && 2 * optimal > plans, qPrintable(QString("%1 of %2 optimal").arg(optimal).arg(plans)));
    }

    void moreMemoryIsNeverSlowerInTheTable()
    {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const test::Case of(test::variedChain(8, seed));
            const FlatGraph flat = flatten(of.graph, of.costs);
            const chain::StageChain line =
                chain::makeStageChain(flat, chain::stagesOf(flat, chain::articulationPoints(flat)), of.keepAllPeakBytes,
                                      chain::plainSource());
            const chain::ChainTable table(line.model, {2 * of.keepAllPeakBytes, 300, true}, neverStop);
            for (int m = 1; m <= table.memorySlots(); ++m)
                QVERIFY(table.extraUs(m) <= table.extraUs(m - 1));
            QCOMPARE(table.extraUs(table.memorySlots()), 0.0);
        }
    }

    void theModelIsAnUpperBoundOfThePlan()
    {
        // With one slot a byte, the plan of a schedule stays within the memory that the table gives it, and takes no
        // longer than the table says.
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const test::Case of(test::variedChain(7, seed));
            const FlatGraph flat = flatten(of.graph, of.costs);
            const chain::StageChain line =
                chain::makeStageChain(flat, chain::stagesOf(flat, chain::articulationPoints(flat)), of.keepAllPeakBytes,
                                      chain::plainSource());
            const int bytes = static_cast<int>(of.keepAllPeakBytes);
            const chain::ChainTable table(line.model, {bytes, bytes, true}, neverStop);
            SequenceEvaluator evaluator(of.graph, of.costs);
            for (int m = 0; m <= table.memorySlots(); m += 5) {
                if (table.extraUs(m) == test::kInfinity) continue;
                const SequenceCost cost =
                    evaluator(toSequence(flat, translate(flat, chain::choiceOf(flat, line, table.schedule(m)))));
                QVERIFY2(cost.peakBytes <= m,
                         qPrintable(QString("seed %1: %2 > %3").arg(seed).arg(cost.peakBytes).arg(m)));
                QVERIFY(cost.timeUs <= of.keepAllTimeUs + table.extraUs(m) + 1e-9);
            }
        }
    }

    void aDeepChainIsCutAtAllItsPoints()
    {
        const test::Case of(test::deepChain());
        const std::vector<std::pair<double, double>> known = {{5, 20.34}, {3.5, 28.64}};
        for (const auto &[share, percent] : known) {
            const auto outcome = test::plan("rotor", of, of.percent(share));
            QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
            QCOMPARE(std::round(100 * test::overhead(of, *outcome)) / 100, percent);
        }
    }

    void whatTheTableLeavesOutIsNeverTheLeast()
    {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            using Input = chain::ChainTable::Input;
            const test::Case of(test::variedChain(7, seed));
            const FlatGraph flat = flatten(of.graph, of.costs);
            const chain::StageChain line = test::finestChain(of, flat);
            const chain::ChainTable table(line.model, {2 * of.keepAllPeakBytes, 200, true}, neverStop);
            for (int t = 0; t < line.model.size(); ++t)
                for (int s = 0; s <= t; ++s)
                    for (int m = 0; m <= table.memorySlots(); ++m) {
                        double least = test::kInfinity;
                        for (const chain::ChainTable::Term &term : table.terms(Input::Freed, s, t)) {
                            if (m < std::max(term.least, term.less)) continue;
                            const int next = term.checkpoint < 0 ? s + 1 : term.checkpoint;
                            double us = term.us;
                            if (s < t)
                                us += table.partUs(term.next, next, t, std::min(m - term.less, table.memorySlots()));
                            if (term.checkpoint >= 0) us += table.partUs(Input::Freed, s, next - 1, m);
                            least = std::min(least, us);
                        }
                        QCOMPARE(table.partUs(Input::Freed, s, t, m), least);
                    }
        }
    }

    void aChainOf400StagesTakesLessThanHalfOfTheSums()
    {
        test::ChainParams params;
        params.seed = 7;
        const test::Case of(test::chainGraph(400, params));
        const FlatGraph flat = flatten(of.graph, of.costs);
        const chain::StageChain line = test::finestChain(of, flat);
        const chain::ChainTable table(line.model, {of.percent(30), 200, true}, neverStop);
        const double stages = line.model.size();
        QVERIFY(stages >= 400);
        const double all = stages * stages * stages / 6 * table.memorySlots();
        QVERIFY2(static_cast<double>(table.sums()) < all / 2,
                 qPrintable(QString("%1 of %2 sums").arg(table.sums()).arg(all)));
    }

    void aScheduleThatIsNotPersistentCanBeFaster()
    {
        int plans = 0, optimal = 0;
        double worst = 1, worstByBound = 1;
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            test::ChainParams params;
            params.seed = seed;
            const test::Case of(test::chainGraph(6, params));
            for (const int share : {75, 65, 55}) {
                const std::optional<double> best = test::bruteForceOptimum(of.graph, of.costs, of.percent(share));
                const auto outcome = test::plan("rotor", of, of.percent(share), {}, {{"slots", "2000"}});
                QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
                if (!outcome->plan) continue;
                ++plans;
                const double us = outcome->plan->predicted.timeUs;
                QVERIFY(best && outcome->boundTimeUs <= *best + 1e-9);
                if (us <= *best + 1e-9) ++optimal;
                if (us / *best <= worst) continue;
                worst = us / *best;
                worstByBound = us / outcome->boundTimeUs;
            }
        }
        QCOMPARE(plans, 101);
        QCOMPARE(optimal, 90);
        QVERIFY(worst > 1.13 && worst < 1.14);
        QVERIFY(worstByBound > 1.18 && worstByBound < 1.19);
    }

    void noPersistentScheduleIsBetterThere()
    {
        test::ChainParams params;
        params.seed = 28;
        const test::Case of(test::chainGraph(6, params));
        const FlatGraph flat = flatten(of.graph, of.costs);
        const chain::StageChain line = test::finestChain(of, flat);
        SequenceEvaluator evaluator(of.graph, of.costs);
        double least = test::kInfinity;
        for (const chain::ChainSchedule &schedule : allSchedules(line.model, 0, line.model.size() - 1)) {
            const SequenceCost cost =
                evaluator(toSequence(flat, translate(flat, chain::choiceOf(flat, line, schedule))));
            if (cost.peakBytes <= of.percent(55)) least = std::min(least, cost.timeUs);
        }
        QCOMPARE(least, 52.0);
        QCOMPARE(test::bruteForceOptimum(of.graph, of.costs, of.percent(55)), std::optional<double>(46));
    }

    void aSkipIsPartOfEveryInputItCrossesAndCountedOnce()
    {
        test::GraphBuilder builder;
        const StorageId x = builder.resident(8);
        const OpId a = builder.op({x}, {{100}}), b = builder.op({builder.output(a)}, {{10}});
        const OpId c = builder.op({builder.output(b)}, {{20}});
        const OpId d = builder.op({builder.output(c), builder.output(a)}, {{1, StorageKind::Activation, true}});
        builder.op({builder.output(d)}, {{5, StorageKind::Gradient, true}}, 1, Phase::Backward);
        const test::Case of(builder.finish());
        const FlatGraph flat = flatten(of.graph, of.costs);
        const chain::StageChain line =
            chain::makeStageChain(flat, {0, 1, 2, 3, 3}, of.keepAllPeakBytes, chain::plainSource());
        QCOMPARE(line.model.inputBytes[0][1], std::int64_t(100));
        QCOMPARE(line.model.inputBytes[0][2], std::int64_t(110));
        QCOMPARE(line.model.inputBytes[1][2], std::int64_t(10));
        QCOMPARE(line.model.inputBytes[2][3], std::int64_t(20));
        QCOMPARE(line.inputs[3], (std::vector<int>{builder.output(a).value, builder.output(c).value}));
    }

    void saysWhyAGraphIsNoChain()
    {
        // One op that makes anything: there is no place for a border.
        test::GraphBuilder builder;
        const OpId loss = builder.op({builder.resident(8)}, {{50, StorageKind::Activation, true}}, 1, Phase::Loss);
        builder.op({builder.output(loss)}, {{9, StorageKind::Gradient, true}}, 1, Phase::Backward);
        const test::Case of(builder.finish());
        for (const char *planner : {"rotor", "revolve", "rk-rotor", "rk-checkmate", "rockmate", "chen-greedy"}) {
            const auto outcome = test::plan(planner, of, of.keepAllPeakBytes, {}, {{"points", "articulation"}});
            QVERIFY2(!outcome, planner);
            QVERIFY2(outcome.error().message.starts_with("Not a chain after merging"), outcome.error().message.c_str());
        }
    }

    void namesWhatSkipsOverTheStages()
    {
        // The first result is read by every later op: beside it nothing is passed by everything.
        test::GraphBuilder builder;
        const StorageId first =
            builder.output(builder.op({builder.resident(8)}, {{50, StorageKind::Activation, false, "skip"}}));
        StorageId current = first;
        for (int i = 0; i < 6; ++i)
            current = builder.output(builder.op({current, first}, {{50}}));
        const OpId loss = builder.op({current, first}, {{1, StorageKind::Activation, true}}, 1, Phase::Loss);
        builder.op({builder.output(loss), first}, {{9, StorageKind::Gradient, true}}, 1, Phase::Backward);
        const test::Case of(builder.finish());
        const FlatGraph flat = flatten(of.graph, of.costs);
        QCOMPARE(chain::articulationPoints(flat), std::vector<int>{0});
        const std::string sentence = chain::notAChain(flat, "linearised").value().message;
        QVERIFY2(sentence.find("; skip, for one, is read again") != std::string::npos, sentence.c_str());
        QVERIFY2(sentence.find("Set points to linearised") != std::string::npos, sentence.c_str());
    }

    void neverOverBudgetOnRandomTrainingGraphs() { test::neverOverBudget("rotor", 60); }

    void stopsAtOnce()
    {
        const test::Case of(test::layeredGraph(12));
        StopToken stop;
        stop.requestStop();
        SolveContext context;
        context.stop = &stop;
        const auto outcome = test::plan("rotor", of, of.percent(50), context);
        QVERIFY(outcome.has_value());
        QCOMPARE(outcome->status, SolveStatus::Stopped);
        QVERIFY(!outcome->plan);
    }

    void samplesAtEveryBudget_data() { test::textRows("name", test::kTinySamples); }

    void samplesAtEveryBudget()
    {
        QFETCH(const QString, name);
        const auto of = test::sampleCase(name.toStdString());
        if (!of) QFAIL(of.error().message.c_str());
        double last = 0;
        for (int share = 90; share >= 20; share -= 10) {
            const auto outcome = test::plan("rotor", *of, of->percent(share));
            QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
            if (share >= 50) QVERIFY2(outcome->plan.has_value(), outcome->message.c_str());
            if (!outcome->plan) break;
            QVERIFY(outcome->plan->predicted.timeUs >= last - 1e-6);
            last = outcome->plan->predicted.timeUs;
        }
    }
};

QTEST_GUILESS_MAIN(TestRotor)
#include "tst_rotor.moc"
