// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/recursive.h"
#include "solvers/chain/revolve.h"
#include "tests/solvers/uniform_chains.h"

#include <QtTest>

using namespace remat;

namespace {

/// Inputs held at once, that of the chain itself included: g(n) = k + g(n / (k + 1)), down to single stages.
int mostHeld(int stages, int checkpoints)
{
    if (stages <= checkpoints + 1) return stages;
    return checkpoints + mostHeld((stages + checkpoints) / (checkpoints + 1), checkpoints);
}

/// How often a segment is cut until single stages are left.
int levels(int stages, int checkpoints)
{
    return stages <= 1 ? 0 : 1 + levels((stages + checkpoints) / (checkpoints + 1), checkpoints);
}

} // namespace

class TestChenRecursive : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void holdsAndComputesWhatTheRecurrenceSays()
    {
        for (int stages = 1; stages <= 200; ++stages) {
            const chain::ChainModel model = test::uniformChain(stages);
            for (int checkpoints = 1; checkpoints <= stages; ++checkpoints) {
                const chain::ChainSchedule schedule = chain::recursiveSchedule(model, checkpoints);
                const int held = mostHeld(stages, checkpoints);
                const long long extra = test::extraSteps(schedule, stages, held);
                QVERIFY2(extra >= 0, "holds more than the recurrence says");
                QVERIFY(extra <= static_cast<long long>(stages) * levels(stages, checkpoints));
                QVERIFY(extra >= chain::revolveExtraSteps(stages, held)); // which is optimal
            }
        }
    }

    void oneCheckpointALevelHoldsTheLogarithm()
    {
        for (int power = 1; power <= 7; ++power) {
            const int stages = 1 << power;
            const chain::ChainModel model = test::uniformChain(stages);
            const chain::ChainSchedule schedule = chain::recursiveSchedule(model, 1);
            QCOMPARE(test::extraSteps(schedule, stages, power), -1LL);
            // Half of each segment is run through again, at each level.
            QCOMPARE(test::extraSteps(schedule, stages, power + 1), static_cast<long long>(stages) * power / 2);
        }
    }

    void withACheckpointAStageItIsOneLevel()
    {
        const chain::ChainModel model = test::uniformChain(50);
        QCOMPARE(test::extraSteps(chain::recursiveSchedule(model, 50), 50, 50), 49LL);
    }

    void thePlanComputesThatOften()
    {
        for (const int stages : {2, 5, 12, 20}) {
            const test::Case of(test::tapedChain(stages));
            for (const int checkpoints : {1, 2, 3, 6}) {
                const auto outcome =
                    test::plan("chen-recursive", of, of.keepAllPeakBytes - 1, {},
                               {{"checkpoints", std::to_string(checkpoints)}, {"points", "articulation"}});
                QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
                const auto computed = static_cast<long long>(computeSequence(*outcome->plan).size());
                // The loss is the last stage.
                const chain::ChainModel model = test::uniformChain(stages + 1);
                QCOMPARE(computed - (2 * stages + 1),
                         test::extraSteps(chain::recursiveSchedule(model, checkpoints), stages + 1, stages + 1));
            }
        }
    }

    void takesFewerCheckpointsUntilThePlanFits()
    {
        const test::Case of(test::tapedChain(40));
        std::int64_t budget = of.keepAllPeakBytes - 1;
        int plans = 0;
        for (;; ++plans) {
            const auto outcome = test::plan("chen-recursive", of, budget);
            QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
            if (!outcome->plan) {
                QCOMPARE(outcome->status, SolveStatus::Infeasible);
                QVERIFY(outcome->smallestPeakBytes > budget && !outcome->message.empty());
                break;
            }
            QVERIFY(outcome->plan->predicted.peakBytes <= budget);
            budget = outcome->plan->predicted.peakBytes - 1;
        }
        QVERIFY(plans > 3);
        // √n holds more than the logarithm.
        const auto root = test::plan("chen-sqrt", of, budget + 1);
        QVERIFY(root && !root->plan);
    }
};

QTEST_GUILESS_MAIN(TestChenRecursive)
#include "tst_chen_recursive.moc"
