// SPDX-License-Identifier: Apache-2.0
// Time limits and stops on graphs that are large for every planner. Measured in CPU time, of which a busy machine gives
// no more than the clock says; tests/benchmarks/time_limits.py does so for graphs of up to 200,000 ops.
#include "core/plan/simulator.h"
#include "solvers/interface/solver.h"
#include "tests/support/graphs.h"
#include "tests/support/u_shaped.h"

#include <QtTest>

#include <sys/resource.h>
#include <thread>

using namespace remat;

namespace {

double cpuSeconds()
{
    double seconds = 0;
    for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage used{};
        getrusage(whose, &used);
        seconds += static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                   1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    }
    return seconds;
}

} // namespace

class TestTimeLimits : public QObject
{
    Q_OBJECT

private:
    Graph m_graph;
    CostTable m_costs;
    std::int64_t m_budgetBytes = 0;

    SolveRequest requestFor(const Planner &planner) const
    {
        SolveRequest request;
        request.graph = &m_graph;
        request.costs = &m_costs;
        request.budgetBytes = m_budgetBytes;
        request.options = *makeOptions(planner.info.options, {});
        return request;
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_graph = test::uShapedGraph(8, 300);
        m_costs = test::graphCosts(m_graph);
        QVERIFY(m_graph.ops.size() > 10'000);
        m_budgetBytes = simulate(m_graph, m_costs, keepAllPlan(m_graph).steps)->peakBytes * 6 / 10;
    }

    void everyPlannerKeepsThem_data()
    {
        QTest::addColumn<QString>("name");
        for (const Planner *planner : planners())
            QTest::newRow(planner->info.name.c_str()) << QString::fromStdString(planner->info.name);
    }

    void everyPlannerKeepsThem()
    {
        QFETCH(const QString, name);
        const Planner &planner = **findPlanner(name.toStdString());
        const SolveRequest request = requestFor(planner);
        const double kSeconds = 0.2;
        for (const bool byStop : {false, true}) {
            SolveContext context;
            StopToken stop;
            context.stop = &stop;
            if (!byStop) context.deadline = Deadline(kSeconds);
            std::thread later;
            if (byStop)
                later = std::thread([&stop, kSeconds] {
                    std::this_thread::sleep_for(std::chrono::duration<double>(kSeconds));
                    stop.requestStop();
                });
            const double before = cpuSeconds();
            const auto outcome = solve(planner, request, context);
            const double took = cpuSeconds() - before;
            if (later.joinable()) later.join();
            QVERIFY2(took < 1.2 * kSeconds + 1, qPrintable(QString::number(took)));
            const std::string &sentence = outcome ? outcome->message : outcome.error().message;
            QVERIFY((outcome && outcome->plan) || !sentence.empty());
        }
    }

    void aPlanThatIsTooLongIsASentence()
    {
        const Graph graph = test::chainGraph(10'000);
        const CostTable costs = test::graphCosts(graph);
        const Planner &planner = **findPlanner("recompute-all");
        SolveRequest request = requestFor(planner);
        request.graph = &graph;
        request.costs = &costs;
        request.budgetBytes = simulate(graph, costs, keepAllPlan(graph).steps)->peakBytes / 2;
        SolveContext context;
        context.deadline = Deadline(60);
        const auto outcome = solve(planner, request, context);
        QVERIFY(outcome && !outcome->plan);
        QCOMPARE(outcome->status, SolveStatus::Stopped);
        QVERIFY2(outcome->message.find("times again, more than can be checked") != std::string::npos,
                 outcome->message.c_str());
    }

    void aBoundThatIsCutShortHolds()
    {
        const double wholeUs = bestTimeBound(m_graph, m_costs, m_budgetBytes).timeUs;
        for (const int most : {0, 1, 3, 10, 100}) {
            int asked = 0;
            const double cutUs = bestTimeBound(m_graph, m_costs, m_budgetBytes, [&] { return asked++ >= most; }).timeUs;
            QVERIFY(cutUs <= wholeUs * (1 + 1e-9));
            QVERIFY(cutUs >= everyPlanBound(m_graph, m_costs, m_budgetBytes).timeUs * (1 - 1e-9));
        }
    }
};

QTEST_GUILESS_MAIN(TestTimeLimits)
#include "tst_time_limits.moc"
