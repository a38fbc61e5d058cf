// SPDX-License-Identifier: Apache-2.0
// What runs on the GPU besides LibTorch's kernels. Each puts its work on the stream and returns at once.
#pragma once

#include "gpu/engine/storage_checks.h"

#include <cuda_runtime_api.h>

namespace remat::cuda {

/// What `compare` leaves in device memory; must be all zero but `first` (all ones) before.
struct DifferenceOnDevice {
    unsigned long long count, first, largestBits; ///< the last: of a double that is not negative
};

/// Fills the range with 0xff, which floats read as NaN.
cudaError_t poison(void *at, std::uint64_t bytes, cudaStream_t stream);
/// Adds the terms of `checksumOf` to `*sum`, in device memory; the number of bytes is the caller's to add.
cudaError_t checksum(const void *at, std::uint64_t bytes, unsigned long long *sum, cudaStream_t stream);
/// As `compareStorages`, into `*difference`, in device memory.
cudaError_t compare(const void *a, const void *b, std::uint64_t bytes, ElementKind kind, DifferenceOnDevice *difference,
                    cudaStream_t stream);

} // namespace remat::cuda
