// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/devices.h"
#include "gpu/torch/failure.h"
#include "gpu/torch/runs.h"
#include "gpu/torch_module.h"

namespace remat {
namespace {

class Module final : public TorchModule
{
public:
    RuntimeInfo info() override { return probeDevices(); }

    /// No exception of LibTorch gets out.
    RunReply run(const RunRequest &request, RunPage &page, const Progress &progress) override
    {
        try {
            // A GPU is looked at, and its libraries are loaded, only for what runs on it.
            const RunSetting setting{request.device == RunDevice::Cuda ? probeDevices() : cpuInfo(),
                                     request.need,
                                     request.seed,
                                     request.gpu,
                                     request.threads,
                                     request.memory,
                                     request.repeats,
                                     request.compareWithCpu,
                                     request.simulated,
                                     request.reference,
                                     progress,
                                     &page,
                                     request.whole.empty() ? nullptr : &request.whole.front(),
                                     request.wholeNeed,
                                     request.pieces};
            if (request.job == RunJob::Profile)
                return outcome(runProfile(request.model, request.device, request.sampling, setting));
            return outcome(runValidation(request.model, request.costs, request.plan, request.device, setting));
        } catch (const std::bad_alloc &) {
            return "Memory ran out. Trace the model with a smaller batch, or run it on a larger machine.";
        } catch (const std::exception &error) {
            return "LibTorch refused: " + firstLine(error);
        }
    }

private:
    template <class T>
    static RunReply outcome(Expected<T> result)
    {
        if (!result) return std::move(result.error().message);
        return std::move(*result);
    }
};

} // namespace
} // namespace remat

extern "C" __attribute__((visibility("default"))) const char *rematTorchModuleLayout()
{
    static const std::string kLayout = remat::torchModuleLayout();
    return kLayout.c_str();
}

extern "C" __attribute__((visibility("default"))) remat::TorchModule *rematTorchModule()
{
    static remat::Module module;
    return &module;
}
