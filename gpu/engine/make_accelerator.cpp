// SPDX-License-Identifier: Apache-2.0
#include "gpu/engine/make_accelerator.h"

#include "gpu/engine/cuda_module.h"
#include "gpu/engine/simulated_accelerator.h"

namespace remat {

Expected<std::unique_ptr<Accelerator>> makeAccelerator(RunDevice device, const CostTable &costs, bool poison,
                                                       std::int64_t memoryBytes)
{
    if (device == RunDevice::Cuda) {
        const Expected<CudaModule *> module = loadCudaModule();
        if (!module) return tl::unexpected(module.error());
        CudaSettings settings;
        settings.poison = poison;
        return (*module)->accelerator(settings);
    }
    SimulatedSettings settings;
    settings.closed = poison ? ClosedMemory::Poisoned : ClosedMemory::AsItIs;
    if (device == RunDevice::Simulated) {
        settings.linkBytesPerSecond = costs.linkBytesPerSecond;
        settings.linkLatencyUs = costs.linkLatencyUs;
        if (memoryBytes > 0) settings.memoryBytes = memoryBytes;
    }
    return std::make_unique<SimulatedAccelerator>(settings);
}

} // namespace remat
