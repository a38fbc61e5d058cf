// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cuda_accelerator.h"

#include "core/base/units.h"

#include <fmt/core.h>

namespace remat {
namespace {

std::string versionText(int version)
{
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

class Module final : public CudaModule
{
public:
    CudaFound find() override
    {
        CudaFound found;
        found.compiledFor = REMAT_CUDA_ARCHITECTURES;
        cudaRuntimeGetVersion(&found.runtimeVersion);
        cudaDriverGetVersion(&found.driverVersion);
        if (found.driverVersion == 0) {
            cudaGetLastError();
            found.sentence = "There is no NVIDIA driver on this machine, so its GPU, if it has one, cannot be used. "
                             "Install the driver, or use --device simulated.";
            return found;
        }
        int devices = 0;
        if (const cudaError_t code = cudaGetDeviceCount(&devices); code != cudaSuccess || devices == 0) {
            cudaGetLastError();
            found.sentence =
                code == cudaErrorInsufficientDriver
                    ? fmt::format("The NVIDIA driver knows CUDA {}, and this module needs {}. Install a newer driver.",
                                  versionText(found.driverVersion), versionText(found.runtimeVersion))
                    : fmt::format("The driver shows no GPU: {}. Look at nvidia-smi and at CUDA_VISIBLE_DEVICES.",
                                  cudaGetErrorString(code));
            return found;
        }
        cudaDeviceProp properties{};
        if (const cudaError_t code = cudaGetDeviceProperties(&properties, 0); code != cudaSuccess) {
            cudaGetLastError();
            found.sentence = cuda::failureOf(code, "its properties").message;
            return found;
        }
        found.title = properties.name;
        found.architecture = fmt::format("sm_{}{}", properties.major, properties.minor);
        found.memoryBytes = static_cast<std::int64_t>(properties.totalGlobalMem);
        std::size_t free = 0, total = 0;
        if (const cudaError_t code = cudaMemGetInfo(&free, &total); code != cudaSuccess) {
            cudaGetLastError();
            found.sentence = cuda::failureOf(code, "asking for its free memory").message;
            return found;
        }
        found.freeBytes = static_cast<std::int64_t>(free);
        if (properties.major < 8)
            found.sentence = fmt::format("{} is {}, and the kernels are compiled for {}. Use a newer GPU.", found.title,
                                         found.architecture, found.compiledFor);
        found.usable = found.sentence.empty();
        return found;
    }

    Expected<std::unique_ptr<Accelerator>> accelerator(const CudaSettings &settings) override
    {
        if (CudaFound found = find(); !found.usable) return fail(std::move(found.sentence));
        return cuda::CudaAccelerator::make(settings);
    }
};

} // namespace
} // namespace remat

extern "C" __attribute__((visibility("default"))) const char *rematCudaModuleLayout()
{
    static const std::string kLayout = remat::cudaModuleLayout();
    return kLayout.c_str();
}

extern "C" __attribute__((visibility("default"))) remat::CudaModule *rematCudaModule()
{
    static remat::Module module;
    return &module;
}
