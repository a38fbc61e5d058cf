// SPDX-License-Identifier: Apache-2.0
// What a device may do to a validation, on the simulated one: memory too small for keep-all, kernels that compute
// something else, ops that never settle. Each is found, and put down to the right side.
#include "core/plan/plan_verdict.h"
#include "core/plan/simulator.h"
#include "tests/gpu/program_builder.h"
#include "tests/gpu/run_support.h"
#include "tests/support/torch.h"

#include <QtTest>

#include <algorithm>

using namespace remat;
using namespace remat::test;

namespace {

/// The first op of that kind; empty without one.
std::string opOfKind(const Graph &graph, const std::string &part)
{
    for (const Op &op : graph.ops)
        if (op.kind.find(part) != std::string::npos) return op.name;
    return {};
}

} // namespace

class TestDeviceFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!runtimeInfo().available) REMAT_NO_TORCH(runtimeInfo().sentence.c_str());
        // With the memory-efficient kernel, which is mapped to math here.
        Expected<Model> model = readModel(REMAT_SAMPLES "/tiny_gpt2.pt2");
        if (!model) QFAIL(model.error().message.c_str());
        m_model = std::move(*model);
        m_costs = bareCosts(m_model.graph);
        m_keepAllPeak = peakOf(keepAllPlan(m_model.graph));
        m_plan = keepAllPlan(m_model.graph);
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            Plan plan = forgetfulPlan(m_model.graph, seed, 20 + static_cast<int>(seed % 80));
            m_others.push_back(plan);
            if (peakOf(plan) < peakOf(m_plan)) m_plan = std::move(plan);
        }
        QVERIFY(peakOf(m_plan) < m_keepAllPeak - 1024);
    }

    void keepAllDoesNotFit()
    {
        const std::int64_t peak = peakOf(m_plan);
        RunContext context = fixedContext(MemoryMode::Arena);
        context.simulated.memoryBytes = m_keepAllPeak - 512;
        QVERIFY(peak < context.simulated.memoryBytes);
        const auto room = roomForPlans(m_model, m_model.graph, m_costs, m_plan.steps, RunDevice::Simulated, context);
        QVERIFY(room && *room <= context.simulated.memoryBytes);

        const auto alone = validate(context);
        QVERIFY2(alone, alone ? "" : alone.error().message.c_str());
        QVERIFY(alone->reference == ReferenceKind::Itself);
        QVERIFY(alone->measuredKeepAllPeakBytes == 0 && alone->measuredKeepAllTimeUs == 0);
        QVERIFY(alone->lossEqual && alone->differences.empty());
        QVERIFY2(sentence(*alone).contains("second run of itself"), alone->sentence.c_str());
        QCOMPARE(alone->heightBytes, alone->plannedHeightBytes);

        for (const Plan &other : m_others)
            if (peakOf(other) > peak && peakOf(other) <= *room) context.reference = other.steps;
        QVERIFY(!context.reference.empty());
        const auto compared = validate(context);
        QVERIFY2(compared, compared ? "" : compared.error().message.c_str());
        QVERIFY(compared->reference == ReferenceKind::AnotherPlan);
        QVERIFY(compared->referencePeakBytes > peak && compared->referencePeakBytes < m_keepAllPeak);
        QVERIFY(compared->lossEqual && compared->differences.empty());
        QVERIFY2(sentence(*compared).contains("another plan"), compared->sentence.c_str());
        // The CPU has room for keep-all all the same.
        QVERIFY2(compared->cpu.done, compared->cpu.sentence.c_str());

        context.simulated.memoryBytes = peak / 2;
        const auto none = validate(context);
        QVERIFY(!none);
        QVERIFY2(QString::fromStdString(none.error().message).contains("do not fit"), none.error().message.c_str());
        context.reference = {Step::free(StorageId(0))};
        QVERIFY(!validate(context));
    }

    /// Both runs on the device get it wrong alike, so their bits are equal; the CPU tells.
    void aWrongKernelIsFound()
    {
        const auto right = validate(fixedContext(MemoryMode::Arena));
        QVERIFY2(right, right ? "" : right.error().message.c_str());
        QVERIFY2(right->passed && right->cpu.done, right->sentence.c_str());
        QVERIFY2(right->cpu.largestShare < 1e-4, right->sentence.c_str());
        QCOMPARE(right->cpu.tolerance, 1e-3);

        RunContext context = fixedContext(MemoryMode::Arena);
        context.simulated.wrongOp = opOfKind(m_model.graph, "attention");
        QVERIFY(!context.simulated.wrongOp.empty());
        const auto wrong = validate(context);
        QVERIFY2(wrong, wrong ? "" : wrong.error().message.c_str());
        QVERIFY(wrong->lossEqual && wrong->differences.empty());
        QVERIFY2(!wrong->passed && !resultsEqual(*wrong), wrong->sentence.c_str());
        QVERIFY(wrong->cpu.largestShare > wrong->cpu.tolerance && !wrong->cpu.worst.empty());
        QVERIFY2(sentence(*wrong).contains("The CPU gives another " + QString::fromStdString(wrong->cpu.worst)),
                 wrong->sentence.c_str());

        context.compareWithCpu = false;
        const auto unseen = validate(context);
        QVERIFY2(unseen && unseen->passed && !unseen->cpu.done, unseen ? "" : unseen.error().message.c_str());
        context.simulated.wrongOp = "nobody";
        QVERIFY(!validate(context));
    }

    void offloadsAreComparedToo()
    {
        const Graph &graph = m_model.graph;
        const auto readers = readersOf(graph);
        StorageId moved;
        for (std::size_t s = 0; s < graph.storages.size() && !moved; ++s)
            if (graph.planned(StorageId(s)) && !graph.storages[s].isOutput && readers[s].size() == 2)
                moved = StorageId(s);
        Plan plan;
        for (const Step &step : keepAllPlan(graph).steps) {
            if (step == Step::compute(readers[moved.index()].back())) plan.steps.push_back(Step::prefetch(moved));
            plan.steps.push_back(step);
            if (step != Step::compute(readers[moved.index()].front())) continue;
            plan.steps.push_back(Step::offload(moved));
            plan.steps.push_back(Step::free(moved));
        }
        const auto record = validatePlan(m_model, m_costs, plan, RunDevice::Simulated, fixedContext(MemoryMode::Arena));
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        QVERIFY2(record->passed && record->cpu.done && record->hostBytes > 0, record->sentence.c_str());
    }

    /// An op that never settles is named, and what follows from it is no fault of the plan.
    void anOpThatNeverSettles()
    {
        RunContext context = fixedContext(MemoryMode::Arena);
        // The middle of the forward pass: the loss and most gradients follow from it.
        context.simulated.restlessOp =
            opOfKind(m_model.graph, "gelu").empty() ? opOfKind(m_model.graph, "tanh") : opOfKind(m_model.graph, "gelu");
        QVERIFY(!context.simulated.restlessOp.empty());
        const auto record = validate(context);
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        QVERIFY2(record->differences.empty() && !record->excused.empty(), record->sentence.c_str());
        QCOMPARE(record->restlessOps.size(), std::size_t(1));
        QVERIFY(record->restlessOps.front().starts_with(context.simulated.restlessOp + " ("));
        QVERIFY2(record->passed, record->sentence.c_str());
        QVERIFY2(sentence(*record).contains("gives other bits at each run, even without a plan"),
                 record->sentence.c_str());
    }

    /// What LibTorch warns of is noted by op.
    void warningsAreNotedByOp()
    {
        Builder builder;
        const ValueId x = builder.input("x"), at = builder.input("at"), what = builder.input("what");
        builder.shape(at, {1}, DType::Int64);
        builder.shape(what, {1});
        const ValueId put = builder.node("put", "aten::put", "", {{"self", x}, {"index", at}, {"source", what}});
        const ValueId loss = builder.node("loss", "aten::sum", "", {{"self", put}}, true);
        const Model model = builder.model(loss);
        const auto record = validatePlan(model, bareCosts(model.graph), keepAllPlan(model.graph), RunDevice::Cpu, {});
        QVERIFY2(record, record ? "" : record.error().message.c_str());
        QCOMPARE(record->warnedOps, std::vector<std::string>{"put (aten::put)"});
        QVERIFY2(record->passed && record->restlessOps.empty(), record->sentence.c_str());
    }

private:
    Expected<ValidationRecord> validate(const RunContext &context) const
    {
        return validatePlan(m_model, m_costs, m_plan, RunDevice::Simulated, context);
    }
    static QString sentence(const ValidationRecord &record) { return QString::fromStdString(record.sentence); }

    std::int64_t peakOf(const Plan &plan) const { return simulate(m_model.graph, m_costs, plan.steps)->peakBytes; }

    Model m_model;
    CostTable m_costs;
    Plan m_plan; ///< plan of the smallest peak of some
    std::vector<Plan> m_others;
    std::int64_t m_keepAllPeak = 0;
};

QTEST_GUILESS_MAIN(TestDeviceFaults)
#include "tst_device_faults.moc"
