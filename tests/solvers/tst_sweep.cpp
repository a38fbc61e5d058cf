// SPDX-License-Identifier: Apache-2.0
#include "core/plan/checker.h"
#include "solvers/uses/sweep.h"
#include "tests/solvers/fake_planner.h"
#include "tests/solvers/solving.h"
#include "tests/support/patience.h"

#include <QtTest>

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

using namespace remat;

namespace {

SolveOutcome planned(const Graph &graph, const std::vector<OpId> &sequence)
{
    SolveOutcome outcome;
    outcome.status = SolveStatus::Feasible;
    outcome.plan.emplace();
    outcome.plan->steps = withEarliestFrees(graph, sequence);
    return outcome;
}

/// Every op once, and the first one `more` times more.
SolveOutcome slowPlan(const Graph &graph, int more)
{
    std::vector<OpId> sequence(static_cast<std::size_t>(more), OpId(std::size_t(0)));
    for (std::size_t op = 0; op < graph.ops.size(); ++op)
        sequence.emplace_back(op);
    return planned(graph, sequence);
}

SweepEntry entryOf(const std::string &name)
{
    const Planner *planner = *findPlanner(name);
    return {planner, *makeOptions(planner->info.options, {})};
}

SweepRequest requestOf(const test::Case &of, std::vector<SweepEntry> entries, const std::vector<double> &percents)
{
    SweepRequest request;
    request.graph = &of.graph;
    request.costs = &of.costs;
    request.entries = std::move(entries);
    for (const double percent : percents)
        request.budgetBytes.push_back(of.percent(percent));
    return request;
}

} // namespace

/// sweep(): one curve per planner, what budgets share, and what is left after a stop.
class TestSweep : public QObject
{
    Q_OBJECT

private:
    const test::Case m_chain{test::chainGraph(12)};
    const test::Case m_layers{test::layeredGraph(2)};

private Q_SLOTS:
    void everyPlanIsCheckedAndCurvesAreMonotone_data()
    {
        QTest::addColumn<bool>("layered");
        QTest::newRow("chain") << false;
        QTest::newRow("layers") << true;
    }
    void everyPlanIsCheckedAndCurvesAreMonotone()
    {
        QFETCH(bool, layered);
        const test::Case &of = layered ? m_layers : m_chain;
        SweepRequest request =
            requestOf(of, {entryOf("hiremate"), entryOf("chen-sqrt"), entryOf("keep-all")}, {50, 100, 75, 60, 75, 5});
        request.secondsPerPlan = 5;
        SolveContext context;
        context.threads = 2;
        const Expected<Sweep> result = sweep(request, context);
        QVERIFY2(result.has_value(), test::sentenceOf(result).c_str());
        QCOMPARE(result->keepAllPeakBytes, of.keepAllPeakBytes);
        QCOMPARE(result->keepAllTimeUs, of.keepAllTimeUs);
        QCOMPARE(result->points.size(), std::size_t(15));
        int plans = 0;
        for (std::size_t i = 0; i < result->points.size(); ++i) {
            const SweepPoint &point = result->points[i];
            QCOMPARE(point.entry, i / 5);
            QCOMPARE(point.budgetBytes, of.percent(std::vector<double>{100, 75, 60, 50, 5}[i % 5]));
            QCOMPARE(point.bound.timeUs, result->points[i % 5].bound.timeUs);
            QVERIFY(!point.failed);
            if (!point.plan) {
                QVERIFY(!point.message.empty());
                continue;
            }
            ++plans;
            QCOMPARE(point.plan->budgetBytes, point.budgetBytes);
            QVERIFY(point.plan->predicted.peakBytes <= point.budgetBytes);
            QVERIFY(checkPlan(of.graph, of.costs, *point.plan).ok);
            QVERIFY(point.overhead >= point.boundOverhead - 1e-9);
            if (i % 5 > 0 && result->points[i - 1].plan) QVERIFY(point.overhead >= result->points[i - 1].overhead);
        }
        QVERIFY(result->points[0].plan && result->points[5].plan && result->points[10].plan);
        QVERIFY(!result->points[4].plan && !result->points[11].plan);
        QVERIFY(plans >= 6);
    }

    void aSmallerBudgetsFasterPlanIsTaken()
    {
        // Slower the more memory there is, none at 60 %, and a wrong call at 50 %.
        for (const bool usesTime : {false, true}) {
            const Planner fake = test::fakePlanner(
                [&](const SolveRequest &request, const SolveContext &) -> Expected<SolveOutcome> {
                    if (request.budgetBytes == m_chain.percent(150)) return SolveOutcome{};
                    if (request.budgetBytes == m_chain.percent(120)) return fail("Not today.");
                    return slowPlan(m_chain.graph, request.budgetBytes == m_chain.percent(110) ? 1 : 3);
                },
                usesTime);
            const Expected<Sweep> result =
                sweep(requestOf(m_chain, {{&fake, {}}}, {200, 150, 120, 110}), SolveContext{});
            QVERIFY2(result.has_value(), test::sentenceOf(result).c_str());
            for (const std::size_t i : {std::size_t(0), std::size_t(1)}) {
                const SweepPoint &point = result->points[i];
                QVERIFY(point.plan);
                QCOMPARE(point.madeForBytes, m_chain.percent(110));
                QCOMPARE(point.plan->budgetBytes, point.budgetBytes);
                QCOMPARE(point.plan->predicted.timeUs, m_chain.keepAllTimeUs + 1);
                QCOMPARE(statusName(point.status), "feasible");
                QVERIFY(!point.message.empty());
            }
            QVERIFY(result->points[2].failed && !result->points[2].plan);
            QCOMPARE(result->points[2].message, std::string("Not today."));
            QCOMPARE(result->points[3].madeForBytes, m_chain.percent(110));
        }
    }

    void patientPlannersStartFromTheBestPlanBelow()
    {
        std::map<std::int64_t, double> startUs; // by budget; -1 for none
        const auto answer = [&](const SolveRequest &request, const SolveContext &) -> Expected<SolveOutcome> {
            startUs[request.budgetBytes] = request.start ? request.start->predicted.timeUs : -1;
            if (request.budgetBytes == m_chain.percent(100)) return SolveOutcome{};
            return slowPlan(m_chain.graph, request.budgetBytes == m_chain.percent(130) ? 9 : 4);
        };
        const Planner patient = test::fakePlanner(answer, true);
        const SweepRequest request = requestOf(m_chain, {{&patient, {}}}, {140, 130, 120, 110, 100});
        QVERIFY(sweep(request, SolveContext{}));
        const double four = m_chain.keepAllTimeUs + 4;
        const std::vector<double> wanted = {-1, -1, four, four, four};
        std::size_t i = 0;
        for (const auto &[budget, us] : startUs)
            QCOMPARE(us, wanted[i++]);

        startUs.clear();
        const Planner quick = test::fakePlanner(answer, false);
        QVERIFY(sweep(requestOf(m_chain, {{&quick, {}}}, {140, 120, 110}), SolveContext{}));
        for (const auto &[budget, us] : startUs)
            QCOMPARE(us, -1.0);
    }

    void boundsAreThoseOfTheBudgetOrBetter()
    {
        const Expected<Sweep> result =
            sweep(requestOf(m_layers, {entryOf("keep-all")}, {100, 90, 80, 70, 60, 50, 45, 40}), SolveContext{});
        QVERIFY2(result.has_value(), test::sentenceOf(result).c_str());
        double above = 0;
        for (const SweepPoint &point : result->points) {
            const TimeBound own = bestTimeBound(m_layers.graph, m_layers.costs, point.budgetBytes);
            QVERIFY(point.bound.timeUs >= own.timeUs || own.infeasible);
            QVERIFY(point.boundOverhead >= above);
            above = point.boundOverhead;
        }
        QVERIFY(above > 0);
    }

    void theSameForAnyNumberOfThreads()
    {
        const SweepRequest request =
            requestOf(m_layers, {entryOf("chen-sqrt"), entryOf("keep-all")}, {100, 90, 80, 70, 60, 50, 40, 30});
        SolveContext one, four;
        four.threads = 4;
        const Expected<Sweep> a = sweep(request, one), b = sweep(request, four);
        QVERIFY(a && b);
        for (std::size_t i = 0; i < a->points.size(); ++i) {
            QCOMPARE(a->points[i].plan == nullptr, b->points[i].plan == nullptr);
            if (a->points[i].plan) QVERIFY(a->points[i].plan->steps == b->points[i].plan->steps);
            QCOMPARE(a->points[i].message, b->points[i].message);
        }
    }

    void aStopKeepsWhatIsThere()
    {
        for (const bool usesTime : {false, true}) {
            StopToken stop;
            std::atomic<int> calls{0};
            const Planner fake = test::fakePlanner(
                [&](const SolveRequest &, const SolveContext &) -> Expected<SolveOutcome> {
                    if (++calls == 2) stop.requestStop();
                    SolveOutcome outcome = slowPlan(m_chain.graph, 1);
                    if (calls == 2) outcome.status = SolveStatus::Stopped;
                    return outcome;
                },
                usesTime);
            SolveContext context;
            context.stop = &stop;
            const Expected<Sweep> result =
                sweep(requestOf(m_chain, {{&fake, {}}, {&fake, {}}}, {150, 140, 130, 120}), context);
            QVERIFY(result);
            QCOMPARE(calls.load(), 2);
            int made = 0;
            for (const SweepPoint &point : result->points) {
                made += point.plan && point.madeForBytes == point.budgetBytes ? 1 : 0;
                QVERIFY(point.plan || (point.status == SolveStatus::Stopped && !point.message.empty()));
            }
            QCOMPARE(made, 2);
            QVERIFY(!result->points[4].plan); // the second planner never ran
        }
    }

    void everyPlanKeepsItsLimit()
    {
        std::atomic<int> threads{0};
        const Planner fake = test::fakePlanner(
            [&](const SolveRequest &, const SolveContext &context) -> Expected<SolveOutcome> {
                threads = context.threads;
                while (!context.shouldStop())
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                return slowPlan(m_chain.graph, 1);
            },
            true);
        SweepRequest request = requestOf(m_chain, {{&fake, {}}, {&fake, {}}}, {150, 140, 130});
        request.secondsPerPlan = 0.1;
        SolveContext context;
        context.threads = 4;
        const Expected<Sweep> result = sweep(request, context);
        QVERIFY(result);
        QCOMPARE(threads.load(), 2); // two planners side by side
        for (const SweepPoint &point : result->points)
            QVERIFY2(point.seconds >= 0.04 && point.seconds < test::kPatienceSeconds,
                     std::to_string(point.seconds).c_str());

        context.deadline = Deadline(0.15); // for the whole sweep
        const auto start = std::chrono::steady_clock::now();
        QVERIFY(sweep(request, context));
        QVERIFY(std::chrono::steady_clock::now() - start < std::chrono::milliseconds(test::kPatienceMs));
    }

    void progressSpeaksOfEveryPlanner()
    {
        std::vector<int> done(2, 0);
        std::atomic<int> inside{0};
        bool overlapped = false, stage = false;
        const Planner patient = test::fakePlanner(
            [&](const SolveRequest &, const SolveContext &context) -> Expected<SolveOutcome> {
                SolveProgress progress;
                progress.activity = "Stage";
                context.progress(progress);
                return slowPlan(m_chain.graph, 1);
            },
            true);
        SolveContext context;
        context.threads = 3;
        const Expected<Sweep> result =
            sweep(requestOf(m_chain, {{&patient, {}}, entryOf("keep-all")}, {150, 140, 130}), context,
                  [&](const SweepProgress &progress) {
                      overlapped = overlapped || ++inside != 1;
                      stage = stage || (progress.entry == 0 && progress.solve.activity == "Stage");
                      if (progress.finished) {
                          QCOMPARE(progress.done, ++done[progress.entry]);
                          QCOMPARE(progress.finished->budgetBytes, progress.budgetBytes);
                      }
                      QCOMPARE(progress.total, 3);
                      --inside;
                  });
        QVERIFY(result);
        QVERIFY(!overlapped && stage);
        QCOMPARE(done, (std::vector<int>{3, 3}));
    }

    void wrongCallsGetASentence()
    {
        const auto refused = [](const SweepRequest &request) {
            const Expected<Sweep> result = sweep(request, SolveContext{});
            return !result && result.error().message.size() > 20;
        };
        QVERIFY(refused(requestOf(m_chain, {}, {50})));
        QVERIFY(refused(requestOf(m_chain, {entryOf("keep-all")}, {})));
        QVERIFY(refused(requestOf(m_chain, {entryOf("keep-all")}, {50, 0})));
        test::Case other = m_chain;
        other.costs.timeUs.pop_back();
        QVERIFY(refused(requestOf(other, {entryOf("keep-all")}, {50})));
        other.graph.ops.clear();
        QVERIFY(refused(requestOf(other, {entryOf("keep-all")}, {50})));
    }
};

QTEST_GUILESS_MAIN(TestSweep)
#include "tst_sweep.moc"
