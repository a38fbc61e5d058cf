// SPDX-License-Identifier: Apache-2.0
// Plans whose layout is within the budget: graphs on which the plan for the budget itself lies higher, planners that
// cannot do it, decisions by hand.
#include "core/addresses/layout.h"
#include "core/base/stop_token.h"
#include "core/plan/checker.h"
#include "solvers/uses/address_fit.h"
#include "tests/solvers/fake_planner.h"
#include "tests/solvers/solving.h"

#include <QtTest>

#include <algorithm>

using namespace remat;

namespace {

constexpr const char *kPlanner = "xla-greedy";

test::Case randomTraining(int ops, std::uint64_t seed)
{
    test::RandomGraphParams params;
    params.ops = ops;
    params.joint = true;
    params.maxBytes = 97;
    return test::Case(test::randomGraph(seed, params));
}

SearchedLayout layoutOf(const test::Case &of, const std::vector<Step> &steps)
{
    return layOutWell(memoryInstances(of.graph, of.costs, steps), {});
}

/// A plan whose peak is all of its budget and whose layout is higher than that.
struct Fragmented {
    test::Case of;
    SolveOutcome outcome;
    std::int64_t budgetBytes = 0;

    SolveRequest request() const
    {
        SolveRequest request;
        request.graph = &of.graph;
        request.costs = &of.costs;
        request.budgetBytes = budgetBytes;
        return request;
    }
};

Fragmented fragmented(int ops, std::uint64_t seed, double percent)
{
    test::Case of = randomTraining(ops, seed);
    const auto rough = test::plan(kPlanner, of, of.percent(percent));
    const std::int64_t budget = rough.value().plan.value().predicted.peakBytes;
    SolveOutcome outcome = test::plan(kPlanner, of, budget).value();
    return {std::move(of), std::move(outcome), budget};
}

/// Gives the fragmented plan for its budget or more, and none for less.
Planner onlyThatPlan(const Fragmented &given, int &calls)
{
    return test::fakePlanner([&](const SolveRequest &request, const SolveContext &) -> Expected<SolveOutcome> {
        ++calls;
        SolveOutcome outcome;
        if (request.budgetBytes < given.budgetBytes) return outcome;
        outcome.status = SolveStatus::Feasible;
        outcome.plan.emplace().steps = given.outcome.plan->steps;
        return outcome;
    });
}

} // namespace

class TstAddressFit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fitsWhereThePlanOfTheBudgetDoesNot_data()
    {
        QTest::addColumn<int>("ops");
        QTest::addColumn<int>("seed");
        QTest::addColumn<double>("percent");
        QTest::newRow("at the second try") << 24 << 7 << 85.0;
        QTest::newRow("at the third try") << 30 << 36 << 75.0;
    }

    void fitsWhereThePlanOfTheBudgetDoesNot()
    {
        QFETCH(int, ops);
        QFETCH(int, seed);
        QFETCH(double, percent);
        const Fragmented given = fragmented(ops, static_cast<std::uint64_t>(seed), percent);
        const Plan &high = *given.outcome.plan;
        QVERIFY(layoutOf(given.of, high.steps).layout.heightBytes > given.budgetBytes);

        SolveRequest request = given.request();
        const Planner &planner = *findPlanner(kPlanner).value();
        request.options = makeOptions(planner.info.options, {}).value();
        const auto fit = solveToFit(planner, request, {});
        QVERIFY2(fit.has_value(), test::sentenceOf(fit).c_str());
        QVERIFY2(fit->outcome.plan.has_value(), fit->outcome.message.c_str());
        QVERIFY(fit->tries > 1 && fit->tries <= kMostFitTries);
        QVERIFY(fit->triedBudgetBytes < given.budgetBytes);

        const Plan &plan = *fit->outcome.plan;
        const SearchedLayout layout = layoutOf(given.of, plan.steps);
        QVERIFY(!layoutFault(memoryInstances(given.of.graph, given.of.costs, plan.steps), layout.layout));
        QCOMPARE(layout.layout.heightBytes, fit->heightBytes);
        QVERIFY(fit->heightBytes <= given.budgetBytes);
        // A plan for what was asked for, in all that it says of itself.
        QCOMPARE(plan.budgetBytes, given.budgetBytes);
        QCOMPARE(plan.origin.solver, std::string(kPlanner));
        const Verdict verdict = checkPlan(given.of.graph, given.of.costs, plan);
        QVERIFY2(verdict.ok, verdict.sentence.c_str());
        QCOMPARE(fit->outcome.boundTimeUs, plan.predicted.lowerBoundTimeUs);
        QCOMPARE(plan.predicted.lowerBoundTimeUs, high.predicted.lowerBoundTimeUs);
        QVERIFY(plan.predicted.lowerBoundTimeUs <= high.predicted.timeUs);
    }

    void takesThePlanOfTheBudgetWhereItFits()
    {
        const test::Case of(test::chainGraph(8));
        SolveRequest request;
        request.graph = &of.graph;
        request.costs = &of.costs;
        request.budgetBytes = of.percent(70);
        const Planner &planner = *findPlanner("chen-greedy").value();
        request.options = makeOptions(planner.info.options, {}).value();
        const auto fit = solveToFit(planner, request, {});
        QVERIFY2(fit && fit->outcome.plan, test::sentenceOf(fit).c_str());
        QCOMPARE(fit->tries, 1);
        QCOMPARE(fit->triedBudgetBytes, request.budgetBytes);
        QVERIFY(fit->outcome.plan->steps == test::plan("chen-greedy", of, request.budgetBytes)->plan->steps);
    }

    void saysWhatTheLowestWasWhereNothingFits()
    {
        const Fragmented given = fragmented(24, 7, 85);
        int calls = 0;
        const auto fit = solveToFit(onlyThatPlan(given, calls), given.request(), {});
        QVERIFY2(fit.has_value(), test::sentenceOf(fit).c_str());
        QVERIFY(!fit->outcome.plan);
        QVERIFY(fit->outcome.status == SolveStatus::Infeasible);
        QCOMPARE(fit->tries, calls);
        QVERIFY(calls > 2 && calls <= kMostFitTries);
        QVERIFY(fit->heightBytes > given.budgetBytes);
        QVERIFY2(fit->outcome.message.find("Raise the budget") != std::string::npos, fit->outcome.message.c_str());
    }

    void stopsWhenTold()
    {
        const Fragmented given = fragmented(24, 7, 85);
        StopToken stop;
        const Planner planner =
            test::fakePlanner([&](const SolveRequest &, const SolveContext &) -> Expected<SolveOutcome> {
                stop.requestStop();
                SolveOutcome outcome;
                outcome.status = SolveStatus::Stopped;
                outcome.plan.emplace().steps = given.outcome.plan->steps;
                return outcome;
            });
        SolveContext context;
        context.stop = &stop;
        const auto fit = solveToFit(planner, given.request(), context);
        QVERIFY2(fit.has_value(), test::sentenceOf(fit).c_str());
        QVERIFY(!fit->outcome.plan && fit->outcome.status == SolveStatus::Stopped);
        QCOMPARE(fit->tries, 1);
    }

    void leavesToThePlannerWhatNoPeakFits()
    {
        const test::Case of(test::chainGraph(8));
        SolveRequest request;
        request.graph = &of.graph;
        request.costs = &of.costs;
        request.budgetBytes = 1;
        const Planner &planner = *findPlanner("chen-greedy").value();
        request.options = makeOptions(planner.info.options, {}).value();
        const auto fit = solveToFit(planner, request, {});
        QVERIFY(fit && !fit->outcome.plan);
        QCOMPARE(fit->tries, 1);
        QCOMPARE(fit->outcome.message, test::plan("chen-greedy", of, 1)->message);
    }

    void keepsDecisionsByHand()
    {
        const Fragmented given = fragmented(24, 7, 85);
        SolveRequest request = given.request();
        const Planner &planner = *findPlanner(kPlanner).value();
        request.options = makeOptions(planner.info.options, {}).value();
        // An op that the plan computes once, so that forbidding more changes little.
        for (std::size_t i = 0; i < given.of.graph.ops.size(); ++i) {
            const auto &steps = given.outcome.plan->steps;
            if (std::count(steps.begin(), steps.end(), Step::compute(OpId(i))) != 1) continue;
            request.pins.never = {OpId(i)};
            const auto fit = solveToFit(planner, request, {});
            QVERIFY2(fit.has_value(), test::sentenceOf(fit).c_str());
            if (fit->tries < 2 || !fit->outcome.plan) continue;
            QCOMPARE(fit->outcome.plan->origin.options.at("never"), given.of.graph.ops[i].name);
            QVERIFY(!pinsViolated(given.of.graph, fit->outcome.plan->steps, request.pins));
            QVERIFY(layoutOf(given.of, fit->outcome.plan->steps).layout.heightBytes <= given.budgetBytes);
            return;
        }
        QFAIL("No op was found to forbid.");
    }
};

QTEST_APPLESS_MAIN(TstAddressFit)
#include "tst_address_fit.moc"
