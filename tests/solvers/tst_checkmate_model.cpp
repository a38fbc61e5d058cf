// SPDX-License-Identifier: Apache-2.0
#include "solvers/checkmate/relaxation.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/nets.h"

#include <QtTest>

using namespace remat;

namespace {

Graph smallGraph(int seed)
{
    test::RandomGraphParams params;
    params.ops = 5 + seed % 3;
    params.joint = seed % 2 == 1;
    params.computeOnce = seed % 5 == 0 ? 20 : 0;
    params.multiOutput = 15;
    return test::randomGraph(static_cast<std::uint64_t>(seed), params);
}

/// Small enough for brute force.
bool isSmall(const FlatGraph &flat)
{
    int planned = 0;
    for (int s = 0; s < flat.storages(); ++s)
        planned += flat.producer[s] >= 0 ? 1 : 0;
    return planned <= 15;
}

} // namespace

class TestCheckmateModel : public QObject
{
    Q_OBJECT

private:
    /// Added time of the program's optimum; none when it is infeasible. Any plan it gives must be as it says.
    static void solve(const test::Case &of, const FlatGraph &flat, std::int64_t budget, int passes,
                      std::optional<double> &extraUs)
    {
        checkmate::ModelSettings settings;
        settings.budgetBytes = budget;
        if (passes > 0) settings.passes.assign(flat.ops + 1, passes);
        const checkmate::SlotProgram program = checkmate::buildSlotProgram(flat, settings);
        ilp::Limits limits;
        limits.effort = ilp::Effort::Small;
        const ilp::Solution solution = ilp::solve(program.model, limits);
        QVERIFY(solution.status == ilp::Status::Optimal || solution.status == ilp::Status::Infeasible);
        extraUs.reset();
        if (!solution.found()) return;
        extraUs = solution.objective * program.unitUs;
        if (passes == 0) return;
        const SequenceCost cost = sequenceCost(of.graph, of.costs, readSequence(flat, program, solution.x));
        QVERIFY(cost.peakBytes <= budget);
        QVERIFY(cost.timeUs <= of.keepAllTimeUs + *extraUs + 1e-6);
    }

private Q_SLOTS:
    /// Relaxation ≤ coarse program ≤ optimum over all plans ≤ program with one pass a slot; three passes reach it.
    void brackets()
    {
        int exact = 0, compared = 0;
        for (int seed = 1; seed <= 100; ++seed) {
            const test::Case of(smallGraph(seed));
            const FlatGraph flat = flatten(of.graph, of.costs);
            if (!isSmall(flat)) continue;
            for (const double share : {95., 88., 80., 72., 65.}) {
                const std::int64_t budget = of.percent(share);
                const std::optional<double> best = test::bruteForceOptimum(of.graph, of.costs, budget);
                std::optional<double> coarse, once, thrice;
                solve(of, flat, budget, 0, coarse);
                solve(of, flat, budget, 1, once);
                solve(of, flat, budget, 3, thrice);
                if (QTest::currentTestFailed()) return;
                const checkmate::RelaxationBound bound = checkmate::relaxationBound(flat, budget, {}, {});
                QVERIFY(bound.finished);
                if (!best) {
                    QVERIFY(!once && !thrice);
                    continue;
                }
                const double bestUs = *best - of.keepAllTimeUs;
                QVERIFY(!bound.infeasible && bound.extraUs <= bestUs + 1e-6);
                QVERIFY(coarse && *coarse <= bestUs + 1e-6 && bound.extraUs <= *coarse + 1e-6);
                QVERIFY2(!once || *once >= bestUs - 1e-6, qPrintable(QString::number(seed)));
                QVERIFY(thrice);
                QVERIFY2(
                    std::abs(*thrice - bestUs) < 1e-6,
                    qPrintable(QString("seed %1, %2 %: %3 against %4").arg(seed).arg(share).arg(*thrice).arg(bestUs)));
                ++compared;
                if (once && std::abs(*once - bestUs) < 1e-6) ++exact;
            }
        }
        QVERIFY(compared > 50);
        QVERIFY2(exact * 10 > compared * 9, "one pass through the ops a slot is nearly always enough");
    }

    void relaxationOfPublishedNets()
    {
        const test::Case of(test::vggUnet());
        const FlatGraph flat = flatten(of.graph, of.costs);
        double before = 0;
        for (const double share : {100., 90., 80., 70., 60.}) {
            const checkmate::RelaxationBound bound = checkmate::relaxationBound(flat, of.percent(share), {}, {});
            QVERIFY(bound.finished && !bound.infeasible);
            QVERIFY(bound.extraUs >= before - 1e-9);
            before = bound.extraUs;
        }
        QVERIFY(before > 0.03 * of.keepAllTimeUs);
        QVERIFY(checkmate::relaxationBound(flat, of.percent(20), {}, {}).infeasible);
    }

    void stoppedRelaxation()
    {
        const test::Case of(test::vggUnet());
        StopToken stop;
        stop.requestStop();
        ilp::Limits limits;
        limits.stop = &stop;
        const FlatGraph flat = flatten(of.graph, of.costs);
        const checkmate::RelaxationBound bound = checkmate::relaxationBound(flat, of.percent(60), {}, limits);
        QVERIFY(!bound.finished && !bound.infeasible);
        QCOMPARE(bound.extraUs, 0.0);
    }
};

QTEST_GUILESS_MAIN(TestCheckmateModel)
#include "tst_checkmate_model.moc"
