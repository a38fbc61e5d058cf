// SPDX-License-Identifier: Apache-2.0
// Attention that was traced on a CPU, run on a GPU.
#pragma once

#include <ATen/core/ivalue.h>
#include <string>
#include <vector>

namespace remat {

/// A trace made without a GPU holds the CPU's attention kernels. For these two operators this runs PyTorch's
/// memory-efficient attention instead, or plain math in double precision and for heads whose rows are no multiple of 16
/// bytes, which that kernel does not take: takes the arguments off `stack`, puts the results on it and returns true.
/// For all others it leaves the stack as it is. Throws what LibTorch throws.
bool callAttentionOnCuda(const std::string &opName, std::vector<c10::IValue> &stack);

} // namespace remat
