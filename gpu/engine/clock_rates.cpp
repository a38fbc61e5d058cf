// SPDX-License-Identifier: Apache-2.0
#include "gpu/engine/clock_rates.h"

#include <algorithm>
#include <dlfcn.h>
#include <fstream>

namespace remat {
namespace {

/// The few functions of NVML that are asked; null where there is none.
struct Nvml {
    using Handle = void *;
    int (*count)(unsigned *) = nullptr;
    int (*byBusId)(const char *, Handle *) = nullptr;
    int (*clock)(Handle, int, unsigned *) = nullptr;
};

template <class Function>
void look(void *library, const char *name, Function &function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
}

const Nvml &nvml()
{
    static const Nvml kFound = [] {
        Nvml found;
        void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!library) return found;
        int (*init)() = nullptr;
        look(library, "nvmlInit_v2", init);
        if (!init || init() != 0) return found;
        look(library, "nvmlDeviceGetCount_v2", found.count);
        look(library, "nvmlDeviceGetHandleByPciBusId_v2", found.byBusId);
        look(library, "nvmlDeviceGetClockInfo", found.clock);
        return found;
    }();
    return kFound;
}

} // namespace

Clocks cpuClocks(const std::filesystem::path &folder)
{
    constexpr double kKhzPerMhz = 1000;
    Clocks clocks;
    bool several = false;
    for (int core = 0;; ++core) {
        const std::filesystem::path of = folder / ("cpu" + std::to_string(core)) / "cpufreq";
        std::string governor;
        if (!(std::ifstream(of / "scaling_governor") >> governor)) break;
        several = several || (core > 0 && governor != clocks.governor);
        clocks.governor = governor;
        if (double khz = 0; std::ifstream(of / "scaling_cur_freq") >> khz)
            clocks.mostMhz = std::max(clocks.mostMhz, khz / kKhzPerMhz);
    }
    if (several) clocks.governor.clear();
    clocks.leastMhz = clocks.mostMhz;
    return clocks;
}

Clocks gpuClocks(const std::string &busId)
{
    constexpr int kProcessors = 1, kMemory = 2;
    Clocks clocks;
    Nvml::Handle gpu = nullptr;
    if (!nvml().byBusId || !nvml().clock || nvml().byBusId(busId.c_str(), &gpu) != 0) return clocks;
    if (unsigned mhz = 0; nvml().clock(gpu, kProcessors, &mhz) == 0) clocks.leastMhz = clocks.mostMhz = mhz;
    if (unsigned mhz = 0; nvml().clock(gpu, kMemory, &mhz) == 0) clocks.memoryMhz = mhz;
    return clocks;
}

int gpuCount()
{
    unsigned count = 0;
    return nvml().count && nvml().count(&count) == 0 ? static_cast<int>(count) : -1;
}

} // namespace remat
