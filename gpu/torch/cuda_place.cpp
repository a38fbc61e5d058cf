// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/memory_meter.h"

#include <dlfcn.h>
#include <filesystem>

namespace remat {
namespace {

constexpr const char *kModuleName = "libremat_torch_cuda.so";

Expected<void> load()
{
    Dl_info here;
    if (dladdr(reinterpret_cast<void *>(&placeCudaAllocations), &here) == 0 || !here.dli_fname)
        return fail("This system does not say where libremat_torch.so lies. Use --device simulated.");
    const std::filesystem::path path = std::filesystem::path(here.dli_fname).parent_path() / kModuleName;
    void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto place = handle ? reinterpret_cast<PlaceCudaFunction>(dlsym(handle, kPlaceCudaSymbol)) : nullptr;
    if (!place) {
        const char *reason = dlerror();
        return fail(
            "{} could not be loaded: {}. It is built where nvcc and LibTorch 2.11 are found: run ./packaging/run.",
            path.string(), reason ? reason : "it is of another build");
    }
    place(cudaPlace());
    return {};
}

} // namespace

Expected<void> placeCudaAllocations()
{
    static const Expected<void> kLoaded = load();
    return kLoaded;
}

} // namespace remat
