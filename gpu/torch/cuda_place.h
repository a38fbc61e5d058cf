// SPDX-License-Identifier: Apache-2.0
// How LibTorch's allocations on a GPU reach an AllocationPlace: by libremat_torch_cuda.so, the only one of our files
// that sees LibTorch's and CUDA's headers together. No type of CUDA crosses its border.
#pragma once

#include <cstddef>

namespace remat {

/// What that module asks; all are called on the thread that allocates or lets go.
struct CudaPlace {
    void *(*take)(std::size_t bytes);                 ///< memory for an allocation; null leaves it to LibTorch
    bool (*elsewhere)(void *data, std::size_t bytes); ///< LibTorch gave it; true: `gone` is told when it goes back
    void (*gone)(void *data);
    void (*give)(void *data); ///< what `take` gave is let go
};

constexpr const char *kPlaceCudaSymbol = "rematPlaceCudaAllocations";
using PlaceCudaFunction = void (*)(const CudaPlace &place);

} // namespace remat
