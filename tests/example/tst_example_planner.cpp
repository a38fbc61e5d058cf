// SPDX-License-Identifier: Apache-2.0
// The planner that solvers/README.md shows is compiled from the page itself and does what the page says.
#include "core/base/expected.h"

#include "tests/solvers/solving.h"
#include "tests/support/brute_force.h"

#include <QTest>

using namespace remat;

namespace remat::planner {
const Planner &drop_largest();
}

class TestExamplePlanner : public QObject
{
    Q_OBJECT

    static Expected<SolveOutcome> run(const test::Case &of, std::int64_t budgetBytes)
    {
        const Planner &planner = planner::drop_largest();
        SolveRequest request;
        request.graph = &of.graph;
        request.costs = &of.costs;
        request.budgetBytes = budgetBytes;
        request.options = *makeOptions(planner.info.options, {});
        return solve(planner, request, {});
    }

private Q_SLOTS:
    void plansWithinTheBudgetAndNeverBeatTheOptimum()
    {
        int plans = 0;
        for (std::uint64_t seed = 1; seed <= 30; ++seed) {
            const test::Case of(test::chainGraph(5, {.seed = seed}));
            for (const double share : {95.0, 80.0, 65.0}) {
                const Expected<SolveOutcome> outcome = run(of, of.percent(share));
                QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
                if (!outcome->plan) continue;
                ++plans;
                QVERIFY(outcome->plan->predicted.peakBytes <= of.percent(share));
                QVERIFY(outcome->plan->predicted.timeUs >=
                        *test::bruteForceOptimum(of.graph, of.costs, of.percent(share)) - 1e-9);
            }
        }
        QVERIFY2(plans > 20, qPrintable(QString::number(plans)));
    }

    void plansASample()
    {
        const auto of = test::sampleCase("resnet50");
        if (!of) QFAIL(of.error().message.c_str());
        const Expected<SolveOutcome> outcome = run(*of, of->percent(85));
        QVERIFY2(outcome && outcome->plan, outcome ? outcome->message.c_str() : outcome.error().message.c_str());
    }
};

QTEST_APPLESS_MAIN(TestExamplePlanner)
#include "tst_example_planner.moc"
