// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/chain_table.h"
#include "solvers/chain/revolve.h"
#include "tests/solvers/planner_checks.h"
#include "tests/solvers/uniform_chains.h"

#include <QtTest>

#include <algorithm>

using namespace remat;

namespace {

constexpr int kLongest = 200, kMostSnapshots = 20;

} // namespace

class TestRevolve : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFormulaIsTheRecurrence()
    {
        // t(1, s) = 0, t(l, 1) = l (l − 1) / 2, t(l, s) = min_j j + t(l − j, s − 1) + t(j, s).
        std::vector<std::vector<long long>> least(kMostSnapshots + 1, std::vector<long long>(kLongest + 1, 0));
        for (int s = 1; s <= kMostSnapshots; ++s)
            for (int l = 1; l <= kLongest; ++l) {
                long long best = static_cast<long long>(l) * (l - 1) / 2;
                for (int j = 1; s > 1 && j < l; ++j)
                    best = std::min(best, j + least[s - 1][l - j] + least[s][j]);
                least[s][l] = best;
                QCOMPARE(chain::revolveExtraSteps(l, s), best);
            }
    }

    void publishedCounts()
    {
        const int known[][3] = {{10, 3, 25}, {20, 4, 59}, {50, 5, 172}, {100, 5, 416}, {100, 10, 322}};
        for (const auto &[length, snapshots, steps] : known)
            QCOMPARE(length + chain::revolveExtraSteps(length, snapshots), static_cast<long long>(steps));
    }

    void theScheduleTakesAsManySteps()
    {
        for (int length = 1; length <= kLongest; ++length) {
            const chain::ChainModel model = test::uniformChain(length);
            for (int snapshots = 1; snapshots <= kMostSnapshots; ++snapshots)
                QCOMPARE(test::extraSteps(chain::revolveSchedule(model, snapshots), length, snapshots),
                         chain::revolveExtraSteps(length, snapshots));
        }
    }

    void rotorIsRevolveOnUniformChains()
    {
        // Revolve does not count the input that it has just arrived at; with the dynamic program it takes a slot.
        for (int length = 1; length <= kLongest; ++length) {
            const chain::ChainModel model = test::uniformChain(length);
            const chain::ChainTable table(model, {kMostSnapshots, kMostSnapshots, true}, [] { return false; });
            QCOMPARE(table.memorySlotBytes(), std::int64_t(1));
            for (int snapshots = 1; snapshots <= kMostSnapshots; ++snapshots) {
                const auto least = chain::revolveExtraSteps(length, snapshots);
                QCOMPARE(table.extraUs(snapshots), static_cast<double>(least));
                if (length % 40 == 0)
                    QCOMPARE(test::extraSteps(table.schedule(snapshots), length, snapshots + 1), least);
            }
        }
    }

    void thePlanComputesThatOften()
    {
        for (const int stages : {2, 5, 12, 20}) {
            const test::Case of(test::tapedChain(stages));
            for (const int snapshots : {1, 2, 3, 6}) {
                const auto outcome = test::plan("revolve", of, of.keepAllPeakBytes - 1, {},
                                                {{"snapshots", std::to_string(snapshots)}, {"points", "articulation"}});
                QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
                const auto computed = static_cast<long long>(computeSequence(*outcome->plan).size());
                // The loss is the last stage.
                QCOMPARE(computed - (2 * stages + 1), chain::revolveExtraSteps(stages + 1, snapshots));
            }
        }
    }

    void rotorIsNoSlowerWithTheMemoryOfRevolve()
    {
        const test::Case of(test::tapedChain(16));
        for (const int snapshots : {2, 3, 4, 8}) {
            const auto revolve =
                test::plan("revolve", of, of.keepAllPeakBytes - 1, {}, {{"snapshots", std::to_string(snapshots)}});
            QVERIFY(revolve && revolve->plan);
            const auto rotor = test::plan("rotor", of, revolve->plan->predicted.peakBytes, {}, {{"slots", "2000"}});
            QVERIFY(rotor && rotor->plan);
            QVERIFY(rotor->plan->predicted.timeUs <= revolve->plan->predicted.timeUs + 1e-9);
        }
    }

    void takesFewerSnapshotsUntilThePlanFits()
    {
        const test::Case of(test::tapedChain(30));
        double last = 0;
        int plans = 0;
        for (std::int64_t budget = of.keepAllPeakBytes - 1;; ++plans) {
            const auto outcome = test::plan("revolve", of, budget);
            QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
            if (!outcome->plan) {
                QCOMPARE(outcome->status, SolveStatus::Infeasible);
                QVERIFY(outcome->smallestPeakBytes > budget && !outcome->message.empty());
                break;
            }
            QVERIFY(outcome->plan->predicted.peakBytes <= budget);
            QVERIFY(outcome->plan->predicted.timeUs >= last - 1e-9);
            last = outcome->plan->predicted.timeUs;
            budget = outcome->plan->predicted.peakBytes - 1;
        }
        QVERIFY(plans > 5);
    }

    void needsABackwardPart() { test::needsABackwardPart("revolve"); }
};

QTEST_GUILESS_MAIN(TestRevolve)
#include "tst_revolve.moc"
