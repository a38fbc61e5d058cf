// SPDX-License-Identifier: Apache-2.0
// What every planner must hold to, as bodies of data-driven tests.
#pragma once

#include "core/plan/checker.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/random.h"

#include <QTest>

#include <cmath>

namespace remat::test {

inline void plannerRows(const std::vector<const char *> &planners)
{
    QTest::addColumn<QString>("planner");
    for (const char *planner : planners)
        QTest::newRow(planner) << QString(planner);
}

/// Chains and small training graphs: within the budget, checked, and no faster than the fastest plan there is.
inline void neverBeatsTheOptimum()
{
    QFETCH(const QString, planner);
    int plans = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const bool joint = seed % 2 == 0;
        RandomGraphParams random;
        random.joint = true;
        random.ops = 7;
        ChainParams chain;
        chain.seed = seed;
        const Case of(joint ? randomGraph(seed, random) : chainGraph(3 + static_cast<int>(seed % 2), chain));
        for (const double share : {100.0, 90.0, 80.0, 70.0}) {
            const Expected<SolveOutcome> outcome = plan(planner.toStdString(), of, of.percent(share));
            QVERIFY2(outcome.has_value(), sentenceOf(outcome).c_str());
            if (!outcome->plan) continue;
            ++plans;
            QVERIFY(outcome->plan->predicted.peakBytes <= of.percent(share));
            const std::optional<double> optimum = bruteForceOptimum(of.graph, of.costs, of.percent(share));
            QVERIFY(optimum && outcome->plan->predicted.timeUs >= *optimum - 1e-9);
        }
    }
    QVERIFY2(plans > 20, qPrintable(QString("%1 plans").arg(plans)));
}

inline void sampleRows(const std::vector<const char *> &planners,
                       const std::vector<const char *> &samples = {"tiny_gpt2", "tiny_resnet", "tiny_unet",
                                                                   "tiny_transformer", "resnet50", "unet"})
{
    QTest::addColumn<QString>("planner");
    QTest::addColumn<QString>("sample");
    for (const char *planner : planners)
        for (const char *sample : samples)
            QTest::addRow("%s %s", planner, sample) << QString(planner) << QString(sample);
}

/// From 90 % down to where the planner says infeasible: every answer is a plan within the budget, which `solve` has
/// checked, or says why there is none; and infeasible is never said above a peak that the planner reached.
inline void downToInfeasible()
{
    QFETCH(const QString, planner);
    QFETCH(const QString, sample);
    const Expected<Case> of = sampleCase(sample.toStdString());
    if (!of) QFAIL(of.error().message.c_str());
    int plans = 0;
    for (int share = 90; share > 0; share -= 10) {
        const Expected<SolveOutcome> outcome = plan(planner.toStdString(), *of, of->percent(share));
        QVERIFY2(outcome.has_value(), sentenceOf(outcome).c_str());
        if (!outcome->plan) {
            QCOMPARE(outcome->status, SolveStatus::Infeasible);
            QVERIFY(!outcome->message.empty());
            QVERIFY(outcome->smallestPeakBytes > of->percent(share));
            break;
        }
        ++plans;
        QVERIFY(outcome->plan->predicted.peakBytes <= of->percent(share));
        QVERIFY(checkPlan(of->graph, of->costs, *outcome->plan).ok);
    }
    QVERIFY2(plans > 0, "not even 90 %");
}

inline void threadsChangeNothing(const char *planner)
{
    const Expected<Case> of = sampleCase("tiny_gpt2");
    if (!of) QFAIL(of.error().message.c_str());
    SolveContext many;
    many.threads = 4;
    for (const double share : {80.0, 60.0}) {
        const Expected<SolveOutcome> one = plan(planner, *of, of->percent(share));
        const Expected<SolveOutcome> four = plan(planner, *of, of->percent(share), many);
        QVERIFY2(one && one->plan && four && four->plan, sentenceOf(one).c_str());
        QCOMPARE(computeSequence(*one->plan), computeSequence(*four->plan));
    }
}

} // namespace remat::test
