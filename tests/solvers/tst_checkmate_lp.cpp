// SPDX-License-Identifier: Apache-2.0
#include "solvers/checkmate/rounding.h"
#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"
#include "tests/support/nets.h"

#include <QtTest>

#include <cmath>
#include <optional>

using namespace remat;

class TestCheckmateLp : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Three ops in a row and a reader of the first and the last: not held in between, the first is made again.
    void completes()
    {
        test::GraphBuilder builder;
        const OpId a = builder.op({}, {{8}});
        const OpId b = builder.op({builder.output(a)}, {{8}});
        const OpId c = builder.op({builder.output(b)}, {{8}});
        builder.op({builder.output(a), builder.output(c)}, {{1, StorageKind::Activation, true}});
        const Graph graph = builder.finish();
        const CostTable costs = test::graphCosts(graph);
        const FlatGraph flat = flatten(graph, costs);
        std::vector<std::vector<char>> held(5, std::vector<char>(static_cast<std::size_t>(flat.storages()), 0));
        held[1][0] = 1;
        held[2][1] = 1;
        held[3][2] = 1;
        QCOMPARE(checkmate::completeHeld(flat, held).size(), std::size_t(1));
        QVERIFY(checkmate::completeHeld(flat, held).front() == (Recompute{3, 0}));
        held[2][0] = held[3][0] = 1;
        QVERIFY(checkmate::completeHeld(flat, held).empty());
    }

    void noneBeatsBruteForce()
    {
        int compared = 0, found = 0;
        for (int seed = 1; seed <= 60; ++seed) {
            test::RandomGraphParams params;
            params.ops = 5 + seed % 3;
            params.computeOnce = seed % 4 == 0 ? 20 : 0;
            const test::Case of(test::randomGraph(static_cast<std::uint64_t>(seed), params));
            if (of.graph.storages.size() > 15) continue;
            for (const double share : {90., 80., 70.}) {
                const std::optional<double> best = test::bruteForceOptimum(of.graph, of.costs, of.percent(share));
                const auto outcome = test::plan("checkmate-lp", of, of.percent(share));
                QVERIFY2(outcome, test::sentenceOf(outcome).c_str());
                QVERIFY(best || !outcome->plan);
                if (!best) continue;
                ++compared;
                if (!outcome->plan) continue;
                ++found;
                QVERIFY(outcome->plan->predicted.timeUs >= *best - 1e-6);
            }
        }
        QVERIFY(compared > 20);
        QVERIFY2(found * 5 > compared * 2, qPrintable(QString("%1 of %2").arg(found).arg(compared)));
    }

    void nets()
    {
        for (const Graph &graph : {test::vgg16(), test::vgg19(), test::vggUnet()}) {
            const test::Case of(graph);
            int fits = 0;
            for (const char *rounding : {"deterministic", "randomised", "both"})
                for (const double share : {95., 90., 85.}) {
                    const auto outcome =
                        test::plan("checkmate-lp", of, of.percent(share), {}, {{"rounding", rounding}});
                    QVERIFY2(outcome, test::sentenceOf(outcome).c_str());
                    if (outcome->plan) ++fits;
                }
            QVERIFY2(fits >= 6, qPrintable(QString("%1 on %2").arg(fits).arg(QString::fromStdString(graph.name))));
        }
    }

    /// From where the last budget's solve ended: the same relaxations, for few iterations.
    void relaxationsOfAllBudgetsFromOneToTheNext()
    {
        for (const Graph &graph : {test::chainGraph(20, {.seed = 3}), test::vggUnet()}) {
            const test::Case of(graph);
            const FlatGraph flat = flatten(of.graph, of.costs);
            std::optional<ilp::LinearProgram> linear;
            std::int64_t fromLast = 0, fromNothing = 0;
            int infeasible = 0;
            for (double share = 95; share >= 5; share -= 5) {
                checkmate::ModelSettings settings;
                settings.budgetBytes = of.percent(share);
                const ilp::Model model = checkmate::buildSlotProgram(flat, settings).model;
                const bool first = !linear;
                if (first)
                    linear.emplace(model);
                else
                    linear->takeLimitsOf(model);
                const ilp::Relaxation next = linear->solve({});
                const ilp::Relaxation alone = ilp::solveRelaxation(model, {});
                QCOMPARE(next.status, alone.status);
                infeasible += alone.status == ilp::Status::Infeasible ? 1 : 0;
                if (alone.status != ilp::Status::Optimal) continue;
                QVERIFY(std::abs(next.objective - alone.objective) <= 1e-6 * (1 + alone.objective));
                QVERIFY(std::abs(next.bound - alone.bound) <= 1e-6 * (1 + alone.objective));
                if (first) continue;
                fromLast += next.iterations;
                fromNothing += alone.iterations;
            }
            QVERIFY(infeasible > 0);
            QVERIFY2(4 * fromLast < fromNothing, qPrintable(QString("%1 of %2").arg(fromLast).arg(fromNothing)));
        }
    }

    void everyAllowanceIsNeverSlower()
    {
        int faster = 0;
        for (const int stages : {12, 16, 20}) {
            const test::Case of(test::chainGraph(stages, {.seed = static_cast<std::uint64_t>(stages)}));
            for (const double share : {85., 70., 55.}) {
                const auto first =
                    test::plan("checkmate-lp", of, of.percent(share), {}, {{"rounding", "deterministic"}});
                const auto best = test::plan("checkmate-lp", of, of.percent(share), {},
                                             {{"rounding", "deterministic"}, {"every", "on"}});
                QVERIFY2(first && best, test::sentenceOf(best).c_str());
                QCOMPARE(best->plan.has_value(), first->plan.has_value());
                if (!first->plan) continue;
                QVERIFY(best->plan->predicted.timeUs <= first->plan->predicted.timeUs);
                faster += best->plan->predicted.timeUs < first->plan->predicted.timeUs ? 1 : 0;
            }
        }
        QVERIFY2(faster > 0, "it makes no difference");
    }

    void smallerStepsAreNeverSlower()
    {
        // Every allowance of the larger step is one of the smaller one's.
        int faster = 0;
        for (const int stages : {12, 16, 20}) {
            const test::Case of(test::chainGraph(stages, {.seed = static_cast<std::uint64_t>(stages)}));
            for (const double share : {85., 70., 55.}) {
                const auto planned = [&](const char *step) {
                    return test::plan("checkmate-lp", of, of.percent(share), {},
                                      {{"rounding", "deterministic"}, {"every", "on"}, {"step", step}});
                };
                const Expected<SolveOutcome> large = planned("5"), small = planned("1");
                QVERIFY2(large && small, test::sentenceOf(small).c_str());
                if (!large->plan) continue;
                QVERIFY(small->plan && small->plan->predicted.timeUs <= large->plan->predicted.timeUs);
                faster += small->plan->predicted.timeUs < large->plan->predicted.timeUs ? 1 : 0;
            }
        }
        QVERIFY2(faster > 0, "it makes no difference");
    }

    void sameSeedSamePlan()
    {
        const test::Case of(test::vggUnet());
        SolveContext context;
        context.seed = 3;
        const std::map<std::string, std::string> set{{"rounding", "randomised"}};
        const auto a = test::plan("checkmate-lp", of, of.percent(80), context, set);
        const auto b = test::plan("checkmate-lp", of, of.percent(80), context, set);
        QVERIFY(a && b && a->plan && b->plan);
        QVERIFY(a->plan->steps == b->plan->steps);
    }

    void saysWhenItDoesNotApply()
    {
        const test::Case large(test::layeredGraph(20));
        const auto refused = test::plan("checkmate-lp", large, large.percent(60));
        QVERIFY(!refused);
        QVERIFY(test::sentenceOf(refused).find("max-ops") != std::string::npos);

        StopToken stop;
        stop.requestStop();
        SolveContext context;
        context.stop = &stop;
        const test::Case of(test::vggUnet());
        const auto stopped = test::plan("checkmate-lp", of, of.percent(70), context);
        QVERIFY(stopped && !stopped->plan);
        QCOMPARE(stopped->status, SolveStatus::Stopped);
    }
};

QTEST_GUILESS_MAIN(TestCheckmateLp)
#include "tst_checkmate_lp.moc"
