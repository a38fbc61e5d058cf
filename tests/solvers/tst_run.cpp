// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/bounds.h"
#include "tests/solvers/fake_planner.h"
#include "tests/solvers/solving.h"

#include <QtTest>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>

using namespace remat;

namespace {

SolveOutcome withSteps(std::vector<Step> steps)
{
    SolveOutcome outcome;
    outcome.status = SolveStatus::Feasible;
    outcome.plan.emplace();
    outcome.plan->steps = std::move(steps);
    return outcome;
}

Expected<SolveOutcome> solveFake(const test::Case &of, std::int64_t budget, const test::Answer &answer,
                                 const SolveContext &context = {})
{
    SolveRequest request;
    request.graph = &of.graph;
    request.costs = &of.costs;
    request.budgetBytes = budget;
    return solve(test::fakePlanner(answer), request, context);
}

Expected<SolveOutcome> keepAll(const SolveRequest &request, const SolveContext &)
{
    return withSteps(keepAllPlan(*request.graph).steps);
}

} // namespace

/// solve(): nothing unchecked gets out, and everything that does is complete.
class TestRun : public QObject
{
    Q_OBJECT

private:
    const test::Case m_chain{test::chainGraph(6)};

private Q_SLOTS:
    void takesTheBoundOfTheCaller()
    {
        SolveRequest request;
        request.graph = &m_chain.graph;
        request.costs = &m_chain.costs;
        request.budgetBytes = m_chain.keepAllPeakBytes;
        request.bound.emplace();
        request.bound->timeUs = 0.5 * m_chain.keepAllTimeUs;
        double told = -1;
        const Planner fake = test::fakePlanner([&](const SolveRequest &r, const SolveContext &context) {
            told = context.boundTimeUs;
            return keepAll(r, context);
        });
        const auto outcome = solve(fake, request, {});
        QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
        QCOMPARE(told, request.bound->timeUs);
        QCOMPARE(outcome->boundTimeUs, request.bound->timeUs);
        QCOMPARE(outcome->plan->predicted.lowerBoundTimeUs, request.bound->timeUs);
        QCOMPARE(statusName(outcome->status), "feasible");
    }

    void fillsEverythingIn()
    {
        const Expected<SolveOutcome> outcome = solveFake(m_chain, m_chain.keepAllPeakBytes, keepAll);
        QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
        const Plan &plan = *outcome->plan;
        QCOMPARE(plan.budgetBytes, m_chain.keepAllPeakBytes);
        QCOMPARE(plan.origin.solver, std::string("fake"));
        QCOMPARE(plan.origin.status, std::string("optimal"));
        QVERIFY(plan.origin.seconds >= 0);
        QVERIFY(plan.costSource == m_chain.costs.source);
        QCOMPARE(plan.predicted.peakBytes, m_chain.keepAllPeakBytes);
        QCOMPARE(plan.predicted.keepAllPeakBytes, m_chain.keepAllPeakBytes);
        QCOMPARE(plan.predicted.timeUs, m_chain.keepAllTimeUs);
        QCOMPARE(plan.predicted.lowerBoundTimeUs, m_chain.keepAllTimeUs);
        QCOMPARE(outcome->boundTimeUs, m_chain.keepAllTimeUs);
    }

    void aPlanAtTheBoundIsOptimal()
    {
        const Expected<SolveOutcome> outcome = solveFake(m_chain, m_chain.keepAllPeakBytes, keepAll);
        QCOMPARE(outcome->status, SolveStatus::Optimal);
    }

    void anOverBudgetPlanIsNotReturned()
    {
        const Expected<SolveOutcome> outcome = solveFake(m_chain, m_chain.keepAllPeakBytes - 1, keepAll);
        QVERIFY(!outcome.has_value());
        QVERIFY2(outcome.error().message.find("fake made a plan that breaks the rules") != std::string::npos,
                 outcome.error().message.c_str());
    }

    void aPlanThatMissesAStepIsNotReturned()
    {
        for (std::size_t missing = 0; missing < keepAllPlan(m_chain.graph).steps.size(); ++missing) {
            std::vector<Step> steps = keepAllPlan(m_chain.graph).steps;
            if (steps[missing].kind != StepKind::Compute) continue;
            steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(missing));
            const auto answer = [&](const SolveRequest &, const SolveContext &) { return withSteps(steps); };
            QVERIFY(!solveFake(m_chain, 10 * m_chain.keepAllPeakBytes, answer).has_value());
        }
    }

    void aBudgetUnderTheWorkingSetIsRefusedWithoutAsking()
    {
        const PeakBound floor = workingSetBound(m_chain.graph, m_chain.costs);
        bool asked = false;
        const auto answer = [&](const SolveRequest &request, const SolveContext &context) {
            asked = true;
            return keepAll(request, context);
        };
        const Expected<SolveOutcome> outcome = solveFake(m_chain, floor.bytes - 1, answer);
        QVERIFY(outcome.has_value());
        QCOMPARE(outcome->status, SolveStatus::Infeasible);
        QVERIFY(!outcome->plan && !asked);
        QCOMPARE(outcome->smallestPeakBytes, floor.bytes);
        const std::string sentence = "op " + m_chain.graph.op(floor.op).name + " alone needs ";
        QVERIFY2(outcome->message.starts_with("No plan fits ") && outcome->message.find(sentence) != std::string::npos,
                 outcome->message.c_str());
    }

    void unusableRequests()
    {
        QVERIFY(!solveFake(m_chain, 0, keepAll).has_value());
        QVERIFY(!solveFake(m_chain, -5, keepAll).has_value());
        test::Case other = m_chain;
        other.costs.timeUs.pop_back();
        QVERIFY(!solveFake(other, m_chain.keepAllPeakBytes, keepAll).has_value());
    }

    void anExceptionIsAFailedCall()
    {
        const auto answer = [](const SolveRequest &, const SolveContext &) -> Expected<SolveOutcome> {
            throw std::runtime_error("out of ideas");
        };
        const Expected<SolveOutcome> outcome = solveFake(m_chain, m_chain.keepAllPeakBytes, answer);
        QVERIFY(!outcome.has_value());
        QVERIFY(outcome.error().message.find("out of ideas") != std::string::npos);
    }

    void progressComesOneAtATimeFromAnyThread()
    {
        std::atomic<int> inside{0}, calls{0};
        std::atomic<bool> overlapped{false};
        SolveContext context;
        context.progress = [&](const SolveProgress &) {
            if (++inside > 1) overlapped = true;
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            --inside;
            ++calls;
        };
        const auto answer = [](const SolveRequest &request, const SolveContext &given) {
            std::vector<std::thread> threads;
            for (int t = 0; t < 4; ++t)
                threads.emplace_back([&given] {
                    for (int i = 0; i < 20; ++i)
                        given.progress({});
                });
            for (std::thread &thread : threads)
                thread.join();
            return keepAll(request, given);
        };
        QVERIFY(solveFake(m_chain, m_chain.keepAllPeakBytes, answer, context).has_value());
        QCOMPARE(calls.load(), 80);
        QVERIFY(!overlapped);
    }

    void onlyCheckedAndBetterIncumbentsAreShown()
    {
        std::vector<double> shown;
        SolveContext context;
        context.progress = [&](const SolveProgress &progress) {
            if (progress.incumbent) shown.push_back(progress.incumbent->predicted.timeUs);
        };
        const auto answer = [](const SolveRequest &request, const SolveContext &given) {
            SolveProgress progress;
            const auto tell = [&](std::vector<Step> steps) {
                const auto plan = std::make_shared<Plan>();
                plan->steps = std::move(steps);
                progress.incumbent = plan;
                given.progress(progress);
            };
            tell({});
            std::vector<OpId> twice = computeSequence(keepAllPlan(*request.graph));
            twice.insert(twice.begin(), twice.front());
            tell(withEarliestFrees(*request.graph, twice));
            tell(keepAllPlan(*request.graph).steps);
            tell(withEarliestFrees(*request.graph, twice));
            return keepAll(request, given);
        };
        QVERIFY(solveFake(m_chain, m_chain.keepAllPeakBytes, answer, context).has_value());
        QCOMPARE(shown.size(), std::size_t(2));
        QVERIFY(shown[0] > shown[1]);
    }

    /// The sum s (10 B) is read for the output r (40 B), at once or by way of m (45 B), before something is added to
    /// it: then r cannot be made again, and all of it is held while b (60 B) is.
    void anOutputMadeOfAnEarlierSumIsNotMadeAgain_data()
    {
        QTest::addColumn<bool>("between");
        QTest::newRow("at once") << false;
        QTest::newRow("by way of another") << true;
    }
    void anOutputMadeOfAnEarlierSumIsNotMadeAgain()
    {
        QFETCH(const bool, between);
        test::GraphBuilder builder;
        const StorageId x = builder.resident(1);
        const StorageId s = builder.output(builder.op({x}, {{10}}, 1));
        const StorageId from = between ? builder.output(builder.op({s}, {{45}}, 1)) : s;
        builder.op({from}, {{40, StorageKind::Activation, true, {}}}, 1);
        const StorageId term = builder.output(builder.op({s}, {{10}}, 1));
        builder.edit(builder.op({s, term}, {}, 1)).into = s;
        const StorageId b = builder.output(builder.op({s}, {{60}}, 1));
        builder.op({s, b}, {{1, StorageKind::Activation, true, {}}}, 1);
        const test::Case sums(builder.finish());
        QCOMPARE(sums.keepAllPeakBytes, std::int64_t(111));
        for (const char *planner : {"search", "hiremate", "moccasin", "checkmate", "auto"}) {
            const auto outcome = test::plan(planner, sums, 100);
            QVERIFY2(outcome.has_value(), planner);
            QVERIFY2(!outcome->plan, planner);
            QVERIFY2(test::plan(planner, sums, 111)->plan, planner);
        }
    }

    void keepAllPlanner()
    {
        const auto fits = test::plan("keep-all", m_chain, m_chain.keepAllPeakBytes);
        QCOMPARE(fits->status, SolveStatus::Optimal);
        const auto over = test::plan("keep-all", m_chain, m_chain.keepAllPeakBytes - 1);
        QCOMPARE(over->status, SolveStatus::Infeasible);
        QCOMPARE(over->smallestPeakBytes, m_chain.keepAllPeakBytes);
        QVERIFY(!over->message.empty());
    }
};

QTEST_GUILESS_MAIN(TestRun)
#include "tst_run.moc"
