// SPDX-License-Identifier: Apache-2.0
#include "solvers/tools/translate.h"
#include "tests/solvers/solving.h"

#include <QtTest>

#include <algorithm>

using namespace remat;

namespace {

/// Recomputations as (stage, op) pairs.
std::vector<std::pair<int, int>> pairs(const std::vector<Recompute> &recomputes)
{
    std::vector<std::pair<int, int>> all;
    all.reserve(recomputes.size());
    for (const Recompute &r : recomputes)
        all.emplace_back(r.slot, r.op);
    return all;
}

} // namespace

/// The two reference points that keep nothing, and the translator that all forward planners share.
class TestRecomputeAll : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aChainIsComputedAgainForEveryBackwardOp()
    {
        // Backward stage i reads the input of forward stage i, which i forward ops make; the last one reads the
        // result of the last forward op too, so that all are computed again there.
        constexpr int kStages = 8;
        const test::Case chain(test::chainGraph(kStages));
        const auto outcome = test::plan("recompute-all", chain, chain.keepAllPeakBytes);
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        int again = kStages;
        for (int i = 1; i < kStages - 1; ++i)
            again += i;
        QCOMPARE(static_cast<int>(computeSequence(*outcome->plan).size()), 2 * kStages + 1 + again);
    }

    void lastNodeKeepsWhatTheLossRead()
    {
        constexpr int kStages = 8;
        const test::Case chain(test::chainGraph(kStages));
        const auto outcome = test::plan("last-node", chain, chain.keepAllPeakBytes);
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        int again = 0;
        for (int i = 1; i < kStages; ++i)
            again += i;
        QCOMPARE(static_cast<int>(computeSequence(*outcome->plan).size()), 2 * kStages + 1 + again);
    }

    void peaksStayFarUnderKeepAll()
    {
        const test::Case chain(test::chainGraph(60));
        for (const char *planner : {"recompute-all", "last-node"}) {
            const auto outcome = test::plan(planner, chain, chain.keepAllPeakBytes);
            QVERIFY(outcome && outcome->plan);
            QVERIFY(outcome->plan->predicted.peakBytes < chain.percent(15));
            const auto less = test::plan(planner, chain, outcome->plan->predicted.peakBytes - 1);
            QVERIFY(less && !less->plan);
            QCOMPARE(less->smallestPeakBytes, outcome->plan->predicted.peakBytes);
        }
    }

    void needABackwardPart()
    {
        const test::Case dag(test::randomGraph(3));
        for (const char *planner : {"recompute-all", "last-node"}) {
            const auto outcome = test::plan(planner, dag, 2 * dag.keepAllPeakBytes);
            QVERIFY(!outcome.has_value());
            QVERIFY(outcome.error().message.find("no backward ops") != std::string::npos);
        }
    }

    void randomTrainingGraphs()
    {
        int plans = 0;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 20 + static_cast<int>(seed);
            params.computeOnce = seed % 3 == 0 ? 10 : 0;
            const test::Case of(test::randomGraph(seed, params));
            for (const char *planner : {"recompute-all", "last-node"}) {
                const auto outcome = test::plan(planner, of, of.percent(90));
                QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
                plans += outcome->plan ? 1 : 0;
            }
        }
        QVERIFY(plans > 20);
    }

    void aHoldIsMadeAgainOnceAndServesLaterSegments()
    {
        // Ops: f0 f1 f2 f3 (0–3), loss (4), b3 b2 b1 b0 (5–8); b_i reads the input of f_i, b3 also the result of f3.
        const test::Case chain(test::chainGraph(4));
        const FlatGraph flat = flatten(chain.graph, chain.costs);
        ForwardChoice choice;
        choice.kept.assign(static_cast<std::size_t>(flat.storages()), 0);
        choice.segment = {0, 1, 2, 3, 3, 3, 2, 1, 0};
        const int a0 = flat.outputs[0][0], a1 = flat.outputs[1][0], a2 = flat.outputs[2][0], a3 = flat.outputs[3][0];
        choice.holds = {{a2, kForwardPass, 3}, {a3, kForwardPass, 3}};
        // b2 needs a1 and makes it from nothing; b1 needs a0 and makes it again.
        QCOMPARE(pairs(translate(flat, choice)), (std::vector<std::pair<int, int>>{{6, 0}, {6, 1}, {7, 0}}));
        // Held since b2, a0 serves b1.
        choice.holds.push_back({a0, 2, 1});
        QCOMPARE(pairs(translate(flat, choice)), (std::vector<std::pair<int, int>>{{6, 0}, {6, 1}}));
        // Held by the forward pass, a1 leaves only a0 to be made, as late as possible even when it is to be held
        // longer.
        choice.holds = {{a1, kForwardPass, 2}, {a2, kForwardPass, 3}, {a3, kForwardPass, 3}};
        QCOMPARE(pairs(translate(flat, choice)), (std::vector<std::pair<int, int>>{{7, 0}}));
    }

    void anewServesOneBackwardOp()
    {
        const test::Case chain(test::chainGraph(4));
        const FlatGraph flat = flatten(chain.graph, chain.costs);
        ForwardChoice choice;
        choice.kept.assign(static_cast<std::size_t>(flat.storages()), 0);
        choice.segment.assign(static_cast<std::size_t>(flat.ops), 0);
        QCOMPARE(translate(flat, choice).size(), std::size_t(4));
        choice.anew = {1};
        QCOMPARE(pairs(translate(flat, choice)),
                 (std::vector<std::pair<int, int>>{{5, 0}, {5, 1}, {5, 2}, {5, 3}, {6, 0}, {6, 1}, {7, 0}}));
    }
};

QTEST_GUILESS_MAIN(TestRecomputeAll)
#include "tst_recompute_all.moc"
