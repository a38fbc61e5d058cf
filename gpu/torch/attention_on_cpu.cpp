#include "gpu/torch/attention_on_cpu.h"

#include "gpu/torch/memory_meter.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <cmath>
#include <limits>
#include <optional>

namespace remat {
namespace {

enum class Kernel { Flash, Efficient, Cudnn };

/// One attention: its arguments, whichever kernel they were for.
struct Attention {
    at::Tensor query, key, value, bias;
    double dropout = 0;
    bool causal = false;
    double scale = 1;
};

at::Tensor tensorOf(const c10::IValue &value)
{
    return value.isTensor() ? value.toTensor() : at::Tensor();
}

double scaleOf(const c10::IValue &value, const at::Tensor &query)
{
    return value.isNone() ? 1 / std::sqrt(static_cast<double>(query.size(-1))) : value.toDouble();
}

/// In single precision, each head of a group of queries with its own keys.
at::Tensor headsOf(const at::Tensor &tensor, const at::Tensor &query)
{
    const at::Tensor exact = tensor.to(at::kFloat);
    const std::int64_t times = query.size(1) / tensor.size(1);
    return times > 1 ? exact.repeat_interleave(times, 1) : exact;
}

at::Tensor scoresOf(const Attention &a)
{
    at::Tensor scores = at::matmul(a.query.to(at::kFloat), headsOf(a.key, a.query).transpose(-2, -1)) * a.scale;
    if (a.bias.defined()) scores = scores + a.bias.to(at::kFloat);
    if (a.causal) {
        const at::Tensor seen = at::ones({scores.size(-2), scores.size(-1)}, at::kBool).tril();
        scores = scores.masked_fill(seen.logical_not(), -std::numeric_limits<double>::infinity());
    }
    return scores;
}

/// Rows of which everything is masked give nothing, as in the kernels.
at::Tensor sharesOf(const at::Tensor &scores)
{
    return at::softmax(scores, -1).nan_to_num(0.0);
}

/// What stays of each share, scaled; the same for the same seed. Undefined when nothing is dropped.
at::Tensor keptOf(const Attention &a, const at::Tensor &scores, const at::Tensor &seed)
{
    if (a.dropout <= 0) return {};
    const std::int64_t number = seed.defined() && seed.numel() > 0 ? seed.flatten()[0].item<std::int64_t>() : 0;
    at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(number));
    return at::empty_like(scores).bernoulli_(1 - a.dropout, generator) / (1 - a.dropout);
}

/// A tensor whose rows lie head after head within a position, as the memory-efficient kernel makes them.
at::Tensor headsInside(const at::Tensor &values, const at::Tensor &like)
{
    const auto sizes = values.sizes();
    return at::empty({sizes[0], sizes[2], sizes[1], sizes[3]}, like.options()).transpose(1, 2).copy_(values);
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
    const at::Tensor scores = scoresOf(a), kept = keptOf(a, scores, state);
    at::Tensor shares = sharesOf(scores);
    if (kept.defined()) shares = shares * kept;
    const at::Tensor made = at::matmul(shares, headsOf(a.value, a.query)).to(a.query.scalar_type());
    const std::int64_t queries = a.query.size(2);
    at::Tensor sums =
        at::zeros({a.query.size(0), a.query.size(1), keepsSums ? sumsOf(kernel, queries) : 0}, at::kFloat);
    if (keepsSums) sums.narrow(-1, 0, queries).copy_(scores.logsumexp(-1));
    // cuDNN's kernel has a dimension for each number.
    if (kernel == Kernel::Cudnn) sums = sums.unsqueeze(-1);

    const std::int64_t keys = a.key.size(2);
    const at::Tensor output = inLayoutOf(kernel, made, a.query);
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

/// Sums over the queries of each group.
at::Tensor overGroups(const at::Tensor &gradient, const at::Tensor &key)
{
    if (gradient.size(1) == key.size(1)) return gradient;
    const auto sizes = gradient.sizes();
    return gradient.reshape({sizes[0], key.size(1), sizes[1] / key.size(1), sizes[2], sizes[3]}).sum(2);
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

    const at::Tensor gradient = stack[0].toTensor().to(at::kFloat), out = stack[place.out].toTensor().to(at::kFloat);
    const at::Tensor scores = scoresOf(a), shares = sharesOf(scores),
                     kept = keptOf(a, scores, tensorOf(stack[place.seed]));
    const at::Tensor dropped = kept.defined() ? shares * kept : shares;
    const at::Tensor gradValue = at::matmul(dropped.transpose(-2, -1), gradient);
    at::Tensor gradShares = at::matmul(gradient, headsOf(a.value, a.query).transpose(-2, -1));
    if (kept.defined()) gradShares = gradShares * kept;
    const at::Tensor gradScores = shares * (gradShares - (gradient * out).sum(-1, true));
    const at::Tensor gradQuery = at::matmul(gradScores, headsOf(a.key, a.query)) * a.scale;
    const at::Tensor gradKey = at::matmul(gradScores.transpose(-2, -1), a.query.to(at::kFloat)) * a.scale;

    stack.clear();
    stack.emplace_back(inLayoutOf(kernel, gradQuery, a.query));
    stack.emplace_back(inLayoutOf(kernel, overGroups(gradKey, a.key), a.key));
    stack.emplace_back(inLayoutOf(kernel, overGroups(gradValue, a.value), a.value));
    if (kernel == Kernel::Efficient) stack.emplace_back(wantsBias ? gradScores.to(a.bias.scalar_type()) : at::Tensor());
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
