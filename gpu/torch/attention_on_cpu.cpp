// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/attention_on_cpu.h"

#include "gpu/torch/attention_math.h"
#include "gpu/torch/memory_meter.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/zeros.h>
#include <cmath>
#include <limits>
#include <optional>

namespace remat {
namespace {

enum class Kernel { Flash, Efficient, Cudnn };

at::Tensor tensorOf(const c10::IValue &value)
{
    return value.isTensor() ? value.toTensor() : at::Tensor();
}

double scaleOf(const c10::IValue &value, const at::Tensor &query)
{
    return value.isNone() ? 1 / std::sqrt(static_cast<double>(query.size(-1))) : value.toDouble();
}

/// What stays of each share, scaled; the same for the same seed. Undefined when nothing is dropped.
at::Tensor keptOf(const Attention &a, const at::Tensor &scores, const at::Tensor &seed)
{
    if (a.dropout <= 0) return {};
    const std::int64_t number = seed.defined() && seed.numel() > 0 ? seed.flatten()[0].item<std::int64_t>() : 0;
    at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(number));
    return at::empty_like(scores).bernoulli_(1 - a.dropout, generator) / (1 - a.dropout);
}

at::Tensor inLayoutOf(Kernel kernel, const at::Tensor &values, const at::Tensor &like)
{
    const bool sameSize = values.sizes() == like.sizes();
    return kernel == Kernel::Efficient || !sameSize ? headsInside(values, like) : at::empty_like(like).copy_(values);
}

/// How many numbers a row of logarithms has.
std::int64_t sumsOf(Kernel kernel, std::int64_t queries)
{
    constexpr std::int64_t kAligned = 32;
    return kernel == Kernel::Efficient ? (queries + kAligned - 1) / kAligned * kAligned : queries;
}

void forward(Kernel kernel, std::vector<c10::IValue> &stack)
{
    // flash: query, key, value, dropout_p, is_causal, return_debug_mask, scale
    // others: query, key, value, attn_bias, compute_log_sumexp, dropout_p, is_causal, (return_debug_mask,) scale
    const std::size_t next = kernel == Kernel::Flash ? 3 : 5;
    Attention a{stack[0].toTensor(),
                stack[1].toTensor(),
                stack[2].toTensor(),
                {},
                stack[next].toDouble(),
                stack[next + 1].toBool(),
                1};
    if (kernel != Kernel::Flash) a.bias = tensorOf(stack[3]);
    const bool keepsSums = kernel == Kernel::Flash || stack[4].toBool();
    a.scale = scaleOf(stack.back(), a.query);

    const bool flash = kernel == Kernel::Flash;
    const at::Tensor state = a.dropout > 0 ? at::randint(std::numeric_limits<std::int64_t>::max(),
                                                         flash ? at::IntArrayRef{2} : at::IntArrayRef{}, at::kLong)
                                           : at::zeros(flash ? at::IntArrayRef{2} : at::IntArrayRef{}, at::kLong);
    const at::Tensor scores = attentionScores(a), kept = keptOf(a, scores, state);
    const AttentionResult made = attentionForward(a, scores, kept);
    const std::int64_t queries = a.query.size(2);
    at::Tensor sums =
        at::zeros({a.query.size(0), a.query.size(1), keepsSums ? sumsOf(kernel, queries) : 0}, at::kFloat);
    if (keepsSums) sums.narrow(-1, 0, queries).copy_(made.logSumExp);
    // cuDNN's kernel has a dimension for each number.
    if (kernel == Kernel::Cudnn) sums = sums.unsqueeze(-1);

    const std::int64_t keys = a.key.size(2);
    const at::Tensor output = inLayoutOf(kernel, made.output, a.query);
    const at::Tensor none = at::empty({0}, a.query.options());
    stack.clear();
    stack.emplace_back(output);
    stack.emplace_back(sums);
    if (kernel != Kernel::Efficient) {
        stack.emplace_back(at::Tensor());
        stack.emplace_back(at::Tensor());
        stack.emplace_back(queries);
        stack.emplace_back(keys);
    }
    stack.emplace_back(state);
    stack.emplace_back(at::zeros({}, at::kLong));
    if (kernel != Kernel::Efficient) stack.emplace_back(none);
}

void backward(Kernel kernel, std::vector<c10::IValue> &stack)
{
    // efficient: grad_out, query, key, value, attn_bias, out, logsumexp, seed, offset, dropout_p, mask, is_causal,
    // scale flash: grad_out, query, key, value, out, logsumexp, 2 sequences, 2 lengths, dropout_p, is_causal, seed,
    // offset, scale cuDNN: grad_out, query, key, value, out, logsumexp, seed, offset, attn_bias, 2 sequences, 2
    // lengths, dropout_p,
    //        is_causal, scale
    struct Places {
        std::size_t out, seed, dropout, causal;
    };
    const Places place = kernel == Kernel::Efficient ? Places{5, 7, 9, 11}
                         : kernel == Kernel::Flash   ? Places{4, 12, 10, 11}
                                                     : Places{4, 6, 13, 14};
    Attention a{stack[1].toTensor(),
                stack[2].toTensor(),
                stack[3].toTensor(),
                {},
                stack[place.dropout].toDouble(),
                stack[place.causal].toBool(),
                1};
    if (kernel == Kernel::Efficient) a.bias = tensorOf(stack[4]);
    if (kernel == Kernel::Cudnn) a.bias = tensorOf(stack[8]);
    a.scale = scaleOf(stack.back(), a.query);
    const bool wantsBias = kernel == Kernel::Efficient && a.bias.defined() && stack[10].toBoolList().get(3);

    const at::Tensor gradient = stack[0].toTensor(), out = stack[place.out].toTensor();
    const at::Tensor scores = attentionScores(a), kept = keptOf(a, scores, tensorOf(stack[place.seed]));
    const AttentionGradients made = attentionBackward(a, gradient, out, scores, kept);

    stack.clear();
    stack.emplace_back(inLayoutOf(kernel, made.query, a.query));
    stack.emplace_back(inLayoutOf(kernel, made.key, a.key));
    stack.emplace_back(inLayoutOf(kernel, made.value, a.value));
    if (kernel == Kernel::Efficient)
        stack.emplace_back(wantsBias ? made.scores.to(a.bias.scalar_type()) : at::Tensor());
}

/// What math takes on the way the kernel would not: only its results count.
void inPlaceOf(void (*math)(Kernel, std::vector<c10::IValue> &), Kernel kernel, std::vector<c10::IValue> &stack)
{
    {
        const UncountedScope uncounted;
        math(kernel, stack);
    }
    for (c10::IValue &result : stack)
        if (result.isTensor() && result.toTensor().defined()) result = result.toTensor().clone();
}

} // namespace

bool callGpuAttentionOnCpu(const std::string &opName, std::vector<c10::IValue> &stack)
{
    struct Known {
        const char *name;
        Kernel kernel;
    };
    static constexpr Known kKnown[] = {{"aten::_scaled_dot_product_flash_attention", Kernel::Flash},
                                       {"aten::_scaled_dot_product_efficient_attention", Kernel::Efficient},
                                       {"aten::_scaled_dot_product_cudnn_attention", Kernel::Cudnn}};
    for (const Known &known : kKnown) {
        if (opName == known.name) {
            inPlaceOf(forward, known.kernel, stack);
            return true;
        }
        if (opName == std::string(known.name) + "_backward") {
            inPlaceOf(backward, known.kernel, stack);
            return true;
        }
    }
    return false;
}

} // namespace remat
