// SPDX-License-Identifier: Apache-2.0
#include "solvers/bounds/k_cut_model.h"
#include "solvers/bounds/sharp_bound.h"
#include "solvers/ilp/linear.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/random.h"

#include <QtTest>

#include <algorithm>
#include <map>

using namespace remat;
using namespace remat::test;

namespace {

/// A graph of up to 8 ops that the brute force takes a moment for, and a budget between its working set and its peak.
struct SmallCase {
    Graph graph;
    CostTable costs;
    std::int64_t budgetBytes = 0;

    explicit SmallCase(std::uint64_t seed)
    {
        for (std::uint64_t variant = 0;; ++variant) {
            const std::uint64_t one = seed + variant * 1'000'003;
            graph = randomGraph(one, {.ops = 3 + static_cast<int>(one % 6),
                                      .joint = one % 3 == 0,
                                      .multiOutput = one % 2 == 0 ? 30 : 0,
                                      .computeOnce = one % 5 == 0 ? 15 : 0});
            const auto planned =
                std::count_if(graph.storages.begin(), graph.storages.end(),
                              [](const Storage &storage) { return storage.producer && storage.bytes >= 0; });
            if (graph.ops.size() <= 8 && planned <= 10) break;
        }
        costs = graphCosts(graph);
        const std::int64_t least = workingSetBound(graph, costs).bytes;
        const std::int64_t peak = simulate(graph, costs, keepAllPlan(graph).steps)->peakBytes;
        budgetBytes = least + Random(seed).below(static_cast<int>(std::max<std::int64_t>(1, peak - least)));
    }

    BoundProblem problem() const
    {
        BoundProblem asked{graph, costs};
        asked.budgetBytes = budgetBytes;
        return asked;
    }
};

/// Bound of the given sample at a share of its peak.
SharpBound boundAt(const Case &of, double percent, double seconds, const Plan *plan = nullptr)
{
    BoundProblem problem{of.graph, of.costs};
    problem.budgetBytes = of.percent(percent);
    problem.plan = plan;
    problem.deadline = Deadline(seconds);
    return sharpBound(problem);
}

double percentOf(const Case &of, const TimeBound &bound)
{
    return 100 * bound.extraUs / of.keepAllTimeUs;
}

std::map<std::string, double> byMethod(const Case &of, const SharpBound &bounds)
{
    std::map<std::string, double> percent;
    for (const MethodResult &result : bounds.all)
        if (result.bound) percent[result.method->name] = percentOf(of, *result.bound);
    return percent;
}

} // namespace

/// Every bound in the list: never above the optimum, now and then equal to it, and sharp on the graph of the figures.
class TestBounds : public QObject
{
    Q_OBJECT

    struct Tally {
        int tight = 0, positive = 0, computed = 0;
    };
    std::map<std::string, Tally> m_tally;
    int m_cases = 0;

private Q_SLOTS:
    void neverAboveTheOptimum_data()
    {
        QTest::addColumn<int>("first");
        for (int first = 0; first < 10'000; first += 1000)
            QTest::addRow("from %d", first) << first;
    }

    void neverAboveTheOptimum()
    {
        QFETCH(const int, first);
        for (int seed = first; seed < first + 1000; ++seed) {
            const SmallCase small(static_cast<std::uint64_t>(seed) + 1);
            const auto optimum = bruteForceOptimum(small.graph, small.costs, small.budgetBytes);
            const SharpBound bounds = sharpBound(small.problem());
            QVERIFY(!bounds.best.infeasible || !optimum);
            for (const MethodResult &result : bounds.all) {
                if (!result.bound) continue;
                Tally &tally = m_tally[result.method->name];
                ++tally.computed;
                QVERIFY(!result.bound->infeasible || !optimum);
                if (!optimum) continue;
                QVERIFY2(result.bound->timeUs <= *optimum * (1 + 1e-9),
                         qPrintable(QString("seed %1, budget %2: %3 says %4, the optimum is %5")
                                        .arg(seed)
                                        .arg(small.budgetBytes)
                                        .arg(result.method->name.c_str())
                                        .arg(result.bound->timeUs)
                                        .arg(*optimum)));
                tally.positive += result.bound->extraUs > 1e-6 ? 1 : 0;
                tally.tight += result.bound->extraUs > 1e-6 && result.bound->timeUs > *optimum * (1 - 1e-5) ? 1 : 0;
            }
            ++m_cases;
        }
    }

    void eachIsReachedNowAndThen()
    {
        QCOMPARE(m_cases, 10'000);
        QCOMPARE(m_tally.size(), boundMethods().size());
        for (const auto &[name, tally] : m_tally) {
            qInfo("%-14s computed %d times, above 0 %d times, equal to the optimum %d times", name.c_str(),
                  tally.computed, tally.positive, tally.tight);
            QVERIFY(tally.positive > 500);
            QVERIFY(tally.tight > 100);
        }
    }

    void manyCutsAreAtLeastAsSharpAsOne()
    {
        int more = 0;
        for (std::uint64_t seed = 1; seed <= 600; ++seed) {
            const SmallCase small(seed + 50'000);
            const auto optimum = bruteForceOptimum(small.graph, small.costs, small.budgetBytes);
            if (!optimum) continue;
            std::vector<OpId> cuts;
            const Needs needs = needsOf(small.graph);
            for (std::size_t i = 0; i < small.graph.ops.size(); ++i)
                if (needs.op[i]) cuts.emplace_back(i);
            const ilp::Relaxation relaxation =
                ilp::solveRelaxation(buildKCutProgram(small.graph, small.costs, small.budgetBytes, cuts).model, {});
            QVERIFY(relaxation.status == ilp::Status::Optimal);
            const double needed = everyPlanBound(small.graph, small.costs, small.budgetBytes).timeUs;
            QVERIFY(needed + relaxation.bound <= *optimum * (1 + 1e-9));
            const double one = cutClosureBound(small.graph, small.costs, small.budgetBytes).extraUs;
            QVERIFY2(relaxation.bound >= one * (1 - 1e-4) - 1e-6,
                     qPrintable(QString("seed %1: %2 < %3").arg(seed).arg(relaxation.bound).arg(one)));
            more += relaxation.bound > one + 1e-3 ? 1 : 0;
        }
        QVERIFY2(more > 20, qPrintable(QString::number(more)));
    }

    /// What is no better than the plan is cut off, and the bound holds all the same: with a plan that can be beaten,
    /// too.
    void aPlanIsNeverBeatenByItsBound()
    {
        int met = 0;
        for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
            const SmallCase small(seed + 70'000);
            const auto optimum = bruteForceOptimum(small.graph, small.costs, small.budgetBytes);
            const auto found = test::plan("dtr", Case(small.graph, small.costs), small.budgetBytes);
            if (!optimum || !found || !found->plan) continue;
            BoundProblem problem = small.problem();
            problem.plan = &*found->plan;
            for (const MethodResult &result : sharpBound(problem).all) {
                if (!result.bound) continue;
                QVERIFY2(result.bound->timeUs <= *optimum * (1 + 1e-9),
                         qPrintable(QString("seed %1: %2").arg(seed).arg(result.method->name.c_str())));
                met += result.method->name == "K-cut MILP" && result.bound->timeUs > *optimum * (1 - 1e-5) ? 1 : 0;
            }
        }
        QVERIFY2(met > 5, qPrintable(QString::number(met)));
    }

    /// Cuts are found where the solution of the ones before holds too much: counted work, so the same on every machine.
    void cutsAreFoundWhereTheyMatter()
    {
        const auto of = sampleCase("unet");
        if (!of) QFAIL(of.error().message.c_str());
        BoundProblem problem{of->graph, of->costs};
        problem.budgetBytes = of->percent(40);
        problem.iterations = 20'000;
        std::map<std::string, double> percent = byMethod(*of, sharpBound(problem));
        QVERIFY(percent["cut-closure"] < 12.7);
        QVERIFY2(percent["K-cut LP"] > 13.29, qPrintable(QString::number(percent["K-cut LP"])));
        QVERIFY2(percent["K-cut LP"] < 13.79, qPrintable(QString::number(percent["K-cut LP"])));
    }

    void gpt2WithSquaredLogits()
    {
        const auto of = sampleCase("gpt2_squared");
        if (!of) QFAIL(of.error().message.c_str());
        const std::map<int, double> wanted = {{50, 11.7}, {40, 17.1}, {30, 25.6}};
        for (const auto &[percent, least] : wanted) {
            const TimeBound bound = cutClosureBound(of->graph, of->costs, of->percent(percent));
            QVERIFY2(percentOf(*of, bound) >= least, qPrintable(QString::number(percentOf(*of, bound))));
        }
    }

    void wholeChainsAreSharper()
    {
        const auto of = sampleCase("gpt2_squared");
        if (!of) QFAIL(of.error().message.c_str());
        BoundProblem problem{of->graph, of->costs};
        problem.budgetBytes = of->percent(60);
        problem.iterations = 20'000;
        const SharpBound bounds = sharpBound(problem);
        std::map<std::string, double> percent = byMethod(*of, bounds);
        QVERIFY2(percent["one-cut MILP"] > percent["cut-closure"],
                 qPrintable(QString::number(percent["one-cut MILP"])));
        QVERIFY(percentOf(*of, bounds.best) >= percent["one-cut MILP"]);
        QVERIFY(!bounds.choice.kept.empty() && !bounds.choice.recomputed.empty());
    }

    void whenTimeIsUpTheQuickOnesStand()
    {
        const auto of = sampleCase("gpt2_squared");
        if (!of) QFAIL(of.error().message.c_str());
        const SharpBound bounds = boundAt(*of, 50, 0);
        QVERIFY(percentOf(*of, bounds.best) > 11.7);
        for (const MethodResult &result : bounds.all)
            QCOMPARE(result.bound.has_value(), result.method->quick);
    }

    void betterBoundsAreToldAtOnce()
    {
        const SmallCase small(77);
        std::vector<TimeBound> told;
        const SharpBound bounds = sharpBound(small.problem(), [&](const TimeBound &bound) { told.push_back(bound); });
        for (std::size_t i = 1; i < told.size(); ++i)
            QVERIFY(told[i].extraUs > told[i - 1].extraUs);
        if (!told.empty()) QCOMPARE(told.back().extraUs, bounds.best.extraUs);
    }

    void underAPeakBoundThereIsNoPlan()
    {
        const Graph graph = chainGraph(4);
        const CostTable costs = graphCosts(graph);
        BoundProblem problem{graph, costs};
        problem.budgetBytes = workingSetBound(graph, costs).bytes - 1;
        const SharpBound bounds = sharpBound(problem);
        QVERIFY(bounds.best.infeasible && bounds.best.holdsFor == HoldsFor::EveryPlan);
        QCOMPARE(bounds.best.method, "working set");
    }
};

QTEST_GUILESS_MAIN(TestBounds)
#include "tst_bounds.moc"
