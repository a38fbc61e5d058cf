// SPDX-License-Identifier: Apache-2.0
// Models in bfloat16, and under autocast: plans run bit-equal to keep-all, and peaks are the predicted ones to the
// byte.
#include "core/plan/simulator.h"
#include "tests/gpu/program_builder.h"
#include "tests/gpu/run_support.h"
#include "tests/support/torch.h"

#include <QtTest>

#include <algorithm>

using namespace remat;
using namespace remat::test;

namespace {

/// Threads of a small model wait for each other on a busy machine.
RunContext onOneThread(MemoryMode memory)
{
    RunContext context = fixedContext(memory);
    context.threads = 1;
    return context;
}

bool isBfloat16(const Value &value)
{
    return value.dtype == DType::BFloat16;
}

} // namespace

class TestHalfPrecision : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!runtimeInfo().available) REMAT_NO_TORCH(runtimeInfo().sentence.c_str());
    }

    /// A CPU's `add_` copies a term of another type as a whole; here only a small part of it.
    void sumsInFloat32CopyNoTerm()
    {
        constexpr std::int64_t kElements = 1 << 18;
        Builder builder;
        const ValueId term = builder.input("term");
        builder.shape(term, {kElements}, DType::BFloat16);
        const ValueId sum =
            builder.node("sum", "aten::_to_copy", "", {{"self", term, false}, {"dtype", DType::Float32, true}});
        builder.shape(sum, {kElements});
        const ValueId added =
            builder.node("added", "aten::add_", "Tensor", {{"self", sum, false}, {"other", term, false}});
        builder.shape(added, {kElements});
        builder.lastWritesTo(sum);
        const ValueId loss = builder.node("loss", "aten::sum", "", {{"self", added, false}}, true);
        const Model model = builder.model(loss);
        const auto profile = profileModel(model, RunDevice::Cpu, {2}, fixedContext(MemoryMode::Allocator));
        QVERIFY2(profile, profile ? "" : profile.error().message.c_str());
        QCOMPARE(model.graph.ops[1].kind, std::string("add_"));
        QVERIFY2(profile->ops[1].workspaceBytes <= kElements * 4 / 64,
                 qPrintable(QString::number(profile->ops[1].workspaceBytes)));
    }

    void plansLoseNothing_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("attention");
        QTest::newRow("bfloat16") << "bfloat16"
                                  << "_scaled_dot_product_flash_attention";
        QTest::newRow("autocast") << "autocast"
                                  << "_scaled_dot_product_flash_attention_for_cpu";
    }
    void plansLoseNothing()
    {
        QFETCH(QString, name);
        QFETCH(QString, attention);
        const Expected<Model> model = loadSample(name.toStdString());
        if (!model) QFAIL(model.error().message.c_str());
        // The traces are what this test is about.
        const auto &values = model->program->values;
        QVERIFY(2 * std::count_if(values.begin(), values.end(), isBfloat16) > std::ptrdiff_t(values.size()));
        for (const char *kind : {qPrintable(attention), "native_layer_norm", "native_layer_norm_backward"})
            QVERIFY2(std::any_of(model->graph.ops.begin(), model->graph.ops.end(),
                                 [&](const Op &op) { return op.kind == kind; }),
                     kind);

        const Expected<Profile> profile = profileModel(*model, RunDevice::Cpu, {2}, onOneThread(MemoryMode::Allocator));
        QVERIFY2(profile, profile ? "" : profile.error().message.c_str());
        for (const std::string &mismatch : profile->aliasMismatches)
            QFAIL(mismatch.c_str());
        const CostTable costs = measuredCosts(*profile);
        // A plan with a lower peak than keep-all, which every validation runs beside it.
        const Expected<Simulation> keepAll = simulate(model->graph, costs, keepAllPlan(model->graph).steps);
        QVERIFY(keepAll);
        Plan plan;
        std::int64_t peakBytes = keepAll->peakBytes;
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            Plan forgetful = forgetfulPlan(model->graph, seed, 20 + static_cast<int>(seed % 80));
            const Expected<Simulation> simulated = simulate(model->graph, costs, forgetful.steps);
            QVERIFY(simulated);
            if (simulated->peakBytes >= peakBytes) continue;
            peakBytes = simulated->peakBytes;
            plan = std::move(forgetful);
        }
        QVERIFY(peakBytes < keepAll->peakBytes);
        for (const auto &[device, memory] :
             {std::pair(RunDevice::Cpu, MemoryMode::Allocator), std::pair(RunDevice::Cpu, MemoryMode::Arena),
              std::pair(RunDevice::Simulated, MemoryMode::Arena)}) {
            const auto record = validatePlan(*model, costs, plan, device, onOneThread(memory));
            QVERIFY2(record, record ? "" : record.error().message.c_str());
            qInfo("%s", record->sentence.c_str());
            QVERIFY2(record->passed && record->lossEqual && record->differences.empty(), record->sentence.c_str());
            QVERIFY(record->gradients > 20);
            QCOMPARE(record->gradientsEqual, record->gradients);
            QCOMPARE(record->measuredPeakBytes, peakBytes);
            QCOMPARE(record->predictedPeakBytes, peakBytes);
            QCOMPARE(record->measuredKeepAllPeakBytes, keepAll->peakBytes);
            if (memory == MemoryMode::Arena) QCOMPARE(record->heightBytes, record->plannedHeightBytes);
            QCOMPARE(record->cpu.done, device == RunDevice::Simulated);
            QVERIFY2(record->cpu.largestShare <= record->cpu.tolerance, record->sentence.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestHalfPrecision)
#include "tst_half_precision.moc"
