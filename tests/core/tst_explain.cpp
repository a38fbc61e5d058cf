// SPDX-License-Identifier: Apache-2.0
#include "core/plan/checker.h"
#include "core/teaching/explain/budget.h"
#include "core/teaching/explain/choices.h"
#include "core/teaching/explain/peak.h"
#include "tests/support/graphs.h"
#include "tests/support/random.h"

#include <QtTest>

using namespace remat;

namespace {

Plan planOf(const Graph &graph, const std::vector<OpId> &sequence)
{
    Plan plan;
    plan.steps = withEarliestFrees(graph, sequence);
    return plan;
}

} // namespace

/// Answers about plans, against plans in which the choice really is the other way round.
class TestExplain : public QObject
{
    Q_OBJECT

private:
    const Graph m_graph = test::chainGraph(5);
    const CostTable m_costs = test::graphCosts(m_graph);
    std::vector<OpId> m_keepAll, m_again; ///< the second computes op 1 again before the backward op that reads it
    std::size_t m_reader = 0;             ///< op that reads op 1's result, in the backward pass

private Q_SLOTS:
    void initTestCase()
    {
        m_keepAll = computeSequence(keepAllPlan(m_graph));
        const StorageId made = m_graph.ops[1].outputs.front();
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            const std::vector<StorageId> &inputs = m_graph.ops[i].inputs;
            const bool reads = std::find(inputs.begin(), inputs.end(), made) != inputs.end();
            if (reads && m_graph.ops[i].phase == Phase::Backward && m_reader == 0) m_reader = i;
        }
        QVERIFY(m_reader > 0);
        m_again = m_keepAll;
        m_again.insert(m_again.begin() + static_cast<std::ptrdiff_t>(m_reader), OpId(1));
    }

    void offloadedIsToldWithItsCopies()
    {
        const StorageId parked = m_graph.ops[1].outputs.front();
        Plan plan = planOf(m_graph, m_keepAll);
        const auto stepOf = [&](OpId op) {
            return std::find(plan.steps.begin(), plan.steps.end(), Step::compute(op)) - plan.steps.begin();
        };
        QVERIFY(!whyOffloaded(m_graph, m_costs, plan, parked));
        plan.steps.insert(plan.steps.begin() + stepOf(OpId(m_reader)), Step::prefetch(parked));
        const auto away = plan.steps.begin() + stepOf(OpId(3));
        plan.steps.insert(away, {Step::offload(parked), Step::free(parked)});
        QVERIFY(simulate(m_graph, m_costs, plan.steps).has_value());
        const auto why = whyOffloaded(m_graph, m_costs, plan, parked);
        QVERIFY(why);
        QCOMPARE(plan.steps[static_cast<std::size_t>(why->copiedStep)], Step::offload(parked));
        QCOMPARE(plan.steps[static_cast<std::size_t>(why->freedStep)], Step::free(parked));
        QCOMPARE(plan.steps[static_cast<std::size_t>(why->backStep)], Step::prefetch(parked));
        QCOMPARE(plan.steps[static_cast<std::size_t>(why->neededStep)], Step::compute(OpId(m_reader)));
        QCOMPARE(why->reader, OpId(m_reader));
        QCOMPARE(why->bytes, m_graph.storage(parked).bytes);
        QCOMPARE(why->copyUs, m_costs.linkLatencyUs + 1e6 * double(why->bytes) / m_costs.linkBytesPerSecond);
        QCOMPARE(why->againUs, m_costs.time(OpId(1)));
        QVERIFY(!whyOffloaded(m_graph, m_costs, plan, m_graph.ops[2].outputs.front()));
    }

    void recomputedIsToldWithItsOpposite()
    {
        Plan plan = planOf(m_graph, m_again);
        const Simulation now = *simulate(m_graph, m_costs, plan.steps);
        plan.budgetBytes = now.peakBytes;
        const auto why = whyRecomputed(m_graph, m_costs, plan, OpId(1));
        QVERIFY(why);
        QCOMPARE(why->times, 1);
        QCOMPARE(why->reader, OpId(m_reader));
        QCOMPARE(plan.steps[static_cast<std::size_t>(why->droppedStep)], Step::free(m_graph.ops[1].outputs.front()));
        QCOMPARE(plan.steps[static_cast<std::size_t>(why->neededStep)], Step::compute(OpId(m_reader)));
        QVERIFY(why->droppedStep < why->neededStep);
        QCOMPARE(why->againUs, m_costs.timeUs[1]);
        QVERIFY(why->kept);
        const Simulation keepAll = *simulate(m_graph, m_costs, planOf(m_graph, m_keepAll).steps);
        QCOMPARE(why->kept->peakBytes, keepAll.peakBytes);
        QCOMPARE(why->kept->timeUs, keepAll.timeUs);
        QCOMPARE(why->kept->overBytes, keepAll.peakBytes - now.peakBytes);
        QCOMPARE(why->kept->computations, 1);
        QVERIFY(!whyRecomputed(m_graph, m_costs, plan, OpId(2)));
    }

    void keptIsToldWithItsOpposite()
    {
        const Plan plan = planOf(m_graph, m_keepAll);
        const auto why = whyKept(m_graph, m_costs, plan, m_graph.ops[1].outputs.front());
        QVERIFY(why);
        QCOMPARE(why->reader, OpId(m_reader));
        QCOMPARE(why->chain, std::vector<OpId>{OpId(1)});
        QCOMPARE(why->chainUs, m_costs.timeUs[1]);
        QVERIFY(why->dropped);
        const Simulation other = *simulate(m_graph, m_costs, planOf(m_graph, m_again).steps);
        QCOMPARE(why->dropped->peakBytes, other.peakBytes);
        QCOMPARE(why->dropped->timeUs, other.timeUs);
    }

    /// What stands before is gone too: the chain begins where something is held.
    void theChainReachesBackToWhatIsHeld()
    {
        std::vector<OpId> sequence = m_keepAll;
        const auto readerOf = [&](std::size_t op) {
            for (std::size_t i = m_graph.ops.size(); i-- > 0;) {
                const std::vector<StorageId> &inputs = m_graph.ops[i].inputs;
                if (std::find(inputs.begin(), inputs.end(), m_graph.ops[op].outputs.front()) != inputs.end()) return i;
            }
            return m_graph.ops.size();
        };
        // Op 1 is computed again late, so that in between op 2 could only come back with op 1.
        sequence.insert(sequence.begin() + static_cast<std::ptrdiff_t>(readerOf(1)), OpId(1));
        const Plan plan = planOf(m_graph, sequence);
        const auto why = whyKept(m_graph, m_costs, plan, m_graph.ops[2].outputs.front());
        QVERIFY(why);
        QCOMPARE(why->chain, (std::vector<OpId>{OpId(1), OpId(2)}));
    }

    void onceAndOutputsAreSaid()
    {
        Graph graph = m_graph;
        graph.ops[1].computeOnce = true;
        const auto once = whyKept(graph, m_costs, planOf(graph, m_keepAll), graph.ops[1].outputs.front());
        QVERIFY(once && once->once && !once->dropped);
        QVERIFY(!whyKept(m_graph, m_costs, planOf(m_graph, m_keepAll), m_graph.ops.back().outputs.front()));
    }

    /// On random graphs every "what if" is a possible plan of exactly those figures.
    void figuresAreOfPossiblePlans()
    {
        int asked = 0;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            test::RandomGraphParams params;
            params.joint = true;
            params.ops = 14;
            const Graph graph = test::randomGraph(seed, params);
            const CostTable costs = test::graphCosts(graph);
            test::Random random(seed);
            std::vector<OpId> sequence = computeSequence(keepAllPlan(graph));
            for (int k = 0; k < 4; ++k) {
                const int at = random.between(1, static_cast<int>(sequence.size()) - 1);
                sequence.insert(sequence.begin() + at, sequence[static_cast<std::size_t>(random.below(at))]);
            }
            if (!simulate(graph, costs, withEarliestFrees(graph, sequence))) continue;
            const Plan plan = planOf(graph, sequence);
            for (std::size_t s = 0; s < graph.storages.size(); ++s) {
                const auto why = whyKept(graph, costs, plan, StorageId(s));
                if (!why || !why->dropped) continue;
                ++asked;
                QVERIFY(why->dropped->timeUs >= simulate(graph, costs, plan.steps)->timeUs);
                QVERIFY(!why->chain.empty() && why->chain.back() == graph.storages[s].producer);
            }
        }
        QVERIFY(asked > 20);
    }

    void everythingHeldAtThePeakIsNamed()
    {
        const Plan plan = planOf(m_graph, m_keepAll);
        const MemoryTimeline timeline = *buildTimeline(m_graph, m_costs, plan.steps);
        const Moment moment = momentAt(m_graph, timeline, timeline.peakSample);
        QCOMPARE(moment.bytes, timeline.peakBytes);
        std::int64_t sum = moment.workspaceBytes;
        for (const Holder &holder : moment.holders) {
            sum += holder.bytes;
            QVERIFY(holder.nextReader || holder.output || holder.madeBy == moment.op);
            if (!holder.nextReader) continue;
            QCOMPARE(plan.steps[static_cast<std::size_t>(holder.nextStep)], Step::compute(holder.nextReader));
            QVERIFY(holder.nextStep >= moment.step);
        }
        QCOMPARE(sum, moment.bytes);
        QVERIFY(std::is_sorted(moment.holders.begin(), moment.holders.end(),
                               [](const Holder &a, const Holder &b) { return a.bytes > b.bytes; }));
    }

    void whatBindsIsOneOfFour()
    {
        Plan plan;
        plan.predicted.keepAllPeakBytes = 100;
        plan.predicted.keepAllTimeUs = 50;
        plan.predicted.peakBytes = 90;
        plan.predicted.timeUs = 60;
        plan.predicted.lowerBoundTimeUs = 55;
        plan.predicted.lowerBoundCut = OpId(3);
        const PeakBound floor{40, OpId(2), "working set", HoldsFor::EveryPlan};
        plan.budgetBytes = 100;
        QCOMPARE(whatBinds(plan.predicted, plan.budgetBytes, floor).binding, Binding::Nothing);
        plan.budgetBytes = 92;
        const BudgetStory story = whatBinds(plan.predicted, plan.budgetBytes, floor);
        QCOMPARE(story.binding, Binding::Budget);
        QCOMPARE(story.roomBytes, 2);
        QCOMPARE(story.missingBytes, 8);
        QCOMPARE(story.extraUs, 10.0);
        QCOMPARE(story.boundExtraUs, 5.0);
        QCOMPARE(story.cut, OpId(3));
        plan.predicted.lowerBoundTimeUs = 60;
        QCOMPARE(whatBinds(plan.predicted, plan.budgetBytes, floor).binding, Binding::Bound);
        plan.budgetBytes = 40;
        QCOMPARE(whatBinds(plan.predicted, plan.budgetBytes, floor).binding, Binding::WorkingSet);
    }
};

QTEST_GUILESS_MAIN(TestExplain)
#include "tst_explain.moc"
