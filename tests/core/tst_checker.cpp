// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"
#include "core/plan/checker.h"
#include "core/plan/simulator.h"
#include "tests/support/graphs.h"

#include <QtTest>

using namespace remat;
using namespace remat::test;

namespace {

/// A chain of three forward stages, the loss and the backward; 13 steps of computing and freeing.
struct Chain {
    Graph graph = chainGraph(3, {.activationBytes = 100 * kKiB, .gradientBytes = 100 * kKiB, .parameterBytes = 512});
    CostTable costs = graphCosts(graph);
    Plan plan = keepAllPlan(graph);

    Verdict check() const { return checkPlan(graph, costs, plan); }
    StorageId storage(const std::string &name) const
    {
        for (std::size_t s = 0; s < graph.storages.size(); ++s)
            if (graph.storages[s].name == name) return StorageId(s);
        return {};
    }
    std::size_t stepOf(const Step &step) const
    {
        return static_cast<std::size_t>(std::find(plan.steps.begin(), plan.steps.end(), step) - plan.steps.begin());
    }
};

} // namespace

class TestChecker : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aGoodPlanPasses()
    {
        const Chain chain;
        const Verdict verdict = chain.check();
        QVERIFY2(verdict.ok, verdict.sentence.c_str());
        QCOMPARE(verdict.step, -1);
        QCOMPARE(verdict.timeUs, 3 * 1.0 + 1 + 3 * 2.0);
        QVERIFY(verdict.sentence.empty());
        // During the last but one backward op: activations 1 and 2 are read, gradient above and below, parameter
        // gradients.
        QCOMPARE(verdict.peakBytes, 400 * kKiB + 1 + 512);
    }

    void aStepRemoved()
    {
        Chain chain;
        chain.plan.steps.erase(chain.plan.steps.begin() + 1); // the second forward stage
        const Verdict verdict = chain.check();
        QVERIFY(!verdict.ok);
        QCOMPARE(verdict.step, 1);
        QCOMPARE(QString::fromStdString(verdict.sentence), QString("Step 1 reads s2, which was never made."));
    }

    void aFreeTooEarly()
    {
        Chain chain;
        const std::size_t at = chain.stepOf(Step::free(chain.storage("s1")));
        QVERIFY(at < chain.plan.steps.size());
        std::rotate(chain.plan.steps.begin() + 2, chain.plan.steps.begin() + static_cast<std::ptrdiff_t>(at),
                    chain.plan.steps.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        const Verdict verdict = chain.check();
        QVERIFY(!verdict.ok);
        QVERIFY(verdict.step > 2);
        QCOMPARE(QString::fromStdString(verdict.sentence),
                 QString("Step %1 reads s1, which was freed at step 2.").arg(verdict.step));
    }

    void theBudget()
    {
        Chain chain;
        const std::int64_t peak = chain.check().peakBytes;
        chain.plan.budgetBytes = peak;
        QVERIFY(chain.check().ok);
        chain.plan.budgetBytes = 300 * kKiB;
        const Verdict verdict = chain.check();
        QVERIFY(!verdict.ok);
        QCOMPARE(verdict.step, 3); // the loss, beside three activations
        QCOMPARE(QString::fromStdString(verdict.sentence),
                 QString("Step 3 (compute op3) holds 301 KiB, 1 B over the budget of 300 KiB."));
        QCOMPARE(verdict.peakBytes, peak);
    }

    void theBudgetBeforeALaterViolation()
    {
        Chain chain;
        chain.plan.budgetBytes = 250 * kKiB;
        chain.plan.steps.push_back(Step::free(chain.storage("s1")));
        const Verdict verdict = chain.check();
        QCOMPARE(verdict.step, 2);
        QVERIFY(verdict.sentence.find("over the budget") != std::string::npos);
    }

    void secondCopiesCountAgainstTheBudget()
    {
        Chain chain;
        const OpId first(0);
        chain.plan.steps = {Step::compute(first), Step::compute(first)};
        chain.plan.budgetBytes = 150 * kKiB;
        const Verdict verdict = chain.check();
        QCOMPARE(verdict.step, 1);
        QCOMPARE(verdict.peakBytes, 200 * kKiB);
    }

    void outputsAreHeldAtTheEnd()
    {
        Chain chain;
        chain.plan.steps.push_back(Step::free(chain.storage("loss")));
        const Verdict verdict = chain.check();
        QVERIFY(!verdict.ok);
        QCOMPARE(verdict.step, -1);
        QCOMPARE(QString::fromStdString(verdict.sentence),
                 QString("The plan ends without loss, an output of the graph."));
        chain.plan.steps.clear();
        QVERIFY(!chain.check().ok);
    }

    void computeOnce()
    {
        Chain chain;
        chain.graph.ops[0].computeOnce = true;
        QVERIFY(chain.check().ok);
        chain.plan.steps.insert(chain.plan.steps.begin() + 1, Step::compute(OpId(0)));
        const Verdict verdict = chain.check();
        QCOMPARE(verdict.step, 1);
        QVERIFY(verdict.sentence.starts_with("Step 1 computes op0 again, which writes to its inputs"));
    }

    void sumsInPlace()
    {
        // f makes s (8 B), p a term (4 B), which is added to s twice; r reads s (3 B, output), and s is an output, too.
        GraphBuilder builder;
        const StorageId x = builder.resident(1);
        const OpId f = builder.op({x}, {{8, StorageKind::Activation, true, {}}}, 1);
        const OpId p = builder.op({x}, {{4}}, 1);
        const StorageId s = builder.output(f), term = builder.output(p);
        std::vector<OpId> adds;
        for (int i = 0; i < 2; ++i) {
            adds.push_back(builder.op({s, term}, {}, 1));
            builder.edit(adds.back()).into = s;
        }
        const OpId r = builder.op({s}, {{3, StorageKind::Activation, true, {}}}, 1);
        const Graph graph = builder.finish();
        const CostTable costs = graphCosts(graph);
        const auto judge = [&](const std::vector<Step> &steps, std::int64_t step, const char *part) {
            Plan plan;
            plan.steps = steps;
            const Verdict verdict = checkPlan(graph, costs, plan);
            const auto simulation = simulate(graph, costs, steps);
            QCOMPARE(simulation.has_value(), verdict.ok);
            QCOMPARE(verdict.ok, *part == '\0');
            if (verdict.ok) QCOMPARE(verdict.peakBytes, simulation->peakBytes);
            if (verdict.ok) return;
            QCOMPARE(verdict.step, step);
            QVERIFY2(verdict.sentence.find(part) != std::string::npos, verdict.sentence.c_str());
        };
        const auto compute = [](OpId op) { return Step::compute(op); };
        const Plan keepAll = keepAllPlan(graph);
        const std::vector<Step> plain = {compute(f),       compute(p),       compute(adds[0]),
                                         compute(adds[1]), Step::free(term), compute(r)};
        QVERIFY(keepAll.steps == plain);
        judge(plain, 0, "");
        QCOMPARE(simulate(graph, costs, plain)->peakBytes, std::int64_t(12)); // no second 8 bytes

        judge({compute(f), compute(p), compute(adds[0]), compute(adds[0])}, 3, "too early");
        judge({compute(f), compute(p), compute(adds[1])}, 2, "has yet to update");
        judge({compute(f), compute(p), compute(adds[0]), compute(r)}, 3, "has yet to update");
        // Making it again beside the old one changes nothing.
        judge({compute(f), compute(p), compute(adds[0]), compute(f), compute(adds[1]), compute(r)}, 0, "");
        // A second life begins anew, and needs all that is added once more.
        judge({compute(f), compute(p), compute(adds[0]), compute(adds[1]), compute(r), Step::free(s), compute(f)}, -1,
              "lacks what");
        judge({compute(f), compute(p), compute(adds[0]), compute(adds[1]), compute(r), Step::free(s), compute(f),
               compute(adds[0]), compute(adds[1])},
              0, "");
        // What host memory has is as old as the offload: what is added after it is lost.
        judge({compute(f), compute(p), compute(adds[0]), Step::offload(s), Step::free(s), Step::prefetch(s),
               compute(adds[1]), compute(r)},
              0, "");
        judge({compute(f), compute(p), compute(adds[0]), Step::offload(s), compute(adds[1]), Step::free(s),
               Step::prefetch(s)},
              6, "no copy was offloaded");
        judge({compute(f), compute(p), compute(adds[0]), Step::offload(s), Step::free(s), compute(f), Step::free(s),
               Step::prefetch(s)},
              7, "no copy was offloaded");
    }

    void offloadsAndPrefetches()
    {
        GraphBuilder builder;
        const StorageId x = builder.resident(1);
        const OpId f = builder.op({x}, {{10}}, 3);
        const OpId g = builder.op({x}, {{6, StorageKind::Activation, true, {}}}, 20);
        const OpId h = builder.op({builder.output(f)}, {{1, StorageKind::Activation, true, {}}}, 7);
        const StorageId a = builder.output(f);
        const Graph graph = builder.finish();
        const CostTable costs = graphCosts(graph); // a copy of a takes 12 µs
        const auto check = [&](std::vector<Step> steps) {
            Plan plan;
            plan.steps = std::move(steps);
            return checkPlan(graph, costs, plan);
        };
        const Step F = Step::compute(f), G = Step::compute(g), H = Step::compute(h);
        const Step out = Step::offload(a), drop = Step::free(a), in = Step::prefetch(a);

        // Out 3..15 beside g 3..23, then back 23..35, then h.
        const Verdict late = check({F, out, G, drop, in, H});
        QVERIFY2(late.ok, late.sentence.c_str());
        QCOMPARE(late.timeUs, 42.0);
        QCOMPARE(late.peakBytes, 17);
        // Freed at once: the free waits until 15, it comes back beside g 15..35, h follows at once.
        const Verdict early = check({F, out, drop, in, G, H});
        QVERIFY2(early.ok, early.sentence.c_str());
        QCOMPARE(early.timeUs, 42.0);
        // Not freed before the end: the makespan is that of the copy lane.
        QCOMPARE(check({F, G, H, out}).timeUs, 42.0);

        QCOMPARE(check({F, drop, in}).step, 2);
        QCOMPARE(check({F, out, in}).step, 2);
        QCOMPARE(check({out}).step, 0);
        QCOMPARE(check({F, drop, out}).step, 2);
        QCOMPARE(check({F, out, drop, H}).step, 3);
    }

    void residentStorages()
    {
        Chain chain;
        for (const Step &step :
             {Step::free(chain.storage("x")), Step::offload(chain.storage("x")), Step::prefetch(chain.storage("x"))}) {
            chain.plan.steps.front() = step;
            const Verdict verdict = chain.check();
            QCOMPARE(verdict.step, 0);
            QVERIFY(verdict.sentence.find("resident") != std::string::npos);
        }
    }

    void plannedParameters()
    {
        GraphBuilder builder;
        const StorageId w = builder.resident(10, StorageKind::Parameter, "w");
        const StorageId statistics = builder.resident(100, StorageKind::Buffer, "statistics");
        const StorageId scale = builder.resident(1000, StorageKind::Parameter, "scale");
        builder.resident(7, StorageKind::Parameter, "unread");
        const OpId f = builder.op({w, statistics}, {{1}}, 3);
        const OpId g = builder.op({scale, builder.output(f)}, {{2}}, 20);
        const OpId h = builder.op({w, builder.output(g)}, {{4, StorageKind::Gradient, true}}, 7);
        builder.edit(g).computeOnce = true; // it may write to scale
        const Graph graph = builder.finish();
        const CostTable costs = graphCosts(graph); // a copy of w takes 12 µs
        const Graph derived = withPlannedParameters(graph);
        QVERIFY(derived.planned(w) && derived.parametersPlanned);
        for (std::size_t s = 1; s < 4; ++s)
            QVERIFY(!derived.planned(StorageId(s)));
        QCOMPARE(graphFingerprint(derived), graph.fingerprint);

        Plan plan;
        plan.parametersPlanned = true;
        const auto check = [&](std::vector<Step> steps) {
            plan.steps = std::move(steps);
            const Verdict verdict = checkPlan(graph, costs, plan);
            const auto simulation = simulatePlan(graph, costs, plan);
            if (simulation.has_value() != verdict.ok) qFatal("simulator and checker differ");
            return verdict;
        };
        const Step F = Step::compute(f), G = Step::compute(g), H = Step::compute(h);
        const Step drop = Step::free(w), in = Step::prefetch(w);

        const Verdict stays = check({F, G, H});
        QVERIFY2(stays.ok, stays.sentence.c_str());
        QCOMPARE(stays.peakBytes, 17);
        QCOMPARE(stays.timeUs, 30.0);
        // Away while g runs, without an offload, and back before h: 23..35.
        const Verdict away = check({F, drop, G, in, H});
        QVERIFY2(away.ok, away.sentence.c_str());
        QCOMPARE(away.timeUs, 42.0);
        QCOMPARE(away.peakBytes, 17);
        // Begins in host memory, so it must end there.
        const Verdict fetched = check({in, F, drop, G, in, H, drop});
        QVERIFY2(fetched.ok, fetched.sentence.c_str());
        QCOMPARE(fetched.timeUs, 54.0);
        QCOMPARE(check({in, F, G, H}).sentence,
                 std::string(
                     "The plan ends with w on the device, a parameter that it begins with in host memory; free it."));
        QCOMPARE(check({F, G, H, drop}).sentence,
                 std::string("The plan ends without w, a parameter that it begins with on the device; prefetch it."));
        QCOMPARE(check({F, drop, G, H}).step, 3);
        QCOMPARE(check({F, in, G, H}).step, 1);
        QCOMPARE(check({F, Step::free(statistics)}).step, 1);
        QCOMPARE(check({F, G, Step::free(scale)}).step, 2);

        // What is held before the first step counts.
        plan.budgetBytes = 9;
        QCOMPARE(check({drop}).step, 0);
        plan.budgetBytes = 0;
        plan.parametersPlanned = false;
        QCOMPARE(check({F, drop}).step, 1);
        QCOMPARE(check({F, G, H}).peakBytes, 7);
    }

    void idsOutOfRange()
    {
        Chain chain;
        for (const Step &step : {Step::compute(OpId()), Step::compute(OpId(7)), Step::free(StorageId()),
                                 Step::prefetch(StorageId(99)), Step::offload(StorageId(-5))}) {
            chain.plan.steps.front() = step;
            QCOMPARE(chain.check().step, 0);
        }
    }

    void ownPrediction()
    {
        Chain chain;
        const Verdict found = chain.check();
        chain.plan.costSource = chain.costs.source;
        chain.plan.predicted.peakBytes = found.peakBytes;
        chain.plan.predicted.timeUs = found.timeUs * (1 + 1e-8);
        QVERIFY(chain.check().ok);
        chain.plan.predicted.timeUs = found.timeUs * 1.001;
        QVERIFY(!chain.check().ok);
        chain.plan.predicted.timeUs = found.timeUs;
        chain.plan.predicted.peakBytes = found.peakBytes - 1;
        const Verdict wrong = chain.check();
        QVERIFY(!wrong.ok);
        QCOMPARE(wrong.step, -1);
        QVERIFY(wrong.sentence.starts_with("The plan says that its peak is"));
        chain.plan.costSource.device = "another";
        QVERIFY(chain.check().ok);
    }
};

QTEST_GUILESS_MAIN(TestChecker)
#include "tst_checker.moc"
