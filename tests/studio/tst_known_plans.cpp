// SPDX-License-Identifier: Apache-2.0
// What is known is never forgotten: no plan is shown that is slower than a known one that fits, no bound falls, and no
// bound is above a plan.
#include "app/studio/base/text/text.h"
#include "app/studio/work/document/standing.h"
#include "app/studio/work/jobs/quick_planner.h"
#include "core/base/resources.h"
#include "core/bounds/bounds.h"
#include "tests/studio/window_fixture.h"
#include "tests/support/sampled.h"
#include "tests/support/text_rows.h"

#include <random>

using namespace remat;
using namespace remat::studio;

namespace {

/// Steps of each of the five models, on a day and with `--all`.
constexpr int kSteps = 400, kAllSteps = 10'000;
/// Every so many the budget rests until its bound is there, which takes a sixth of a second.
constexpr int kRestEvery = 200;
/// Every so many a person's solve for the budget of that moment comes into the list.
constexpr int kSolveEvery = 150;

void waitFor(const std::function<bool()> &done)
{
    while (!done())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 1000);
}

} // namespace

class TestKnownPlans : public QObject
{
    Q_OBJECT

    fixture::OwnSettings m_settings;

    static std::shared_ptr<const CostedModel> model(const QString &name)
    {
        return fixture::openChain(toQString(resourceDir() / "lessons" / "graphs") + QLatin1Char('/') + name);
    }

    /// A decision about a random forward op, or one less.
    static Pins moved(const Graph &graph, Pins pins, std::mt19937 &random)
    {
        if (pins.size() > 2 || random() % 3 == 0) return {};
        const OpId op(random() % graph.ops.size());
        const auto decision = static_cast<Decision>(random() % 3);
        return decide(graph, pins, decision, {op});
    }

private Q_SLOTS:
    void anyStepKeepsWhatIsKnown_data()
    {
        test::textRows("file", {"chain16.json", "diamond.json", "skip9.json", "two_towers.json", "uneven8.json"});
    }
    void anyStepKeepsWhatIsKnown()
    {
        QFETCH(QString, file);
        QThreadPool pool;
        Document document;
        BoundRunner bound(document, pool);
        QuickPlanner quick(document, bound, pool);
        document.setModel(model(file));
        const Graph &graph = document.model()->graph();
        const std::int64_t floor = document.model()->floor.bytes, peak = document.model()->keepAll->peakBytes;
        const double equalUs = 1e-6 * document.model()->keepAllTimeUs;
        std::mt19937 random(7);
        std::vector<std::shared_ptr<const PlanEntry>> seen;
        int fitted = 0;
        const int steps = test::testsAll() ? kAllSteps : kSteps;
        for (int step = 0; step < steps; ++step) {
            if (random() % 8 == 0) {
                document.setPins(moved(graph, document.pins(), random));
                quick.refresh();
            } else {
                // From a little under what any plan can do with to a little over what everything takes.
                const auto span = static_cast<std::uint64_t>((peak - floor) * 12 / 10);
                const auto budget = floor - (peak - floor) / 10 + static_cast<std::int64_t>(random() % span);
                document.moveBudget(std::max<std::int64_t>(budget, 1));
            }
            waitFor([&] { return !quick.running(); });
            if (step % kRestEvery == kRestEvery - 1) waitFor([&] { return !quick.proving(); });
            if (step % kSolveEvery == kSolveEvery - 1 && document.budgetBytes() > (floor + peak) / 2) {
                seen.push_back(
                    fixture::solvedEntry(*document.model(), "search", document.budgetBytes(), document.nextPlanId()));
                document.addPlanBeside(seen.back());
                quick.refresh();
                waitFor([&] { return !quick.running(); });
            }

            const auto current = document.currentPlan();
            if (!current) continue;
            const std::int64_t budget = document.budgetBytes();
            const auto follows = [&](const PlanEntry &plan) {
                return !pinsViolated(graph, plan.plan->steps, document.pins());
            };
            if (current->timeline->peakBytes > budget)
                QCOMPARE(verdictOf(*current, budget).level, VerdictLevel::OverBudget);
            else if (!follows(*current))
                QVERIFY2(!quick.whyNone().isEmpty(), "a plan that does not follow the decisions says why");
            const double boundUs = document.boundTimeUs(*current);
            QVERIFY(boundUs <= current->timeline->timeUs + equalUs);
            if (std::none_of(seen.begin(), seen.end(), [&](const auto &plan) { return plan->plan == current->plan; }))
                seen.push_back(current);
            for (const auto &plan : seen) {
                if (plan->timeline->peakBytes > budget || !follows(*plan)) continue;
                ++fitted;
                const bool better = plan->timeline->timeUs < current->timeline->timeUs - equalUs;
                QVERIFY2(!better || current->timeline->peakBytes > budget || !follows(*current),
                         qPrintable(QStringLiteral("step %1: a known plan is faster").arg(step)));
                QVERIFY2(current->timeline->peakBytes <= budget,
                         qPrintable(QStringLiteral("step %1: a known plan fits, and another is shown").arg(step)));
                QVERIFY(boundUs <= plan->timeline->timeUs + equalUs);
            }
        }
        QVERIFY2(fitted > steps, "most budgets had a plan");
    }

    void aBoundHoldsForEveryLowerBudgetAndNeverFalls()
    {
        const auto model = TestKnownPlans::model(QStringLiteral("chain16.json"));
        const std::int64_t half = model->keepAll->peakBytes / 2;
        const auto entry = fixture::solvedEntry(*model, "search", half, 1);
        const double provenUs = bestTimeBound(model->graph(), *model->costs, half).timeUs;
        QVERIFY(provenUs > model->keepAllTimeUs);
        KnownBounds known;
        QCOMPARE(known.timeUs(*entry, half), 0.0);
        known.tell(HoldsFor::EveryPlan, half, provenUs);
        QCOMPARE(known.timeUs(*entry, half), provenUs);
        QCOMPARE(known.timeUs(*entry, half - 1), provenUs);
        QCOMPARE(known.timeUs(*entry, half + 1), 0.0);
        known.tell(HoldsFor::EveryPlan, half, provenUs / 2);
        QCOMPARE(known.timeUs(*entry, half), provenUs);
        known.tellOf(2, half, provenUs * 2); // in another plan's order
        QCOMPARE(known.timeUs(*entry, half), provenUs);
    }

    void aBoundOfFewerPlansSaysNothingOfTheOthers()
    {
        const auto model = TestKnownPlans::model(QStringLiteral("chain16.json"));
        const std::int64_t half = model->keepAll->peakBytes / 2;
        auto entry = std::make_shared<PlanEntry>(*fixture::solvedEntry(*model, "search", half, 1));
        KnownBounds known;
        known.tell(HoldsFor::GivenOrder, half, 1000);
        entry->kind = HoldsFor::GivenOrder;
        QCOMPARE(known.timeUs(*entry, half), 1000.0);
        entry->kind = HoldsFor::AnyOrder;
        QCOMPARE(known.timeUs(*entry, half), 0.0);
    }

    void whatIsProvenEqualIsWrittenEqual()
    {
        QCOMPARE(formatBoundShare(4.0 / 28, 4.0 / 28), formatShare(4.0 / 28));
        QCOMPARE(formatBoundShare(0.14259, 0.15), formatShare(0.14259, Rounding::Down));
    }

    void aQuickPlanSaysThatItIsOne()
    {
        Document document;
        document.setModel(model(QStringLiteral("chain16.json")));
        const std::int64_t half = document.model()->keepAll->peakBytes / 2;
        document.setBudget(half);
        document.addPlan(fixture::solvedEntry(*document.model(), "chen-sqrt", half, document.nextPlanId(), true));
        QCOMPARE(standingOf(document, *document.currentPlan()).standing, Standing::Quick);
        const auto best = fixture::solvedEntry(*document.model(), "search", half, document.nextPlanId());
        document.addPlanBeside(best);
        document.setCurrentPlan(best->id);
        QVERIFY(standingOf(document, *best).standing >= Standing::Solved);
        // More memory than it was solved for.
        document.setBudget(half + half / 8);
        QCOMPARE(standingOf(document, *best).standing, Standing::ForAnother);
        document.setBudget(half);
        const auto chen = fixture::solvedEntry(*document.model(), "chen-sqrt", half, document.nextPlanId());
        QVERIFY(chen->timeline->timeUs > best->timeline->timeUs);
        document.addPlanBeside(chen);
        document.setCurrentPlan(chen->id);
        QCOMPARE(standingOf(document, *chen).standing, Standing::Beaten);
    }
};

QTEST_MAIN(TestKnownPlans)
#include "tst_known_plans.moc"
