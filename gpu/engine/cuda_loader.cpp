// SPDX-License-Identifier: Apache-2.0
#include "gpu/engine/cuda_module.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <vector>

namespace remat {
namespace {

constexpr const char *kModuleName = "libremat_cuda.so";

std::vector<std::filesystem::path> candidates()
{
    if (const char *chosen = std::getenv("REMAT_CUDA_MODULE"); chosen && *chosen) return {chosen};
    std::error_code error;
    const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) return {};
    const std::filesystem::path folder = executable.parent_path(), root = folder.parent_path();
    return {folder / kModuleName, root / "lib" / kModuleName, root / "lib" / "remat-studio" / kModuleName};
}

Expected<CudaModule *> load()
{
    std::filesystem::path found;
    for (const std::filesystem::path &path : candidates()) {
        std::error_code error;
        if (found.empty() && std::filesystem::is_regular_file(path, error)) found = path;
    }
    if (found.empty())
        return fail("This installation has no CUDA module ({}), so no GPU is used. It is built where nvcc "
                    "is found: run ./packaging/run, which gets it.",
                    kModuleName);
    void *handle = dlopen(found.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *reason = dlerror();
        return fail("{} could not be loaded: {}. Build it again.", found.string(), reason ? reason : "unknown reason");
    }
    const auto layout = reinterpret_cast<CudaModuleLayoutFunction>(dlsym(handle, kCudaModuleLayoutSymbol));
    const auto make = reinterpret_cast<CudaModuleFunction>(dlsym(handle, kCudaModuleSymbol));
    if (!layout || !make || cudaModuleLayout() != layout()) {
        dlclose(handle);
        return fail(found.string() + " is of another build than this program. Build both again.");
    }
    return make();
}

} // namespace

Expected<CudaModule *> loadCudaModule()
{
    static const Expected<CudaModule *> kLoaded = load();
    return kLoaded;
}

} // namespace remat
