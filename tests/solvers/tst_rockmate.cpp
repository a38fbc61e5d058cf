#include "core/base/expected.h"
#include "solvers/chain/stage_chain.h"
#include "solvers/rockmate/priced_options.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/patience.h"

#include <QTest>

#include <algorithm>
#include <chrono>

using namespace remat;

class TestRockmate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noWorseThanItsHalves_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"tiny_gpt2", "tiny_resnet", "tiny_unet", "tiny_transformer"})
            QTest::newRow(name) << QString(name);
    }

    void noWorseThanItsHalves()
    {
        QFETCH(const QString, name);
        const Expected<test::Case> of = test::sampleCase(name.toStdString());
        if (!of) QFAIL(of.error().message.c_str());
        for (const double share : {80.0, 60.0, 50.0}) {
            const Expected<SolveOutcome> both = test::plan("rockmate", *of, of->percent(share));
            QVERIFY2(both && both->plan, both ? both->message.c_str() : both.error().message.c_str());
            const double us = both->plan->predicted.timeUs + 1e-6;
            const Expected<SolveOutcome> one =
                test::plan("rk-rotor", *of, of->percent(share), {}, {{"options-per-block", "1"}});
            QVERIFY(one && (!one->plan || us <= one->plan->predicted.timeUs + 1e-6));
            const Expected<SolveOutcome> blocks = test::plan("rk-checkmate", *of, of->percent(share));
            QVERIFY(blocks && (!blocks->plan || us <= blocks->plan->predicted.timeUs + 1e-6));
        }
    }

    void neverBeatsBruteForce()
    {
        int plans = 0;
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            test::ChainParams params;
            params.seed = seed;
            const test::Case of(test::chainGraph(5, params));
            for (const int share : {90, 70, 55}) {
                const std::optional<double> best = test::bruteForceOptimum(of.graph, of.costs, of.percent(share));
                for (const char *planner : {"rockmate", "rk-rotor", "rk-checkmate"}) {
                    const Expected<SolveOutcome> outcome = test::plan(planner, of, of.percent(share));
                    QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
                    if (!outcome->plan) continue;
                    ++plans;
                    QVERIFY(best && outcome->plan->predicted.timeUs >= *best - 1e-9);
                }
            }
        }
        QVERIFY(plans > 40);
    }

    void neverOverBudgetOnRandomTrainingGraphs()
    {
        int plans = 0;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 20 + 2 * static_cast<int>(seed);
            params.computeOnce = seed % 3 == 0 ? 10 : 0;
            const test::Case of(test::randomGraph(seed, params));
            for (const double share : {95.0, 75.0, 60.0})
                for (const char *planner : {"rockmate", "rk-rotor", "rk-checkmate"}) {
                    const Expected<SolveOutcome> outcome = test::plan(planner, of, of.percent(share));
                    QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
                    if (!outcome->plan) continue;
                    ++plans;
                    QVERIFY(outcome->plan->predicted.peakBytes <= of.percent(share));
                }
        }
        QVERIFY(plans > 60);
    }

    void identicalBlocksAreSolvedOnce()
    {
        const test::Case of(test::layeredGraph(8));
        SolveContext context;
        int saved = 0; // blocks that another one's solve served, at most
        context.progress = [&](const SolveProgress &progress) {
            int uses = 0;
            for (const ClusterProgress &row : progress.clusters)
                uses += row.uses;
            saved = std::max(saved, uses - static_cast<int>(progress.clusters.size()));
        };
        const Expected<SolveOutcome> outcome =
            test::plan("rockmate", of, of.percent(60), context, {{"points", "linearised"}, {"stages", "32"}});
        QVERIFY(outcome && outcome->plan);
        QVERIFY2(saved >= 7, qPrintable(QString::number(saved)));
    }

    void theSamePlanForAnyNumberOfThreads()
    {
        const test::Case of(test::layeredGraph(4));
        std::vector<Step> steps;
        for (const int threads : {1, 3}) {
            SolveContext context;
            context.threads = threads;
            const Expected<SolveOutcome> outcome = test::plan("rockmate", of, of.percent(60), context);
            QVERIFY(outcome && outcome->plan);
            if (steps.empty()) steps = outcome->plan->steps;
            QVERIFY(steps == outcome->plan->steps);
        }
    }

    void pricedOptionsGoFromEverythingToNothing()
    {
        const test::Case of(test::layeredGraph(2));
        const FlatGraph flat = flatten(of.graph, of.costs);
        const hiremate::Chain chain =
            hiremate::makeStages(flat, hiremate::partitionLabels(flat, {10, 20}), of.keepAllPeakBytes);
        for (const hiremate::Block &block : chain.blocks) {
            const std::vector<hiremate::Option> options = rockmate::pricedOptions(chain, block, 20);
            QVERIFY(!options.empty() && options.size() <= 20);
            QCOMPARE(options.front().extraUs, 0.0);
            QVERIFY(std::all_of(options.begin(), options.end(), [&](const hiremate::Option &option) {
                return option.keptBytes <= options.front().keptBytes;
            }));
            QCOMPARE(rockmate::pricedOptions(chain, block, 1).size(), chain::plainOptions(chain, block).size());
            // A block whose schedules are too many to be kept: the ends stay, and what lies between is as good.
            const std::vector<hiremate::Option> thinned = rockmate::pricedOptions(chain, block, 20, {}, 50);
            QVERIFY(!thinned.empty() && thinned.size() <= 20);
            QCOMPARE(thinned.front().keptBytes, options.front().keptBytes);
            QCOMPARE(thinned.back().keptBytes, options.back().keptBytes);
            QCOMPARE(thinned.back().extraUs, options.back().extraUs);
        }
    }

    void keepsTheDeadline()
    {
        const Expected<test::Case> of = test::sampleCase("unet");
        if (!of) QFAIL(of.error().message.c_str());
        SolveContext context;
        context.deadline = Deadline(0.5);
        const auto start = std::chrono::steady_clock::now();
        const Expected<SolveOutcome> outcome = test::plan("rockmate", *of, of->percent(60), context);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        QVERIFY(outcome.has_value());
        QVERIFY2(seconds < 0.5 + test::kPatienceSeconds, qPrintable(QString::number(seconds)));
    }
};

QTEST_GUILESS_MAIN(TestRockmate)
#include "tst_rockmate.moc"
