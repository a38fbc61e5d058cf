// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/devices.h"

#include "gpu/engine/clock_rates.h"
#include "gpu/gpu_choice.h"
#include "gpu/memory_need.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <array>
#include <c10/core/CachingDeviceAllocator.h>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <torch/headeronly/version.h>

namespace remat {
namespace {

/// The first GPU as the driver sees it.
struct Gpu {
    std::string title, busId;
    std::int64_t memoryBytes = 0;
};

/// The driver's own library is small and tells in milliseconds; LibTorch's CUDA libraries are gigabytes.
std::optional<Gpu> firstGpu()
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!driver) return std::nullopt;
    const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
    const auto count = reinterpret_cast<int (*)(int *)>(dlsym(driver, "cuDeviceGetCount"));
    const auto name = reinterpret_cast<int (*)(char *, int, int)>(dlsym(driver, "cuDeviceGetName"));
    const auto memory = reinterpret_cast<int (*)(std::size_t *, int)>(dlsym(driver, "cuDeviceTotalMem_v2"));
    int gpus = 0;
    if (!init || !count || !name || !memory || init(0) != 0 || count(&gpus) != 0 || gpus == 0) return std::nullopt;
    Gpu gpu;
    std::array<char, 256> text{};
    if (name(text.data(), static_cast<int>(text.size()) - 1, 0) == 0) gpu.title = text.data();
    const auto busId = reinterpret_cast<int (*)(char *, int, int)>(dlsym(driver, "cuDeviceGetPCIBusId"));
    if (busId && busId(text.data(), static_cast<int>(text.size()) - 1, 0) == 0) gpu.busId = text.data();
    std::size_t bytes = 0;
    if (memory(&bytes, 0) == 0) gpu.memoryBytes = static_cast<std::int64_t>(bytes);
    return gpu;
}

/// The folder of the LibTorch that this module is linked to.
std::filesystem::path torchFolder()
{
    Dl_info where;
    if (dladdr(reinterpret_cast<void *>(&at::set_num_threads), &where) == 0 || !where.dli_fname) return {};
    return std::filesystem::path(where.dli_fname).parent_path();
}

} // namespace

RuntimeInfo cpuInfo()
{
    RuntimeInfo info;
    info.available = true;
    info.torchVersion = TORCH_VERSION;
    info.cpuTitle = deviceTitle(c10::Device(c10::DeviceType::CPU), info);
    return info;
}

RuntimeInfo probeDevices()
{
    RuntimeInfo info = cpuInfo();
    const std::optional<Gpu> gpu = firstGpu();
    if (!gpu) {
        info.sentence = "There is no NVIDIA GPU that the driver can use: graphs run on the CPU.";
        return info;
    }
    info.cudaTitle = gpu->title;
    info.cudaMemoryBytes = gpu->memoryBytes;
    info.cudaBusId = gpu->busId;
    const std::filesystem::path library = torchFolder() / "libtorch_cuda.so";
    std::error_code error;
    if (!std::filesystem::exists(library, error)) {
        info.sentence = fmt::format("{} is there, but the LibTorch in {} is built without CUDA. Install PyTorch's CUDA "
                                    "wheel into .venv and build again.",
                                    gpu->title, library.parent_path().string());
        return info;
    }
    // Without it cuBLAS may give other bits at each run; read when its first handle is made.
    setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
    if (!dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
        const char *reason = dlerror();
        info.sentence = fmt::format("{} is there, but {} could not be loaded: {}.", gpu->title, library.string(),
                                    reason ? reason : "unknown reason");
        return info;
    }
    try {
        info.cuda = at::hasCUDA();
        if (info.cuda) at::globalContext().lazyInitDevice(c10::DeviceType::CUDA);
    } catch (const std::exception &failure) {
        info.cuda = false;
        info.sentence = fmt::format("{} is there, but LibTorch cannot use it: {}", gpu->title, failure.what());
    }
    if (!info.cuda && info.sentence.empty())
        info.sentence = gpu->title + " is there, but LibTorch cannot use it. Is the driver new enough for it?";
    return info;
}

Expected<c10::Device> chooseDevice(RunDevice device, int gpu, const RuntimeInfo &info)
{
    if (device != RunDevice::Cuda) return c10::Device(c10::DeviceType::CPU);
    const std::string asked = fmt::format("A run on {} was asked for. ", gpuName(gpu));
    if (const int count = gpuCount(); !info.cuda && count > 0 && gpu >= count)
        return fail("{}This machine has {} Use one of them, or --device cpu.", asked,
                    count == 1 ? "one GPU, cuda." : fmt::format("{} GPUs, cuda:0 to cuda:{}.", count, count - 1));
    if (!info.cuda) return fail("{}{} Use --device cpu.", asked, info.sentence);
    return c10::Device(c10::DeviceType::CUDA, 0);
}

std::string deviceTitle(c10::Device device, const RuntimeInfo &info)
{
    if (device.is_cuda()) return info.cudaTitle;
    std::string title = "CPU";
    std::ifstream cpuInfo("/proc/cpuinfo");
    for (std::string line; std::getline(cpuInfo, line);) {
        if (line.rfind("model name", 0) != 0) continue;
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos) title = line.substr(colon + 2);
        break;
    }
    const int threads = at::get_num_threads();
    return title + (threads == 1 ? " (1 thread)" : fmt::format(" ({} threads)", threads));
}

Clocks clocksOf(c10::Device device, const RuntimeInfo &info)
{
    return device.is_cuda() ? gpuClocks(info.cudaBusId) : cpuClocks();
}

std::int64_t freeMemoryBytes(c10::Device device)
{
    if (device.is_cuda())
        return static_cast<std::int64_t>(c10::getDeviceAllocator(c10::DeviceType::CUDA)->getMemoryInfo(0).first);
    return freeHostBytes();
}

DeterministicScope::DeterministicScope(int threads)
    : m_threads(at::get_num_threads()),
      m_algorithms(at::globalContext().deterministicAlgorithms()),
      m_warnOnly(at::globalContext().deterministicAlgorithmsWarnOnly()),
      m_cudnn(at::globalContext().deterministicCuDNN()),
      m_fill(at::globalContext().deterministicFillUninitializedMemory())
{
    if (threads > 0) at::set_num_threads(threads);
    at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);
    at::globalContext().setDeterministicFillUninitializedMemory(false);
    at::globalContext().setDeterministicCuDNN(true);
}

DeterministicScope::~DeterministicScope()
{
    if (at::get_num_threads() != m_threads) at::set_num_threads(m_threads);
    at::globalContext().setDeterministicAlgorithms(m_algorithms, m_warnOnly);
    at::globalContext().setDeterministicFillUninitializedMemory(m_fill);
    at::globalContext().setDeterministicCuDNN(m_cudnn);
}

TrainingKernelsScope::TrainingKernelsScope(bool on) : m_on(on)
{
    if (!m_on) return;
    at::globalContext().setDeterministicAlgorithms(false, /*warn_only=*/false);
    at::globalContext().setDeterministicCuDNN(false);
}

TrainingKernelsScope::~TrainingKernelsScope()
{
    if (!m_on) return;
    at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);
    at::globalContext().setDeterministicCuDNN(true);
}

} // namespace remat
