// SPDX-License-Identifier: Apache-2.0
#include "core/plan/simulator.h"
#include "solvers/interface/solver.h"
#include "tests/support/brute_force.h"
#include "tests/support/graphs.h"

#include <QtTest>

using namespace remat;

namespace {

Expected<SolveOutcome> plan(const char *name, const Graph &graph, const CostTable &costs, std::int64_t budget)
{
    const Planner &planner = **findPlanner(name);
    SolveRequest request;
    request.graph = &graph;
    request.costs = &costs;
    request.budgetBytes = budget;
    request.options = *makeOptions(planner.info.options, {});
    return solve(planner, request, {});
}

} // namespace

/// hiremate against brute force where brute force is possible.
class TestHiremateExact : public QObject
{
    Q_OBJECT

private:
    int m_plans = 0, m_refusals = 0;

    void compare(const Graph &graph, std::int64_t budget)
    {
        const CostTable costs = test::graphCosts(graph);
        const std::optional<double> best = test::bruteForceOptimum(graph, costs, budget);
        const auto outcome = plan("hiremate", graph, costs, budget);
        QVERIFY2(outcome.has_value(), outcome ? "" : outcome.error().message.c_str());
        QCOMPARE(outcome->plan.has_value(), best.has_value());
        if (best) {
            QVERIFY(outcome->plan->predicted.peakBytes <= budget);
            QVERIFY(std::abs(outcome->plan->predicted.timeUs - *best) < 1e-6);
            QCOMPARE(outcome->status, SolveStatus::Optimal);
            ++m_plans;
        } else {
            QCOMPARE(outcome->status, SolveStatus::Infeasible);
            QVERIFY(!outcome->message.empty());
            ++m_refusals;
        }
        if (graph.ops.back().phase != Phase::Backward) return;
        const auto chen = plan("chen-sqrt", graph, costs, budget);
        QVERIFY2(chen.has_value(), chen ? "" : chen.error().message.c_str());
        if (!chen->plan) return;
        QVERIFY(best.has_value());
        QVERIFY(chen->plan->predicted.timeUs > *best - 1e-6);
        QVERIFY(chen->plan->predicted.peakBytes <= budget);
    }

    void compareBudgets(const Graph &graph, int percentStep)
    {
        const std::int64_t peak = simulate(graph, test::graphCosts(graph), keepAllPlan(graph).steps)->peakBytes;
        for (int percent = 100; percent > 20; percent -= percentStep) {
            compare(graph, std::max<std::int64_t>(1, peak * percent / 100));
            if (QTest::currentTestFailed()) return;
        }
    }

private Q_SLOTS:
    void chainsUpToSixStages()
    {
        for (int stages = 1; stages <= 6; ++stages)
            for (std::uint64_t seed = 0; seed < 4; ++seed) {
                test::ChainParams params;
                params.seed = seed;
                params.parameterBytes = seed == 1 && stages <= 4 ? 3 : 0;
                compareBudgets(test::chainGraph(stages, params), 9);
                if (QTest::currentTestFailed()) QFAIL(qPrintable(QString("%1 stages, seed %2").arg(stages).arg(seed)));
            }
    }

    void randomGraphs_data()
    {
        QTest::addColumn<bool>("joint");
        QTest::addColumn<int>("once");
        QTest::newRow("any DAG") << false << 0;
        QTest::newRow("any DAG, ops that may be computed only once") << false << 20;
        QTest::newRow("training") << true << 0;
        QTest::newRow("training, ops that may be computed only once") << true << 20;
    }

    void randomGraphs()
    {
        QFETCH(const bool, joint);
        QFETCH(const int, once);
        m_plans = m_refusals = 0;
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            test::RandomGraphParams params;
            params.ops = 7;
            params.joint = joint;
            params.computeOnce = once;
            compareBudgets(test::randomGraph(seed, params), 13);
            if (QTest::currentTestFailed()) QFAIL(qPrintable(QString("seed %1").arg(seed)));
        }
        QVERIFY2(m_plans > 50 && m_refusals > 3, "the budgets must reach both answers");
    }
};

QTEST_GUILESS_MAIN(TestHiremateExact)
#include "tst_hiremate_exact.moc"
