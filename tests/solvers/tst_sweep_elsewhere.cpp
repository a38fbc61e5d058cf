// SPDX-License-Identifier: Apache-2.0
// What comes from other machines is of the sweep that was asked for, and no plan is believed.
#include "core/io/plan_text.h"
#include "solvers/uses/sweep_elsewhere.h"
#include "tests/solvers/solving.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace remat;

class TestSweepElsewhere : public QObject
{
    Q_OBJECT

    const test::Case m_of{test::chainGraph(12)};
    SweepRequest m_request;

    /// A line about chen-sqrt, with this plan.
    nlohmann::json line(const Plan *plan, std::int64_t budgetBytes) const
    {
        return {{"planner", "chen-sqrt"},
                {"budget_bytes", budgetBytes},
                {"status", plan ? "feasible" : "infeasible"},
                {"message", plan ? "" : "too small"},
                {"plan", plan ? nlohmann::json(planText(*plan, m_of.graph)) : nullptr}};
    }
    Expected<SweepPoint> read(const nlohmann::json &line) const { return readSweepLine(line.dump(), m_request); }
    Plan planned() const { return *test::plan("chen-sqrt", m_of, m_request.budgetBytes.front())->plan; }

private Q_SLOTS:
    void initTestCase()
    {
        m_request.graph = &m_of.graph;
        m_request.costs = &m_of.costs;
        for (const char *name : {"dtr", "chen-sqrt"}) {
            const Planner *planner = *findPlanner(name);
            m_request.entries.push_back({planner, *makeOptions(planner->info.options, {})});
        }
        m_request.budgetBytes = {m_of.percent(80), m_of.percent(1)};
    }

    void aPlanArrives()
    {
        const Plan plan = planned();
        const Expected<SweepPoint> point = read(line(&plan, m_request.budgetBytes[0]));
        QVERIFY2(point && point->plan, point ? point->message.c_str() : point.error().message.c_str());
        QCOMPARE(point->entry, std::size_t(1));
        QVERIFY(point->status == SolveStatus::Feasible && !point->failed);
        QCOMPARE(point->plan->predicted.peakBytes, plan.predicted.peakBytes);
    }

    void aBudgetWithoutOne()
    {
        const Expected<SweepPoint> point = read(line(nullptr, m_request.budgetBytes[1]));
        QVERIFY(point && !point->plan && point->status == SolveStatus::Infeasible);
        QCOMPARE(point->message, std::string("too small"));
        nlohmann::json failed = line(nullptr, m_request.budgetBytes[1]);
        failed["status"] = "failed";
        QVERIFY(read(failed)->failed);
    }

    void aPlanThatBreaksARuleIsNotTaken()
    {
        Plan broken = planned();
        broken.steps.erase(broken.steps.begin());
        const Expected<SweepPoint> point = read(line(&broken, m_request.budgetBytes[0]));
        QVERIFY(point && !point->plan);
        QVERIFY2(point->message.find("the checker refuses") != std::string::npos, point->message.c_str());
        // One that is right, and larger than what was asked for.
        const Plan plan = planned();
        const Expected<SweepPoint> over = read(line(&plan, m_request.budgetBytes[1]));
        QVERIFY(over && !over->plan && over->message.find("over the budget") != std::string::npos);
    }

    void whatWasNotAskedForIsRefused()
    {
        nlohmann::json other = line(nullptr, m_request.budgetBytes[0]);
        other["planner"] = "rotor";
        QVERIFY(!read(other));
        QVERIFY(!read(line(nullptr, 17)));
        QVERIFY(!read({{"planner", "dtr"}}));
        QVERIFY(!readSweepLine("nonsense", m_request));
    }
};

QTEST_GUILESS_MAIN(TestSweepElsewhere)
#include "tst_sweep_elsewhere.moc"
