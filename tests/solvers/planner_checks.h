// SPDX-License-Identifier: Apache-2.0
// What many planners must hold to, as bodies of tests.
#pragma once

#include "core/plan/checker.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/random.h"
#include "tests/support/text_rows.h"

#include <cmath>

namespace remat::test {

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
            const auto outcome = plan(planner.toStdString(), of, of.percent(share));
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
    const auto of = sampleCase(sample.toStdString());
    if (!of) QFAIL(of.error().message.c_str());
    int plans = 0;
    for (int share = 90; share > 0; share -= 10) {
        const auto outcome = plan(planner.toStdString(), *of, of->percent(share));
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
    const auto of = sampleCase("tiny_gpt2");
    if (!of) QFAIL(of.error().message.c_str());
    SolveContext many;
    many.threads = 4;
    for (const double share : {80.0, 60.0}) {
        const auto one = plan(planner, *of, of->percent(share));
        const auto four = plan(planner, *of, of->percent(share), many);
        QVERIFY2(one && one->plan && four && four->plan, sentenceOf(one).c_str());
        QCOMPARE(computeSequence(*one->plan), computeSequence(*four->plan));
    }
}

/// The planner finds more than `least` plans for 60 graphs at three budgets each, and none is over its budget.
inline void neverOverBudget(const std::string &planner, int least)
{
    int plans = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        RandomGraphParams params;
        params.joint = true;
        params.ops = 20 + static_cast<int>(seed);
        params.computeOnce = seed % 3 == 0 ? 10 : 0;
        const Case of(randomGraph(seed, params));
        for (const double share : {95.0, 75.0, 60.0}) {
            const auto outcome = plan(planner, of, of.percent(share));
            QVERIFY2(outcome.has_value(), sentenceOf(outcome).c_str());
            if (!outcome->plan) continue;
            ++plans;
            QVERIFY(outcome->plan->predicted.peakBytes <= of.percent(share));
        }
    }
    QVERIFY2(plans > least, qPrintable(QString::number(plans)));
}

/// The planner refuses a graph without a backward part, and says so.
inline void needsABackwardPart(const std::string &planner)
{
    const Case dag(randomGraph(3));
    const auto outcome = plan(planner, dag, 2 * dag.keepAllPeakBytes);
    QVERIFY(!outcome.has_value());
    QVERIFY(outcome.error().message.find("no backward ops") != std::string::npos);
}

} // namespace remat::test
