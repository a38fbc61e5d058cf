// SPDX-License-Identifier: Apache-2.0
#include "tests/solvers/deep_chain.h"
#include "tests/solvers/solving.h"
#include "tests/support/patience.h"
#include "tests/support/sampled.h"

#include <QtTest>

#include <map>

using namespace remat;

namespace {

/// Rounds of further solves have a test of their own.
const std::map<std::string, std::string> kOnce = {{"rounds", "0"}};

} // namespace

/// hiremate on whole training graphs.
class TestHiremate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void neverOverBudget()
    {
        int plans = 0;
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 50 + 20 * static_cast<int>(seed);
            params.computeOnce = seed % 3 == 0 ? 8 : 0;
            const test::Case of(test::randomGraph(seed, params));
            for (const double share : {90.0, 70.0, 50.0}) {
                const auto outcome = test::plan("hiremate", of, of.percent(share), test::within(1), kOnce);
                QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
                if (!outcome->plan) continue;
                ++plans;
                QVERIFY(outcome->plan->predicted.peakBytes <= of.percent(share));
                QVERIFY(outcome->plan->predicted.timeUs >= outcome->boundTimeUs - 1e-6);
            }
        }
        QVERIFY(plans > 6);
    }

    void samplesAreNearTheBoundAndBetterThanRoots_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("share");
        QTest::addColumn<double>("atMost"); ///< points of overhead over the proven bound
        std::size_t row = 0;
        const auto add = [&](const char *title, const char *name, double share, double most) {
            if (test::isSampled(row++, 3)) QTest::newRow(title) << QString(name) << share << most;
        };
        add("GPT-2 at 50 %", "gpt2", 50, 0.3);
        add("GPT-2 at 80 %", "gpt2", 80, 0.1);
        add("ResNet-50 at 40 %", "resnet50", 40, 0.3);
        add("U-Net at 60 %", "unet", 60, 0.4);
        add("U-Net at 40 %", "unet", 40, 2.5);
        add("Transformer at 50 %", "transformer", 50, 0.4);
    }

    void samplesAreNearTheBoundAndBetterThanRoots()
    {
        QFETCH(const QString, name);
        QFETCH(const double, share);
        QFETCH(const double, atMost);
        const auto of = test::sampleCase(name.toStdString());
        if (!of) QFAIL(of.error().message.c_str());
        const auto outcome = test::plan("hiremate", *of, of->percent(share), test::within(60), kOnce);
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        const double bound = 100 * (outcome->boundTimeUs / of->keepAllTimeUs - 1);
        const double reached = test::overhead(*of, *outcome);
        QVERIFY2(reached - bound <= atMost, qPrintable(QString("%1 %, bound %2 %").arg(reached).arg(bound)));

        const auto root = test::plan("chen-sqrt", *of, of->percent(share));
        if (!root || !root->plan) return;
        const auto same = test::plan("hiremate", *of, root->plan->predicted.peakBytes, test::within(60), kOnce);
        QVERIFY2(same && same->plan, test::sentenceOf(same).c_str());
        QVERIFY(test::overhead(*of, *same) < test::overhead(*of, *root));
    }

    void samplesAtSixtyPercentAreWithinATenthOfTheBound_data()
    {
        QTest::addColumn<QString>("name");
        std::size_t row = 0;
        for (const char *name : {"gpt2", "resnet50", "unet", "transformer"})
            if (test::isSampled(row++, 2)) QTest::newRow(name) << QString(name);
    }

    void samplesAtSixtyPercentAreWithinATenthOfTheBound()
    {
        QFETCH(const QString, name);
        const auto of = test::sampleCase(name.toStdString());
        if (!of) QFAIL(of.error().message.c_str());
        const auto outcome = test::plan("hiremate", *of, of->percent(60), test::within(30), kOnce);
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        const double added = outcome->plan->predicted.timeUs - of->keepAllTimeUs;
        const double least = outcome->boundTimeUs - of->keepAllTimeUs;
        QVERIFY2(added <= 1.1 * least, qPrintable(QString("%1 µs, bound %2 µs").arg(added).arg(least)));
    }

    void moreIdenticalLayersAreNoMoreBlocksToSolve()
    {
        std::map<int, int> solved;
        for (const int layers : {12, 48}) {
            const test::Case of(test::layeredGraph(layers));
            SolveContext context = test::within(30);
            context.progress = [&](const SolveProgress &progress) {
                solved[layers] = std::max(solved[layers], progress.clustersTotal);
            };
            const auto outcome = test::plan("hiremate", of, of.percent(60), context, kOnce);
            QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        }
        QVERIFY(solved[12] > 0);
        QCOMPARE(solved[48], solved[12]);
    }

    void gpt2AtHalfOfThePeakIsUnderTwelveAndAHalfPercent()
    {
        const auto of = test::sampleCase("gpt2_squared");
        if (!of) QFAIL(of.error().message.c_str());
        const auto outcome = test::plan("hiremate", *of, of->percent(50), test::within(60), kOnce);
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        QVERIFY2(test::overhead(*of, *outcome) < 12.5, qPrintable(QString::number(test::overhead(*of, *outcome))));
    }

    void keepsTheTimeLimit_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::newRow("a moment") << 0.05;
        QTest::newRow("half a second") << 0.5;
        QTest::newRow("two seconds") << 2.0;
    }

    void keepsTheTimeLimit()
    {
        QFETCH(const double, seconds);
        const test::Case of(test::layeredGraph(40));
        QElapsedTimer timer;
        timer.start();
        const auto outcome = test::plan("hiremate", of, of.percent(55), test::within(seconds),
                                        {{"gap", "0"}, {"levels", "400"}, {"options-per-cluster", "400"}});
        const double took = static_cast<double>(timer.elapsed()) / 1000;
        QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
        QVERIFY2(took < seconds + test::kPatienceSeconds, qPrintable(QString::number(took)));
        if (outcome->plan)
            QVERIFY(outcome->plan->predicted.peakBytes <= of.percent(55));
        else
            QVERIFY(outcome->status == SolveStatus::Stopped && !outcome->message.empty());
        if (seconds > 1) QVERIFY(outcome->plan.has_value());
    }

    void stopsWithTheBestPlanSoFar()
    {
        const test::Case of(test::layeredGraph(20));
        StopToken stop;
        SolveContext context;
        context.stop = &stop;
        context.threads = 2;
        double best = -1;
        context.progress = [&](const SolveProgress &progress) {
            if (!progress.incumbent) return;
            best = progress.incumbent->predicted.timeUs;
            stop.requestStop();
        };
        QElapsedTimer timer;
        timer.start();
        const auto outcome = test::plan("hiremate", of, of.percent(55), context, {{"gap", "0"}, {"levels", "400"}});
        QVERIFY2(timer.elapsed() < test::kPatienceMs, qPrintable(QString::number(timer.elapsed())));
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        QVERIFY(best > 0 && outcome->plan->predicted.timeUs <= best + 1e-9);
        QCOMPARE(outcome->status, SolveStatus::Stopped);
    }

    void theSamePlanWithAnyNumberOfThreads()
    {
        const auto of = test::sampleCase("tiny_unet");
        if (!of) QFAIL(of.error().message.c_str());
        std::vector<std::vector<Step>> plans;
        for (const int threads : {1, 2, 4, 1}) {
            SolveContext context;
            context.threads = threads;
            context.seed = 3;
            const auto outcome = test::plan("hiremate", *of, of->percent(60), context);
            QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
            plans.push_back(outcome->plan->steps);
        }
        for (const std::vector<Step> &steps : plans)
            QVERIFY(steps == plans.front());
    }

    void startsFromTheGivenPlan()
    {
        const auto of = test::sampleCase("tiny_gpt2");
        if (!of) QFAIL(of.error().message.c_str());
        const auto first = test::plan("hiremate", *of, of->percent(50), test::within(30), kOnce);
        QVERIFY2(first && first->plan, test::sentenceOf(first).c_str());
        // With no time for anything else the given plan must come back; one over the budget must not.
        const auto start = std::make_shared<Plan>(*first->plan);
        const auto again = test::plan("hiremate", *of, of->percent(50), test::within(30),
                                      {{"levels", "2"}, {"gap", "50"}, {"rounds", "0"}}, start);
        QVERIFY(again->plan->predicted.timeUs <= first->plan->predicted.timeUs + 1e-9);
        const auto lower = test::plan("hiremate", *of, of->percent(40), test::within(30), kOnce, start);
        QVERIFY(!lower->plan || lower->plan->predicted.peakBytes <= of->percent(40));
    }

    /// Budgets at which a chain is run forward many times over, which programs over blocks do not do well.
    void aDeepChainIsNoWorseThanByDynamicPrograms_data()
    {
        QTest::addColumn<double>("share");
        std::size_t row = 0;
        for (const double share : {20.0, 8.0, 5.0, 3.5})
            if (test::isSampled(row++, 4)) QTest::addRow("%.1f %%", share) << share;
    }

    void aDeepChainIsNoWorseThanByDynamicPrograms()
    {
        QFETCH(double, share);
        const test::Case of(test::deepChain());
        SolveContext context;
        context.threads = 2;
        // A limit that is the same on every machine.
        const auto own = test::plan("hiremate", of, of.percent(share), context, {{"work", "20"}, {"levels", "12"}});
        QVERIFY2(own && own->plan, test::sentenceOf(own).c_str());
        for (const char *name : {"rotor", "rk-rotor", "rockmate"}) {
            const auto other = test::plan(name, of, of.percent(share), context);
            QVERIFY2(other && other->plan, test::sentenceOf(other).c_str());
            QVERIFY2(own->plan->predicted.timeUs <= other->plan->predicted.timeUs + 1e-6, name);
        }
    }

    void tellsHowItGoes()
    {
        const auto of = test::sampleCase("tiny_transformer");
        if (!of) QFAIL(of.error().message.c_str());
        QStringList stages;
        int incumbents = 0;
        SolveProgress last;
        SolveContext context = test::within(30);
        context.progress = [&](const SolveProgress &progress) {
            const QString stage = QString::fromStdString(progress.activity);
            if (stages.isEmpty() || stages.back() != stage) stages.append(stage);
            incumbents += progress.incumbent ? 1 : 0;
            last = progress;
        };
        QVERIFY(test::plan("hiremate", *of, of->percent(60), context, kOnce)->plan.has_value());
        for (const char *stage : {"Blocks", "Options of clusters", "Top chain"})
            QVERIFY2(stages.contains(stage), stage);
        QVERIFY(incumbents > 0);
        QCOMPARE(last.clustersDone, last.clustersTotal);
        QVERIFY(last.clustersTotal > 0);
        for (const ClusterProgress &cluster : last.clusters)
            QVERIFY(cluster.done && cluster.options > 0 && cluster.uses > 0 && !cluster.name.empty());
        QVERIFY(last.incumbentTimeUs > 0);
    }

    void saysTheSmallestPeakWhenNothingFits()
    {
        // A chain whose gradients are all outputs: they are held at the end whatever is recomputed.
        test::GraphBuilder builder;
        std::vector<OpId> forward;
        for (int i = 0; i < 50; ++i) {
            const std::vector<StorageId> inputs = i == 0 ? std::vector<StorageId>{builder.resident(4)}
                                                         : std::vector<StorageId>{builder.output(forward[i - 1])};
            forward.push_back(builder.op(inputs, {{.bytes = 100}}));
        }
        StorageId gradient = builder.output(forward.back());
        for (int i = 50; i-- > 0;) {
            const OpId op = builder.op({gradient, builder.output(forward[i])},
                                       {{.bytes = 100, .kind = StorageKind::Gradient},
                                        {.bytes = 100, .kind = StorageKind::ParameterGradient, .isOutput = true}},
                                       1, Phase::Backward);
            gradient = builder.output(op);
        }
        const test::Case of(builder.finish());
        const auto outcome = test::plan("hiremate", of, 50 * 100 + 150, test::within(60), kOnce);
        QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
        QVERIFY(!outcome->plan);
        QCOMPARE(outcome->status, SolveStatus::Infeasible);
        QVERIFY(outcome->smallestPeakBytes > 50 * 100 + 150);
        QVERIFY2(outcome->message.find("the smallest peak reached is") != std::string::npos ||
                     outcome->message.starts_with("No plan fits"),
                 outcome->message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestHiremate)
#include "tst_hiremate.moc"
