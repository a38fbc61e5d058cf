#include "core/base/expected.h"
#include "solvers/chain/chain_table.h"
#include "solvers/chain/revolve.h"
#include "solvers/translate.h"
#include "tests/solvers/solving.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace remat;

namespace {

constexpr int kLongest = 200, kMostSnapshots = 20;

/// A uniform chain whose stages can be saved one at a time only: forward steps take 1, inputs of stages weigh 1.
chain::ChainModel uniformChain(int stages)
{
    chain::ChainModel model;
    chain::StageOption option;
    option.remakeUs = option.remakeNextUs = 1;
    option.keptBytes = 1000;
    chain::Stage stage;
    stage.advanceUs = 1;
    stage.options = {option};
    model.stages.assign(stages, stage);
    model.inputBytes.assign(stages, std::vector<std::int64_t>(stages, 1));
    for (int s = 0; s < stages; ++s)
        model.inputBytes[s][s] = 0;
    return model;
}

/// Forward steps beyond one per stage of a schedule that holds inputs only; −1 when more than `snapshots` are held.
long long extraSteps(const chain::ChainSchedule &schedule, int stages, int snapshots)
{
    std::vector<chain::StageHold> holds = schedule.holds;
    std::erase_if(holds, [](const chain::StageHold &hold) { return hold.option >= 0; });
    std::stable_sort(holds.begin(), holds.end(), [](const auto &a, const auto &b) { return a.at > b.at; });
    std::set<int> held{0};
    std::size_t next = 0;
    long long steps = 0;
    for (int t = stages - 1; t >= 0; --t) {
        const int from = t == stages - 1 ? 0 : *std::prev(held.upper_bound(t));
        steps += t - from + 1;
        for (; next < holds.size() && holds[next].at >= t; ++next)
            held.insert(holds[next].stage);
        held.insert(0);
        if (static_cast<int>(held.size()) > snapshots) return -1;
        held.erase(t);
    }
    return steps - stages;
}

/// A training chain whose forward ops make a tape for their backward op beside what they hand on.
Graph tapedChain(int stages)
{
    test::GraphBuilder builder;
    StorageId current = builder.resident(10, StorageKind::Input, "x");
    std::vector<StorageId> tapes;
    std::vector<OpId> forward;
    for (int i = 0; i < stages; ++i) {
        forward.push_back(builder.op({current}, {{10}, {1000}}, 1));
        current = builder.output(forward.back());
        tapes.push_back(builder.output(forward.back(), 1));
    }
    const OpId loss = builder.op({current}, {{1, StorageKind::Activation, true, "loss"}}, 1, Phase::Loss);
    StorageId gradient = builder.output(loss);
    for (int i = stages; i-- > 0;) {
        const OpId op = builder.op({gradient, tapes[static_cast<std::size_t>(i)]},
                                   {{10, StorageKind::Gradient, i == 0}}, 2, Phase::Backward);
        builder.edit(op).forwardOp = forward[static_cast<std::size_t>(i)];
        gradient = builder.output(op);
    }
    return builder.finish();
}

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
            const chain::ChainModel model = uniformChain(length);
            for (int snapshots = 1; snapshots <= kMostSnapshots; ++snapshots)
                QCOMPARE(extraSteps(chain::revolveSchedule(model, snapshots), length, snapshots),
                         chain::revolveExtraSteps(length, snapshots));
        }
    }

    void rotorIsRevolveOnUniformChains()
    {
        // Revolve does not count the input that it has just arrived at; with the dynamic program it takes a slot.
        for (int length = 1; length <= kLongest; ++length) {
            const chain::ChainModel model = uniformChain(length);
            const chain::ChainTable table(model, {kMostSnapshots, kMostSnapshots, true}, [] { return false; });
            QCOMPARE(table.memorySlotBytes(), std::int64_t(1));
            for (int snapshots = 1; snapshots <= kMostSnapshots; ++snapshots) {
                const auto least = chain::revolveExtraSteps(length, snapshots);
                QCOMPARE(table.extraUs(snapshots), static_cast<double>(least));
                if (length % 40 == 0) QCOMPARE(extraSteps(table.schedule(snapshots), length, snapshots + 1), least);
            }
        }
    }

    void thePlanComputesThatOften()
    {
        for (const int stages : {2, 5, 12, 20}) {
            const test::Case of(tapedChain(stages));
            for (const int snapshots : {1, 2, 3, 6}) {
                const Expected<SolveOutcome> outcome =
                    test::plan("revolve", of, of.keepAllPeakBytes - 1, {},
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
        const test::Case of(tapedChain(16));
        for (const int snapshots : {2, 3, 4, 8}) {
            const Expected<SolveOutcome> revolve =
                test::plan("revolve", of, of.keepAllPeakBytes - 1, {}, {{"snapshots", std::to_string(snapshots)}});
            QVERIFY(revolve && revolve->plan);
            const Expected<SolveOutcome> rotor =
                test::plan("rotor", of, revolve->plan->predicted.peakBytes, {}, {{"slots", "2000"}});
            QVERIFY(rotor && rotor->plan);
            QVERIFY(rotor->plan->predicted.timeUs <= revolve->plan->predicted.timeUs + 1e-9);
        }
    }

    void takesFewerSnapshotsUntilThePlanFits()
    {
        const test::Case of(tapedChain(30));
        double last = 0;
        int plans = 0;
        for (std::int64_t budget = of.keepAllPeakBytes - 1;; ++plans) {
            const Expected<SolveOutcome> outcome = test::plan("revolve", of, budget);
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

    void needsABackwardPart()
    {
        const test::Case dag(test::randomGraph(3));
        const Expected<SolveOutcome> outcome = test::plan("revolve", dag, 2 * dag.keepAllPeakBytes);
        QVERIFY(!outcome.has_value());
        QVERIFY(outcome.error().message.find("no backward ops") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestRevolve)
#include "tst_revolve.moc"
