// SPDX-License-Identifier: Apache-2.0
// The same runs on a GPU, where there is one.
#include "core/plan/simulator.h"
#include "gpu/torch/cuda_place.h"
#include "tests/gpu/run_support.h"
#include "tests/support/text_rows.h"
#include "tests/support/torch.h"

#include <cmath>
#include <dlfcn.h>
#include <filesystem>

using namespace remat;
using namespace remat::test;

class TestCuda : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refusedWithoutGpu()
    {
        if (!runtimeInfo().available) REMAT_NO_TORCH(runtimeInfo().sentence.c_str());
        if (runtimeInfo().cuda) QSKIP("there is a GPU");
        const Expected<Model> model = loadSample("tiny_gpt2");
        if (!model) QFAIL(model.error().message.c_str());
        const auto record =
            validatePlan(*model, bareCosts(model->graph), keepAllPlan(model->graph), RunDevice::Cuda, {});
        QVERIFY(!record);
        QVERIFY2(QString::fromStdString(record.error().message).contains("--device cpu"),
                 record.error().message.c_str());
        const auto room = roomForPlans(*model, model->graph, bareCosts(model->graph), keepAllPlan(model->graph).steps,
                                       RunDevice::Cuda, {});
        QVERIFY(room && *room < 0); // nobody plans a reference for a GPU that is not there
    }

    /// What stands in front of LibTorch's allocator finds all it needs in LibTorch's CUDA libraries, GPU or not.
    void theModuleForPlannedAddressesLoads()
    {
        const std::filesystem::path folder = REMAT_BIN "/../lib";
        if (!std::filesystem::exists(folder / "libremat_torch_cuda.so")) QSKIP("built without nvcc or LibTorch 2.11");
        if (!dlopen((folder / "torch/lib/libtorch_cuda.so").c_str(), RTLD_NOW | RTLD_GLOBAL))
            QSKIP("this LibTorch is built without CUDA");
        void *module = dlopen((folder / "libremat_torch_cuda.so").c_str(), RTLD_NOW | RTLD_LOCAL);
        QVERIFY2(module, module ? "" : dlerror());
        const auto place = reinterpret_cast<PlaceCudaFunction>(dlsym(module, kPlaceCudaSymbol));
        QVERIFY(place);
        place({[](std::size_t) -> void * { return nullptr; }, [](void *, std::size_t) { return false; }, [](void *) {},
               [](void *) {}});
    }

    void samplesRunEqual_data() { textRows("name", kTinySamples); }
    void samplesRunEqual()
    {
        if (!runtimeInfo().available) REMAT_NO_TORCH(runtimeInfo().sentence.c_str());
        if (!runtimeInfo().cuda) QSKIP(runtimeInfo().sentence.c_str());
        QFETCH(QString, name);
        const Expected<Model> model = loadSample(name.toStdString());
        if (!model) QFAIL(model.error().message.c_str());
        const Expected<Profile> profile = profileModel(*model, RunDevice::Cuda, {3}, {});
        QVERIFY2(profile, profile ? "" : profile.error().message.c_str());
        for (const std::string &mismatch : profile->aliasMismatches)
            QWARN(mismatch.c_str());
        const CostTable costs = measuredCosts(*profile);
        for (const Plan &plan : {keepAllPlan(model->graph), forgetfulPlan(model->graph, 0, 100)}) {
            RunContext context;
            context.memory = MemoryMode::Arena;
            const auto record = validatePlan(*model, costs, plan, RunDevice::Cuda, context);
            QVERIFY2(record, record ? "" : record.error().message.c_str());
            qInfo("%s", record->sentence.c_str());
            QVERIFY2(record->lossEqual && record->differences.empty(), record->sentence.c_str());
            const double error =
                static_cast<double>(record->measuredPeakBytes) / static_cast<double>(record->predictedPeakBytes) - 1;
            QVERIFY2(std::abs(error) <= 0.02 || !record->peakReasons.empty(), record->sentence.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestCuda)
#include "tst_cuda.moc"
