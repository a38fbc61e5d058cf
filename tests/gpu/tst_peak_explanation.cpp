// SPDX-License-Identifier: Apache-2.0
// Why a measured peak is not the predicted one: the sentences, from measurements made up.
#include "gpu/peak_explanation.h"
#include "tests/gpu/run_support.h"

#include <QtTest>

using namespace remat;
using namespace remat::test;

class TestPeakExplanation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        ChainParams params;
        params.activationBytes = params.gradientBytes = 1000 * kBlock;
        m_graph = chainGraph(3, params);
        m_costs = bareCosts(m_graph);
        m_steps = keepAllPlan(m_graph).steps;
        const Expected<Simulation> simulated = simulate(m_graph, m_costs, m_steps);
        QVERIFY(simulated);
        m_simulated = *simulated;
        m_measured = Replay();
        for (std::size_t index = 0; index < m_steps.size(); ++index) {
            StepMeasurement step;
            step.heldBytes = m_simulated.steps[index].heldBytes;
            if (m_steps[index].kind == StepKind::Compute)
                for (const StorageId made : m_graph.op(m_steps[index].op).outputs)
                    step.madeBytes += m_graph.storage(made).bytes;
            m_measured.steps.push_back(step);
        }
        m_measured.peakBytes = m_simulated.peakBytes;
    }

    void equalPeaksNeedNoReason()
    {
        const PeakExplanation peak = explain();
        QVERIFY(peak.withinTolerance);
        QVERIFY(peak.reasons.empty());
    }

    void workspaceIsNamed()
    {
        m_measured.steps[m_simulated.peakStep].workspaceBytes = 1000 * kBlock;
        add(m_simulated.peakStep, 1000 * kBlock);
        const PeakExplanation peak = explain();
        QVERIFY(!peak.withinTolerance);
        QVERIFY(peak.workspaceExplains);
        QCOMPARE(peak.reasons.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(peak.reasons[0]),
                 QString::fromStdString(peakOp().name) + " needs 500 KiB more workspace than the cost table says.");
    }

    void aProfileOfTheSameDeviceKnowsWorkspaces()
    {
        Profile profile;
        profile.fingerprint = m_graph.fingerprint;
        profile.device = "cpu";
        profile.deviceTitle = "A processor (2 threads)";
        profile.ops.resize(m_graph.ops.size());
        const Expected<CostTable> measured = profileCosts(m_graph, profile, Device());
        QVERIFY(measured);
        ValidationRecord run;
        run.device = "cpu";
        run.deviceTitle = profile.deviceTitle;
        QVERIFY(workspaceKnown(measured->source, run));
        run.deviceTitle = "A processor (4 threads)";
        QVERIFY(!workspaceKnown(measured->source, run));
        QVERIFY(!workspaceKnown(m_costs.source, run));
        QVERIFY(!workspaceKnown({"roofline", run.deviceTitle}, run));
    }

    void workspaceOfTheCostTableIsNoReason()
    {
        // The table knows this op's workspace: what is over the prediction are storages.
        m_costs.workspaceBytes[m_steps[m_simulated.peakStep].op.index()] = 1000 * kBlock;
        m_measured.steps[m_simulated.peakStep].workspaceBytes = 1000 * kBlock;
        add(m_simulated.peakStep, 1000 * kBlock);
        const PeakExplanation peak = explain();
        QVERIFY(!peak.withinTolerance);
        QVERIFY(!peak.workspaceExplains);
        QVERIFY(QString::fromStdString(peak.reasons[0]).contains("the storages held weigh 500 KiB more"));
    }

    void largerOutputsAreNamed()
    {
        m_measured.steps[m_simulated.peakStep].madeBytes += 1000 * kBlock;
        add(m_simulated.peakStep, 1000 * kBlock);
        const PeakExplanation peak = explain();
        QVERIFY(!peak.workspaceExplains);
        QVERIFY(QString::fromStdString(peak.reasons[0]).contains("makes 500 KiB more than the trace says"));
    }

    void smallerPeaksAreNamed()
    {
        m_costs.workspaceBytes[m_steps[m_simulated.peakStep].op.index()] = 1000 * kBlock;
        m_simulated.peakBytes += 1000 * kBlock;
        const PeakExplanation peak = explain();
        QVERIFY(!peak.withinTolerance);
        QCOMPARE(peak.reasons.size(), std::size_t(1));
        QVERIFY(QString::fromStdString(peak.reasons[0]).contains("needs 500 KiB less workspace"));
    }

    void aDeadMeterIsNoGoodPeak()
    {
        constexpr std::int64_t kMiB = 1 << 20;
        QVERIFY(hardlyMeasured(0, 3 * kMiB));
        QVERIFY(hardlyMeasured(4 * kMiB, 10 * kMiB));
        QVERIFY(!hardlyMeasured(6 * kMiB, 10 * kMiB));
        QVERIFY(!hardlyMeasured(0, kMiB));
        QVERIFY(!hardlyMeasured(10 * kMiB, 4 * kMiB));
    }

    void largestFirstAndNotTooMany()
    {
        std::int64_t extra = 2000 * kBlock;
        for (std::size_t index = 0; index < m_steps.size(); ++index) {
            if (m_steps[index].kind != StepKind::Compute) continue;
            extra += 1000 * kBlock;
            const std::int64_t workspace = m_simulated.peakBytes - m_simulated.steps[index].heldBytes + extra;
            m_measured.steps[index].workspaceBytes = workspace;
            add(index, workspace);
        }
        const PeakExplanation peak = explain();
        QVERIFY(peak.workspaceExplains);
        QCOMPARE(peak.reasons.size(), std::size_t(5));
        for (const std::string &reason : peak.reasons)
            QVERIFY(reason.find("workspace") != std::string::npos);
    }

private:
    static constexpr std::int64_t kBlock = 512;

    PeakExplanation explain() const { return explainPeak(m_graph, m_costs, m_steps, m_simulated, m_measured); }
    const Op &peakOp() const { return m_graph.op(m_steps[m_simulated.peakStep].op); }
    void add(std::size_t step, std::int64_t bytes)
    {
        m_measured.steps[step].heldBytes += bytes;
        m_measured.peakBytes = std::max(m_measured.peakBytes, m_measured.steps[step].heldBytes);
    }

    Graph m_graph;
    CostTable m_costs;
    std::vector<Step> m_steps;
    Simulation m_simulated;
    Replay m_measured;
};

QTEST_GUILESS_MAIN(TestPeakExplanation)
#include "tst_peak_explanation.moc"
