// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/add_on_cpu.h"

#include <ATen/core/Tensor.h>
#include <algorithm>
#include <cstdint>

namespace remat {
namespace {

constexpr std::int64_t kBlocks = 256;
constexpr std::int64_t kLeastElements = 1024; ///< smaller blocks would be calls more than sums

/// Whether element by element in memory is element by element of the tensors.
bool areDenseAlike(const at::Tensor &sum, const at::Tensor &term)
{
    return sum.sizes() == term.sizes() && sum.strides() == term.strides() && sum.is_non_overlapping_and_dense();
}

at::Tensor flat(const at::Tensor &tensor)
{
    return tensor.as_strided({tensor.numel()}, {1}, tensor.storage_offset());
}

} // namespace

bool addInBlocksOnCpu(const std::string &opName, std::vector<c10::IValue> &stack)
{
    if (opName != "aten::add_" || stack.size() != 3 || !stack[0].isTensor() || !stack[1].isTensor()) return false;
    const at::Tensor sum = stack[0].toTensor(), term = stack[1].toTensor();
    if (!sum.is_cpu() || !term.is_cpu() || sum.scalar_type() == term.scalar_type() || !areDenseAlike(sum, term))
        return false;
    const at::Scalar alpha = stack[2].toScalar();
    const at::Tensor to = flat(sum), from = flat(term);
    const std::int64_t count = to.numel(), block = std::max(kLeastElements, (count + kBlocks - 1) / kBlocks);
    for (std::int64_t begin = 0; begin < count; begin += block) {
        const std::int64_t length = std::min(block, count - begin);
        to.narrow(0, begin, length).add_(from.narrow(0, begin, length), alpha);
    }
    stack = {sum};
    return true;
}

} // namespace remat
