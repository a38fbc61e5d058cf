// SPDX-License-Identifier: Apache-2.0
// Measured over predicted: which step is apart by how much, and why; the same as lanes.
#include "core/plan/measured.h"
#include "core/plan/plan_verdict.h"
#include "core/plan/timeline.h"
#include "core/views/plan_lanes.h"
#include "tests/support/graphs.h"

#include <QtTest>

using namespace remat;
using namespace remat::test;

class TestMeasured : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// A run that went as the simulator says.
    void init()
    {
        ChainParams params;
        params.activationBytes = params.gradientBytes = 1000 * kBlock;
        m_graph = chainGraph(3, params);
        m_costs = graphCosts(m_graph);
        m_plan = keepAllPlan(m_graph);
        const Expected<Simulation> simulated = simulate(m_graph, m_costs, m_plan.steps);
        QVERIFY(simulated);
        m_simulated = *simulated;
        m_plan.validated.emplace();
        m_plan.validated->stepsDigest = stepsDigest(m_plan.steps);
        for (std::size_t index = 0; index < m_plan.steps.size(); ++index) {
            StepMeasurement step;
            step.heldBytes = m_simulated.steps[index].heldBytes;
            step.startUs = m_simulated.steps[index].startUs;
            step.endUs = m_simulated.steps[index].endUs;
            if (m_plan.steps[index].kind == StepKind::Compute) {
                step.workspaceBytes = m_costs.workspace(m_plan.steps[index].op);
                for (const StorageId made : m_graph.op(m_plan.steps[index].op).outputs)
                    step.madeBytes += m_graph.storage(made).bytes;
            }
            steps().push_back(step);
        }
    }

    void asPredictedThereIsNoGap()
    {
        const MeasuredGaps gaps = found();
        QVERIFY(gaps.memory.empty());
        for (const TimeGap &gap : gaps.time)
            QCOMPARE(gap.us(), 0.0);
    }

    void causesAreTold_data()
    {
        QTest::addColumn<int>("workspace");
        QTest::addColumn<int>("made");
        QTest::addColumn<int>("held");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("workspace") << 8 << 2 << 2 << " needs 4.00 KiB more workspace than the cost table says.";
        QTest::newRow("made") << 2 << 8 << 2 << " makes 4.00 KiB more than the trace says.";
        QTest::newRow("held") << 0 << 2 << 8 << " runs, the storages held weigh 4.00 KiB more than the trace says.";
        QTest::newRow("less made") << 0 << -8 << 0 << " makes 4.00 KiB less than the trace says.";
        QTest::newRow("less held") << 2 << 0 << -8
                                   << " runs, the storages held weigh 4.00 KiB less than the trace says.";
    }
    void causesAreTold()
    {
        QFETCH(int, workspace);
        QFETCH(int, made);
        QFETCH(int, held);
        QFETCH(QString, sentence);
        const std::size_t at = m_simulated.peakStep;
        steps()[at].workspaceBytes += workspace * kBlock;
        steps()[at].madeBytes += made * kBlock;
        steps()[at].heldBytes += (workspace + made + held) * kBlock;
        const MeasuredGaps gaps = found();
        QCOMPARE(gaps.memory.size(), std::size_t(1));
        QCOMPARE(gaps.memory[0].step, at);
        QCOMPARE(gaps.memory[0].bytes, std::int64_t((workspace + made + held) * kBlock));
        QCOMPARE(gaps.memory[0].heldBytes(), std::int64_t(held * kBlock));
        const std::string text = gapSentence(m_graph, gaps.memory[0]);
        QVERIFY2(QString::fromStdString(text).endsWith(sentence), text.c_str());
        QVERIFY(text.find(m_graph.op(m_plan.steps[at].op).name) != std::string::npos);
    }

    void theLargestComeFirst()
    {
        std::vector<std::size_t> computed;
        for (std::size_t index = 0; index < m_plan.steps.size(); ++index)
            if (m_plan.steps[index].kind == StepKind::Compute) computed.push_back(index);
        for (std::size_t i = 0; i < computed.size(); ++i) {
            steps()[computed[i]].heldBytes += (i % 2 ? 1 : -1) * static_cast<std::int64_t>(i + 1) * kBlock;
            steps()[computed[i]].endUs += static_cast<double>(i + 1);
        }
        const MeasuredGaps gaps = found();
        QCOMPARE(gaps.memory.size(), std::size_t(3));
        QCOMPARE(gaps.time.size(), std::size_t(3));
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(gaps.memory[i].step, computed[computed.size() - 1 - i]);
            QCOMPARE(gaps.time[i].step, computed[computed.size() - 1 - i]);
            QVERIFY(std::abs(gaps.time[i].us() - static_cast<double>(computed.size() - i)) < 1e-9);
        }
    }

    void untimedStepsHaveNoTimes()
    {
        for (StepMeasurement &step : steps())
            step.startUs = step.endUs = 0;
        QVERIFY(found().time.empty());
        QCOMPARE(measuredLanes(m_graph, timeline(), m_plan).timeUs, 0.0);
    }

    /// A record is of the steps that were run, and of no others.
    void otherStepsWereNotMeasured()
    {
        QCOMPARE(measuredSteps(m_plan), &steps());
        Plan other = m_plan;
        other.validated->stepsDigest = "of other steps";
        QVERIFY(!measuredSteps(other));
        other = m_plan;
        other.validated->steps.pop_back();
        QVERIFY(!measuredSteps(other));
        other.validated->steps.clear();
        QVERIFY(!measuredSteps(other));
        other.validated.reset();
        QVERIFY(!measuredSteps(other));
    }

    /// Twice as slow throughout: the lanes are those of the plan.
    void lanesAreDrawnToThePlansLength()
    {
        for (StepMeasurement &step : steps()) {
            step.startUs *= 2;
            step.endUs *= 2;
        }
        const MemoryTimeline line = timeline();
        const PlanLanes lanes = measuredLanes(m_graph, line, m_plan);
        QCOMPARE(lanes.timeUs, line.timeUs);
        QCOMPARE(lanes.of(Lane::Compute).size(), line.op.size());
        for (std::size_t i = 0; i < line.op.size(); ++i) {
            QVERIFY(std::abs(lanes.of(Lane::Compute)[i].fromUs - line.startUs[i]) < 1e-6);
            QVERIFY(std::abs(lanes.of(Lane::Compute)[i].toUs - line.endUs[i]) < 1e-6);
        }
    }

    void aWaitIsForTheCopyThatEndsWithIt()
    {
        PlanLanes lanes;
        lanes.events[static_cast<std::size_t>(Lane::CopyIn)] = {{0, 3, 1, {}, StorageId(4)},
                                                                {3, 8, 2, {}, StorageId(2)}};
        lanes.events[static_cast<std::size_t>(Lane::CopyOut)] = {{1, 5, 0, {}, StorageId(1)}};
        QCOMPARE(waitedFor(lanes, {6, 8}), StorageId(2));
        QCOMPARE(waitedFor(lanes, {2, 3}), StorageId(4));
        QCOMPARE(waitedFor(lanes, {4, 5}), StorageId(1));
        QVERIFY(!waitedFor(lanes, {4, 6}));
    }

private:
    static constexpr std::int64_t kBlock = 512;

    std::vector<StepMeasurement> &steps() { return m_plan.validated->steps; }
    MeasuredGaps found() { return measuredGaps(m_graph, m_costs, m_plan.steps, m_simulated, steps(), 3); }
    MemoryTimeline timeline()
    {
        const Expected<MemoryTimeline> made = buildTimeline(m_graph, m_costs, m_plan.steps);
        if (!made) qFatal("%s", made.error().message.c_str());
        return *made;
    }

    Graph m_graph;
    CostTable m_costs;
    Plan m_plan;
    Simulation m_simulated;
};

QTEST_APPLESS_MAIN(TestMeasured)
#include "tst_measured.moc"
