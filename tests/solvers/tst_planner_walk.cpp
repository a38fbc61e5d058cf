// SPDX-License-Identifier: Apache-2.0
#include "core/plan/checker.h"
#include "tests/solvers/solving.h"
#include "tests/support/sampled.h"

#include <QtTest>

using namespace remat;

/// Every planner of moments on every tiny sample, from 90 % down to where it says that nothing fits; each day on one
/// sample. tests/benchmarks/planner_walk.py does the same with all planners and samples, through the command line.
class TestPlannerWalk : public QObject
{
    Q_OBJECT

    int m_plans = 0;

private Q_SLOTS:
    void answersDownToInfeasible_data()
    {
        QTest::addColumn<QString>("planner");
        QTest::addColumn<QString>("sample");
        constexpr std::size_t kSamples = 4;
        std::size_t row = 0;
        for (const Planner *planner : planners()) {
            for (const char *sample : {"tiny_gpt2", "tiny_resnet", "tiny_transformer", "tiny_unet"})
                if (test::isSampled(row++, kSamples) && !planner->info.usesTime)
                    QTest::addRow("%s %s", planner->info.name.c_str(), sample)
                        << QString::fromStdString(planner->info.name) << QString(sample);
            ++row; // the next planner begins with another sample
        }
    }

    void answersDownToInfeasible()
    {
        QFETCH(const QString, planner);
        QFETCH(const QString, sample);
        const auto of = test::sampleCase(sample.toStdString());
        if (!of) QFAIL(of.error().message.c_str());
        bool ended = false;
        for (int share = 90; share > 0 && !ended; share -= 10) {
            const std::int64_t budget = of->percent(share);
            const auto outcome = test::plan(planner.toStdString(), *of, budget);
            if (!outcome) {
                // What does not apply to a graph applies at no budget.
                QVERIFY2(share == 90 && !outcome.error().message.empty(), test::sentenceOf(outcome).c_str());
                QVERIFY2(outcome.error().message.find("made a plan that breaks") == std::string::npos,
                         outcome.error().message.c_str());
                return;
            }
            ended = !outcome->plan;
            if (ended) {
                QCOMPARE(outcome->status, SolveStatus::Infeasible);
                QVERIFY(!outcome->message.empty());
                continue;
            }
            ++m_plans;
            QVERIFY(outcome->plan->predicted.peakBytes <= budget);
            QVERIFY(outcome->plan->predicted.timeUs >= outcome->boundTimeUs - 1e-6);
            const Verdict verdict = checkPlan(of->graph, of->costs, *outcome->plan);
            QVERIFY2(verdict.ok, verdict.sentence.c_str());
        }
        QVERIFY2(ended, "no budget is too small");
    }

    void mostAnswersArePlans()
    {
        QVERIFY(m_plans > 0);
        QVERIFY2(m_plans > (test::testsAll() ? 300 : 60), qPrintable(QString::number(m_plans)));
    }
};

QTEST_GUILESS_MAIN(TestPlannerWalk)
#include "tst_planner_walk.moc"
