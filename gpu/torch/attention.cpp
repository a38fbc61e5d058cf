// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/attention.h"

#include "gpu/torch/attention_math.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/_scaled_dot_product_efficient_attention.h>
#include <ATen/ops/_scaled_dot_product_efficient_attention_backward.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace remat {
namespace {

constexpr std::int64_t kRowBytes = 16;

std::optional<double> scaleOf(const c10::IValue &value)
{
    return value.isNone() ? std::nullopt : std::optional<double>(value.toDouble());
}

/// A Boolean mask says what takes part: kernels add, so what does not is minus infinity.
at::Tensor additive(const at::Tensor &mask, const at::Tensor &query)
{
    if (mask.scalar_type() != at::kBool) return mask.to(query.scalar_type());
    return at::zeros_like(mask, query.options())
        .masked_fill(mask.logical_not(), -std::numeric_limits<double>::infinity());
}

/// The mask as the GPU's kernels want it: [batch, heads, queries, keys], rows aligned to 16 elements. Undefined when
/// there is none.
at::Tensor biasOf(const c10::IValue &mask, const at::Tensor &query, const at::Tensor &key)
{
    if (mask.isNone() || !mask.toTensor().defined()) return {};
    at::Tensor bias = additive(mask.toTensor(), query);
    const std::int64_t keys = key.size(2);
    // One number for all keys has rows of one element, which nothing aligns.
    if (bias.size(-1) != keys) {
        std::vector<std::int64_t> sizes = bias.sizes().vec();
        sizes.back() = keys;
        bias = bias.expand(sizes);
    }
    constexpr std::int64_t kAligned = 16;
    if (const std::int64_t over = bias.size(-1) % kAligned; over != 0)
        bias = at::constant_pad_nd(bias, {0, kAligned - over}, 0).slice(-1, 0, bias.size(-1));
    return bias.expand({query.size(0), query.size(1), query.size(2), keys});
}

/// The kernel reads rows of 16 bytes at a time, and knows single precision and halves.
bool fitsKernel(const at::Tensor &tensor)
{
    return tensor.scalar_type() != at::kDouble && tensor.size(-1) * tensor.element_size() % kRowBytes == 0;
}

bool takesMath(const at::Tensor &query, const at::Tensor &key, const at::Tensor &value)
{
    return !fitsKernel(query) || !fitsKernel(key) || !fitsKernel(value);
}

/// The same numbers where the kernel can read them: rows that begin off its alignment are copied.
at::Tensor aligned(const at::Tensor &tensor)
{
    const auto begins = [&](std::int64_t dimension) {
        return tensor.size(dimension) == 1 || tensor.stride(dimension) * tensor.element_size() % kRowBytes == 0;
    };
    const auto address = reinterpret_cast<std::uintptr_t>(tensor.const_data_ptr());
    const bool fits = address % kRowBytes == 0 && tensor.stride(-1) == 1 && begins(0) && begins(1) && begins(2);
    return fits ? tensor : tensor.clone(at::MemoryFormat::Contiguous);
}

/// The arguments for plain math; where the mask is Boolean, what it leaves out is at minus infinity.
Attention mathOf(const at::Tensor &query, const at::Tensor &key, const at::Tensor &value, const c10::IValue &mask,
                 bool causal, const c10::IValue &scale)
{
    Attention a{query, key, value, {}, 0, causal, 0};
    a.scale = scaleOf(scale).value_or(1 / std::sqrt(static_cast<double>(query.size(-1))));
    if (mask.isNone() || !mask.toTensor().defined()) return a;
    a.bias = additive(mask.toTensor(), query);
    return a;
}

void mathForward(std::vector<c10::IValue> &stack)
{
    const Attention a =
        mathOf(stack[0].toTensor(), stack[1].toTensor(), stack[2].toTensor(), stack[5], stack[4].toBool(), stack[6]);
    const AttentionResult made = attentionForward(a, attentionScores(a), {});
    stack.clear();
    stack.emplace_back(headsInside(made.output, a.query));
    stack.emplace_back(made.logSumExp);
}

void mathBackward(std::vector<c10::IValue> &stack)
{
    const Attention a =
        mathOf(stack[1].toTensor(), stack[2].toTensor(), stack[3].toTensor(), stack[8], stack[7].toBool(), stack[9]);
    const AttentionGradients made =
        attentionBackward(a, stack[0].toTensor(), stack[4].toTensor(), attentionScores(a), {});
    stack.clear();
    stack.emplace_back(headsInside(made.query, a.query));
    stack.emplace_back(headsInside(made.key, a.key));
    stack.emplace_back(headsInside(made.value, a.value));
}

void forward(std::vector<c10::IValue> &stack)
{
    // query, key, value, dropout_p, is_causal, attn_mask, scale
    if (takesMath(stack[0].toTensor(), stack[1].toTensor(), stack[2].toTensor())) return mathForward(stack);
    const at::Tensor query = aligned(stack[0].toTensor()), key = aligned(stack[1].toTensor()),
                     value = aligned(stack[2].toTensor());
    const at::Tensor bias = biasOf(stack[5], query, key);
    auto [output, logSumExp, philoxSeed, philoxOffset] = at::_scaled_dot_product_efficient_attention(
        query, key, value, bias.defined() ? std::optional<at::Tensor>(bias) : std::nullopt,
        /*compute_log_sumexp=*/true, stack[3].toDouble(), stack[4].toBool(), scaleOf(stack[6]));
    stack.clear();
    stack.emplace_back(std::move(output));
    stack.emplace_back(std::move(logSumExp));
}

void backward(std::vector<c10::IValue> &stack)
{
    // grad_out, query, key, value, out, logsumexp, dropout_p, is_causal, attn_mask, scale
    if (takesMath(stack[1].toTensor(), stack[2].toTensor(), stack[3].toTensor())) return mathBackward(stack);
    const at::Tensor query = aligned(stack[1].toTensor()), key = aligned(stack[2].toTensor());
    const at::Tensor bias = biasOf(stack[8], query, key);
    // The CPU's kernel draws no random numbers, so the generator state of the forward is never read.
    const at::Tensor noState = at::empty({}, query.options().dtype(at::kLong));
    auto [gradQuery, gradKey, gradValue, gradBias] = at::_scaled_dot_product_efficient_attention_backward(
        aligned(stack[0].toTensor()), query, key, aligned(stack[3].toTensor()), bias, stack[4].toTensor(),
        stack[5].toTensor(), noState, noState, stack[6].toDouble(), std::array<bool, 4>{true, true, true, false},
        stack[7].toBool(), scaleOf(stack[9]));
    stack.clear();
    stack.emplace_back(std::move(gradQuery));
    stack.emplace_back(std::move(gradKey));
    stack.emplace_back(std::move(gradValue));
}

} // namespace

bool callAttentionOnCuda(const std::string &opName, std::vector<c10::IValue> &stack)
{
    const bool isForward = opName == "aten::_scaled_dot_product_flash_attention_for_cpu";
    if (!isForward && opName != "aten::_scaled_dot_product_flash_attention_for_cpu_backward") return false;
    if (isForward)
        forward(stack);
    else
        backward(stack);
    return true;
}

} // namespace remat
