// SPDX-License-Identifier: Apache-2.0
// Several cuts with whole storages: CP-SAT beside CBC, the plan of a choice, and cuts where that plan holds too much.
#include "core/bounds/cut_network.h"
#include "solvers/bounds/k_cut_plan.h"
#include "solvers/bounds/k_cut_whole.h"
#include "solvers/bounds/sharp_bound.h"
#include "solvers/cp/whole_numbers.h"
#include "tests/solvers/solving.h"
#include "tests/support/random.h"
#include "tests/support/random_layered.h"
#include "tests/support/sampled.h"

#include <QtTest>

#include <cmath>

using namespace remat;

namespace {

constexpr double kNothing = std::numeric_limits<double>::infinity();

/// A random graph of that many ops with a budget between its largest op and keep-all.
struct Layered {
    test::Case of;
    BoundProblem problem;

    Layered(std::uint64_t seed, int ops, double percent)
        : of(test::randomLayeredGraph(seed, {.ops = ops})), problem{of.graph, of.costs}
    {
        const std::int64_t least = workingSetBound(of.graph, of.costs).bytes;
        problem.budgetBytes =
            least + static_cast<std::int64_t>(percent / 100 * static_cast<double>(of.keepAllPeakBytes - least));
    }

    /// The relaxation at every fourth place where keeping everything is over the budget.
    std::optional<KCutRefined> relaxed() const
    {
        std::vector<OpId> places = cutsOverBudget(of.graph, of.costs, needsOf(of.graph), problem.budgetBytes), cuts;
        std::sort(places.begin(), places.end());
        for (std::size_t i = 0; i < places.size(); i += 4)
            cuts.push_back(places[i]);
        return relaxCuts(problem, cuts, problem.iterations);
    }
};

/// A program of ten columns, rows with whole factors and others, of which 0 is no solution.
ilp::Model randomProgram(std::uint64_t seed)
{
    test::Random random(seed);
    ilp::Model model;
    const bool wholeCosts = random.below(2) == 0;
    for (int c = 0; c < 10; ++c)
        model.addBinary(random.below(50) + (wholeCosts ? 0 : 0.001 * random.below(1000)));
    for (int r = 0; r < 6; ++r) {
        std::vector<ilp::Term> row;
        for (int c = 0; c < 10; ++c)
            if (random.below(2) == 0)
                row.push_back({c, r % 2 == 0 ? 2 * random.below(2) - 1 : 0.1 + random.below(99) / 7.0});
        if (row.empty()) continue;
        if (r % 2 == 0)
            model.addAtLeast(r == 0 ? 1 : -1, std::move(row));
        else
            model.addRow(0.3, std::move(row), 40.0);
    }
    return model;
}

bool keeps(const cp::CpModel &model, const std::vector<double> &x)
{
    for (const cp::Linear &row : model.linear) {
        std::int64_t sum = 0;
        for (const auto &[variable, factor] : row.terms)
            sum += factor * static_cast<std::int64_t>(x[static_cast<std::size_t>(variable)]);
        if (sum < row.low || sum > row.high) return false;
    }
    return true;
}

} // namespace

class TestKCutWhole : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Every solution of a program is one in whole numbers, for no more.
    void wholeNumbersKeepEverySolution()
    {
        int solutions = 0, others = 0;
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            const ilp::Model program = randomProgram(seed);
            const cp::WholeNumbers numbers = cp::inWholeNumbers(program, kNothing);
            for (int bits = 0; bits < 1024; ++bits) {
                std::vector<double> x;
                double units = 0;
                for (std::size_t c = 0; c < 10; ++c) {
                    x.push_back(bits >> c & 1);
                    units += x.back() * static_cast<double>(numbers.model.objective[c]);
                }
                const bool solves = ilp::violation(program, x) < 1e-9;
                ++(solves ? solutions : others);
                QVERIFY(!solves || keeps(numbers.model, x));
                QVERIFY(!keeps(numbers.model, x) || ilp::violation(program, x) < 1e-4);
                QVERIFY(units * numbers.unit <= ilp::objectiveOf(program, x) + 1e-9);
                QVERIFY(units * numbers.unit >= ilp::objectiveOf(program, x) - 1e-4);
            }
        }
        QVERIFY(solutions > 1000 && others > 1000);
    }

    void cpSatHasTheOptimumOfCbc()
    {
        const Expected<cp::Helper> helper = cp::findHelper();
        QVERIFY2(helper, test::sentenceOf(helper).c_str());
        int better = 0;
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const Layered small(seed, 40, 60);
            const std::optional<KCutRefined> cuts = small.relaxed();
            QVERIFY(cuts && cuts->relaxation.status == ilp::Status::Optimal);
            const ilp::Model &model = cuts->program.model;
            const std::int64_t all = small.problem.iterations;
            const WholeCuts cbc = solveWholeByCbc(small.problem, model, kNothing, all);
            const WholeCuts sat = solveWholeByCpSat(small.problem, *helper, model, kNothing, all);
            QVERIFY(cbc.ended && sat.ended && !sat.cutShort);
            QVERIFY2(std::abs(cbc.provenUs - sat.provenUs) <= 1e-5 * cbc.provenUs,
                     qPrintable(QString("seed %1: %2 and %3").arg(seed).arg(cbc.provenUs).arg(sat.provenUs)));
            QVERIFY(ilp::violation(model, sat.x) < 1e-4);
            QVERIFY(std::abs(ilp::objectiveOf(model, sat.x) - sat.provenUs) <= 1e-5 * sat.provenUs);
            better += sat.provenUs > cuts->relaxation.bound * 1.001 ? 1 : 0;

            // With that known, nothing is below it.
            const WholeCuts none = solveWholeByCpSat(small.problem, *helper, model, sat.provenUs * (1 - 1e-5), all);
            QVERIFY(none.ended && none.x.empty());
            QCOMPARE(none.provenUs, sat.provenUs * (1 - 1e-5));
        }
        QVERIFY2(better >= 4, qPrintable(QString::number(better)));
    }

    void thePlanOfAChoiceTakesNoMoreTime()
    {
        int over = 0;
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const Layered small(seed, 40, 60);
            const std::optional<KCutRefined> cuts = small.relaxed();
            QVERIFY(cuts);
            const WholeCuts whole = solveWhole(small.problem, *cuts, kNothing, small.problem.iterations);
            QVERIFY(whole.ended);
            const FlatGraph flat = flatten(small.of.graph, small.of.costs);
            const std::vector<Recompute> set = recomputesOf(flat, cuts->program, whole.x);
            QVERIFY(extraTimeUs(flat, set) <= whole.provenUs * (1 + 1e-6));
            const SequenceCost cost = sequenceCost(small.of.graph, small.of.costs, toSequence(flat, set));
            const std::vector<OpId> missing = missingCuts(flat, cuts->program, small.problem.budgetBytes, set, 3);
            QVERIFY(missing.size() <= 3);
            if (cost.peakBytes <= small.problem.budgetBytes) QVERIFY(missing.empty());
            for (const OpId op : missing)
                for (const CutReach &reach : cuts->program.reach)
                    QVERIFY(reach.cut != op);
            over += missing.empty() ? 0 : 1;
        }
        QVERIFY2(over >= 4, qPrintable(QString::number(over)));
    }

    /// The bound is the optimum of Checkmate's program, or below it where a plan is over the budget while it computes
    /// again.
    void cutsAreAddedUntilThePlanFits()
    {
        int met = 0;
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            Layered small(seed, 50, 50);
            const auto best = test::plan("checkmate", small.of, small.problem.budgetBytes);
            QVERIFY2(best && best->status == SolveStatus::Optimal, test::sentenceOf(best).c_str());
            const SharpBound bound = sharpBound(small.problem); // without a plan to stop at
            QVERIFY(bound.best.timeUs <= best->plan->predicted.timeUs * (1 + 1e-6));
            met += bound.best.timeUs >= best->plan->predicted.timeUs * (1 - 1e-5) ? 1 : 0;
            small.problem.plan = &*best->plan;
            small.problem.near = 0.05;
            const SharpBound near = sharpBound(small.problem);
            const double addedUs = best->plan->predicted.timeUs - small.of.keepAllTimeUs;
            QVERIFY(near.best.extraUs <= bound.best.extraUs * (1 + 1e-6));
            QVERIFY(bound.best.extraUs < 0.95 * addedUs || near.best.extraUs >= 0.949 * addedUs);
        }
        QVERIFY2(met >= 4, qPrintable(QString::number(met)));
    }

    /// A second look goes on from the cuts of the first.
    void aLookGoesOnFromTheOneBefore()
    {
        const auto of = test::sampleCase("tiny_resnet");
        if (!of) QFAIL(test::sentenceOf(of).c_str());
        BoundProblem problem{of->graph, of->costs};
        problem.budgetBytes = of->percent(60);
        problem.iterations = 40'000;
        const SharpBound first = sharpBound(problem);
        QVERIFY(first.cuts && !first.cuts->cutShort);
        problem.before = first.cuts;
        const SharpBound second = sharpBound(problem);
        QVERIFY(second.best.extraUs >= first.best.extraUs * (1 - 1e-9));
        const auto byName = [](const SharpBound &bound, const char *name) {
            return std::find_if(bound.all.begin(), bound.all.end(),
                                [&](const MethodResult &result) { return result.method->name == name; });
        };
        QVERIFY(byName(first, "K-cut LP")->iterations > 1000);
        QCOMPARE(byName(second, "K-cut LP")->iterations, 0);
    }

    void withoutCpSatCbcGoesOn()
    {
        const Layered small(3, 40, 60);
        const std::optional<KCutRefined> cuts = small.relaxed();
        QVERIFY(cuts);
        const double withIt = solveWhole(small.problem, *cuts, kNothing, small.problem.iterations).provenUs;
        qputenv("REMAT_CPSAT", "/bin/false");
        const WholeCuts failed = solveWhole(small.problem, *cuts, kNothing, small.problem.iterations);
        qunsetenv("REMAT_CPSAT");
        QVERIFY(failed.ended && !failed.x.empty());
        QVERIFY(std::abs(failed.provenUs - withIt) <= 1e-5 * withIt);
    }

    void theTinySamplesAreProven_data()
    {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<int>("percent");
        if (test::isSampled(0, 4)) QTest::newRow("ResNet at 60 %") << "tiny_resnet" << 60;
        if (test::isSampled(1, 4)) QTest::newRow("ResNet at 50 %") << "tiny_resnet" << 50;
        if (test::isSampled(2, 4)) QTest::newRow("U-Net at 40 %") << "tiny_unet" << 40;
        if (test::isSampled(3, 4)) QTest::newRow("GPT-2 at 40 %") << "tiny_gpt2" << 40;
    }

    /// Plan and bound of Automatic come within one percent of each other, long before the time is over.
    void theTinySamplesAreProven()
    {
        QFETCH(const QString, sample);
        QFETCH(const int, percent);
        const auto of = test::sampleCase(sample.toStdString());
        if (!of) QFAIL(test::sentenceOf(of).c_str());
        SolveContext context;
        context.threads = 2;
        context.deadline = Deadline(120);
        const auto outcome = test::plan("auto", *of, of->percent(percent), context);
        QVERIFY2(outcome && outcome->plan, test::sentenceOf(outcome).c_str());
        const Prediction &predicted = outcome->plan->predicted;
        const double addedUs = predicted.timeUs - of->keepAllTimeUs;
        const double leastUs = predicted.lowerBoundTimeUs - of->keepAllTimeUs;
        QVERIFY2(addedUs <= 1.0101 * leastUs, qPrintable(QString("%1 and %2").arg(addedUs).arg(leastUs)));
        QVERIFY(leastUs <= addedUs * (1 + 1e-9));
    }
};

QTEST_GUILESS_MAIN(TestKCutWhole)
#include "tst_k_cut_whole.moc"
