// SPDX-License-Identifier: Apache-2.0
// The border of libremat_cuda.so, which is loaded at run time: no type of CUDA crosses it, so that programs start where
// there is neither driver nor toolkit.
#pragma once

#include "gpu/engine/accelerator.h"

#include <memory>
#include <string>

namespace remat {

/// What the module was built with and finds here.
struct CudaFound {
    bool usable = false;      ///< there is a GPU that its kernels run on
    std::string title;        ///< title of the first GPU; empty when there is none
    std::string architecture; ///< architecture of that GPU: `sm_90`
    std::int64_t memoryBytes = 0, freeBytes = 0;
    int driverVersion = 0, runtimeVersion = 0; ///< as CUDA counts: 13000 is 13.0; 0: no driver
    std::string compiledFor;                   ///< `sm_80, sm_90, sm_120`
    std::string sentence;                      ///< why it is not usable; empty when it is
};

struct CudaSettings {
    bool poison = true; ///< freed ranges are filled with 0xff
    std::int64_t mostHostBytes = std::int64_t(64)
                                 << 30; ///< pinned memory together: what is pinned, no other program has
};

/// The module as its loader sees it. It never goes away.
class CudaModule
{
public:
    CudaModule() = default;
    CudaModule(const CudaModule &) = delete;
    CudaModule &operator=(const CudaModule &) = delete;
    virtual ~CudaModule() = default;

    virtual CudaFound find() = 0;
    /// The first GPU. Its compute stream is the one that LibTorch computes on unless it is told otherwise, so that
    /// kernels of both keep their order. Fails with a sentence when `find` says that it is not usable.
    virtual Expected<std::unique_ptr<Accelerator>> accelerator(const CudaSettings &settings) = 0;
};

/// Loads the module that comes with this program, or that `$REMAT_CUDA_MODULE` names; fails with a sentence when there
/// is none, or one of another build. One time in a process; any thread.
Expected<CudaModule *> loadCudaModule();

constexpr const char *kCudaModuleLayoutSymbol = "rematCudaModuleLayout";
constexpr const char *kCudaModuleSymbol = "rematCudaModule";
using CudaModuleLayoutFunction = const char *(*)();
using CudaModuleFunction = CudaModule *(*)();

/// Changes with what crosses the border.
inline std::string cudaModuleLayout()
{
    std::string layout = "remat-cuda/1";
    for (const std::size_t size : {sizeof(CudaFound), sizeof(CudaSettings), sizeof(MemoryBlock), sizeof(CopyJob),
                                   sizeof(StorageDifference), sizeof(Error), sizeof(Expected<CopyJob>)})
        layout.append(1, '.').append(std::to_string(size));
    return layout;
}

} // namespace remat
