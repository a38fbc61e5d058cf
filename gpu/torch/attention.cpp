#include "gpu/torch/attention.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/_scaled_dot_product_efficient_attention.h>
#include <ATen/ops/_scaled_dot_product_efficient_attention_backward.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>
#include <array>
#include <limits>
#include <optional>

namespace remat {
namespace {

std::optional<double> scaleOf(const c10::IValue &value)
{
    return value.isNone() ? std::nullopt : std::optional<double>(value.toDouble());
}

/// The mask as the GPU's kernels want it: [batch, heads, queries, keys], rows aligned to 16 elements. Undefined when
/// there is none.
at::Tensor biasOf(const c10::IValue &mask, const at::Tensor &query, const at::Tensor &key)
{
    if (mask.isNone() || !mask.toTensor().defined()) return {};
    at::Tensor bias = mask.toTensor();
    const std::int64_t keys = key.size(2);
    // A Boolean mask says what takes part: the kernel adds, so what does not is minus infinity.
    if (bias.scalar_type() == at::kBool)
        bias = at::zeros_like(bias, query.options())
                   .masked_fill(bias.logical_not(), -std::numeric_limits<double>::infinity());
    bias = bias.to(query.scalar_type());
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

void forward(std::vector<c10::IValue> &stack)
{
    // query, key, value, dropout_p, is_causal, attn_mask, scale
    const at::Tensor query = stack[0].toTensor(), key = stack[1].toTensor(), value = stack[2].toTensor();
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
    const at::Tensor query = stack[1].toTensor(), key = stack[2].toTensor();
    const at::Tensor bias = biasOf(stack[8], query, key);
    // The CPU's kernel draws no random numbers, so the generator state of the forward is never read.
    const at::Tensor noState = at::empty({}, query.options().dtype(at::kLong));
    auto [gradQuery, gradKey, gradValue, gradBias] = at::_scaled_dot_product_efficient_attention_backward(
        stack[0].toTensor(), query, key, stack[3].toTensor(), bias, stack[4].toTensor(), stack[5].toTensor(), noState,
        noState, stack[6].toDouble(), std::array<bool, 4>{true, true, true, false}, stack[7].toBool(),
        scaleOf(stack[9]));
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
