// SPDX-License-Identifier: Apache-2.0
// Attention that was traced for a GPU, run on a CPU.
#pragma once

#include <ATen/core/ivalue.h>
#include <string>
#include <vector>

namespace remat {

/// A trace for GPUs holds kernels that the CPU does not have: flash, memory-efficient and cuDNN's attention. For these
/// and their gradients this computes the same as plain math, with what they draw kept in the place where they keep the
/// generator's state: takes the arguments off `stack`, puts the results on it and returns true. For all others it
/// leaves the stack as it is. Memory that math takes on the way is not counted by MemoryMeter. Draws from the CPU's
/// default generator. Throws what LibTorch throws.
bool callGpuAttentionOnCpu(const std::string &opName, std::vector<c10::IValue> &stack);

} // namespace remat
