// SPDX-License-Identifier: Apache-2.0
#include "gpu/helper/module_loader.h"

#include "gpu/torch_location.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <vector>

namespace remat {
namespace {

constexpr const char *kModuleName = "libremat_torch.so";
constexpr const char *kHowToGet =
    "Run ./packaging/run, which installs LibTorch and builds the module, or configure with -DREMAT_TORCH_DIR=FOLDER, "
    "where FOLDER holds LibTorch's include and lib.";

std::vector<std::filesystem::path> candidates()
{
    if (const char *chosen = std::getenv("REMAT_TORCH_MODULE"); chosen && *chosen) return {chosen};
    std::vector<std::filesystem::path> result;
    std::error_code error;
    const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) {
        const std::filesystem::path folder = executable.parent_path();
        result.push_back(folder / kModuleName);
        result.push_back(folder.parent_path() / "lib" / kModuleName);
        result.push_back(folder.parent_path() / "lib" / "remat-studio" / kModuleName);
    }
    return result;
}

} // namespace

Expected<TorchModule *> loadModule()
{
    std::filesystem::path found;
    for (const std::filesystem::path &path : candidates()) {
        std::error_code error;
        if (std::filesystem::is_regular_file(path, error)) {
            found = path;
            break;
        }
    }
    if (found.empty())
        return fail("Running graphs needs LibTorch, and its module {} is not there. {}", candidates().front().string(),
                    kHowToGet);

    if (const Expected<TorchPlace> torch = loadTorch(); !torch) return tl::unexpected(torch.error());
    void *handle = dlopen(found.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *reason = dlerror();
        return fail(
            "{} could not be loaded: {}. It was built for another LibTorch, or LibTorch was moved. Build again.",
            found.string(), reason ? reason : "unknown reason");
    }
    // dlsym returns functions as void *: the cast is the documented way.
    const auto layout = reinterpret_cast<TorchModuleLayoutFunction>(dlsym(handle, kTorchModuleLayoutSymbol));
    const auto make = reinterpret_cast<TorchModuleFunction>(dlsym(handle, kTorchModuleSymbol));
    if (!layout || !make || torchModuleLayout() != layout()) {
        dlclose(handle);
        return fail(found.string() + " is of another build than this program. Build both again.");
    }
    return make();
}

} // namespace remat
