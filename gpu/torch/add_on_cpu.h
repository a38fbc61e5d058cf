// SPDX-License-Identifier: Apache-2.0
// Sums of different types on a CPU, without a copy of the term.
#pragma once

#include <ATen/core/ivalue.h>
#include <string>
#include <vector>

namespace remat {

/// LibTorch's `add_` on a CPU copies a term of another type than the sum's (bfloat16 into float32) as a whole first; a
/// GPU converts inside the kernel. For such a call this adds block by block, with the same bits, so that the copy is a
/// 256th of it: takes the arguments off `stack`, puts the sum on it and returns true. For all others it leaves the
/// stack as it is. Throws what LibTorch throws.
bool addInBlocksOnCpu(const std::string &opName, std::vector<c10::IValue> &stack);

} // namespace remat
