// SPDX-License-Identifier: Apache-2.0
// Which GPU a run takes, and what is said of clocks: without a GPU, as far as names and files go.
#include "gpu/engine/clock_rates.h"
#include "gpu/gpu_choice.h"
#include "gpu/runtime.h"
#include "tests/gpu/program_builder.h"
#include "tests/support/torch.h"
#include "tests/support/written.h"

#include <QtTest>

using namespace remat;

class TestGpuChoice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesOfGpus()
    {
        QCOMPARE(gpuNumber("cuda"), std::optional<int>(0));
        QCOMPARE(gpuNumber("cuda:0"), std::optional<int>(0));
        QCOMPARE(gpuNumber("cuda:12"), std::optional<int>(12));
        for (const char *wrong : {"", "cpu", "cuda:", "cuda:-1", "cuda:x", "cuda: 1", "cuda1", "cuda:1000", "CUDA"})
            QVERIFY2(!gpuNumber(wrong), wrong);
        QCOMPARE(gpuName(0), std::string("cuda"));
        QCOMPARE(gpuName(3), std::string("cuda:3"));
    }

    void theListOfVisibleGpusIsCountedAsCudaCountsIt()
    {
        QCOMPARE(onlyGpu(nullptr, 1), std::optional<std::string>("1"));
        QCOMPARE(onlyGpu("2,3", 1), std::optional<std::string>("3"));
        QCOMPARE(onlyGpu("GPU-8932f937,GPU-1,5", 2), std::optional<std::string>("5"));
        for (const char *visible : {"", "4", "-1,4", "4,-1", "4,"})
            QVERIFY2(!onlyGpu(visible, 1), visible);
    }

    void aGpuThatIsNotThereIsASentence()
    {
        if (!runtimeInfo().available) REMAT_NO_TORCH(runtimeInfo().sentence.c_str());
        test::Builder builder;
        const ValueId x = builder.input("x");
        const Model model = builder.model(builder.node("loss", "aten::sum", "", {{"self", x}}, true));
        RunContext context;
        context.gpu = 97;
        const auto profile = profileModel(model, RunDevice::Cuda, {1}, context);
        QVERIFY(!profile);
        qInfo("%s", profile.error().message.c_str());
        QVERIFY(profile.error().message.find("cuda:97") != std::string::npos);
        qputenv("CUDA_VISIBLE_DEVICES", "0");
        const auto hidden = profileModel(model, RunDevice::Cuda, {1}, context);
        qunsetenv("CUDA_VISIBLE_DEVICES");
        QVERIFY(!hidden && hidden.error().message.find("CUDA_VISIBLE_DEVICES=0") != std::string::npos);
        QVERIFY(!runtimeInfo(97).cuda);
        // The choice of a GPU is nothing to a CPU.
        QVERIFY(profileModel(model, RunDevice::Cpu, {1}, {}).has_value());
    }

    void clocksOfTheCpuAreThoseThatLinuxSays()
    {
        const QTemporaryDir folder;
        const auto write = [&](const char *core, const char *governor, const char *khz) {
            const QString of = folder.filePath(QString("%1/cpufreq").arg(core));
            QDir().mkpath(of);
            for (const auto &[name, text] : {std::pair{"scaling_governor", governor}, {"scaling_cur_freq", khz}}) {
                test::written(of + "/" + name, text);
            }
        };
        const std::filesystem::path path = folder.path().toStdString();
        QVERIFY(!cpuClocks(path).known());
        write("cpu0", "performance\n", "2100000\n");
        write("cpu1", "performance\n", "3400500\n");
        Clocks clocks = cpuClocks(path);
        QCOMPARE(clocks.governor, std::string("performance"));
        QCOMPARE(clocks.leastMhz, 3400.5);
        QCOMPARE(clocks.mostMhz, 3400.5);
        QCOMPARE(clocksText(together(clocks, {"performance", 3000, 3000, 0})),
                 std::string("3000 to 3400 MHz, governor performance"));
        write("cpu1", "powersave\n", "none\n");
        clocks = cpuClocks(path);
        QVERIFY(clocks.governor.empty());
        QCOMPARE(clocks.mostMhz, 2100.0);
        // Without the driver's library nothing is known of a GPU.
        if (gpuCount() < 0) QVERIFY(!gpuClocks("0000:3b:00.0").known());
    }
};

QTEST_GUILESS_MAIN(TestGpuChoice)
#include "tst_gpu_choice.moc"
