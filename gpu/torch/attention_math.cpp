// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/attention_math.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>
#include <limits>

namespace remat {
namespace {

at::ScalarType precisionOf(const Attention &a)
{
    return a.query.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

/// Each head of a group of queries with its own keys.
at::Tensor headsOf(const at::Tensor &tensor, const Attention &a)
{
    const at::Tensor exact = tensor.to(precisionOf(a));
    const std::int64_t times = a.query.size(1) / tensor.size(1);
    return times > 1 ? exact.repeat_interleave(times, 1) : exact;
}

/// Rows of which everything is masked give nothing, as in the kernels.
at::Tensor sharesOf(const at::Tensor &scores)
{
    return at::softmax(scores, -1).nan_to_num(0.0);
}

/// Sums over the queries of each group.
at::Tensor overGroups(const at::Tensor &gradient, const at::Tensor &key)
{
    if (gradient.size(1) == key.size(1)) return gradient;
    const auto sizes = gradient.sizes();
    return gradient.reshape({sizes[0], key.size(1), sizes[1] / key.size(1), sizes[2], sizes[3]}).sum(2);
}

} // namespace

at::Tensor attentionScores(const Attention &a)
{
    const at::ScalarType precision = precisionOf(a);
    at::Tensor scores = at::matmul(a.query.to(precision), headsOf(a.key, a).transpose(-2, -1)) * a.scale;
    if (a.bias.defined()) scores = scores + a.bias.to(precision);
    if (a.causal) {
        const at::Tensor seen = at::ones({scores.size(-2), scores.size(-1)}, scores.options().dtype(at::kBool)).tril();
        scores = scores.masked_fill(seen.logical_not(), -std::numeric_limits<double>::infinity());
    }
    return scores;
}

AttentionResult attentionForward(const Attention &a, const at::Tensor &scores, const at::Tensor &kept)
{
    at::Tensor shares = sharesOf(scores);
    if (kept.defined()) shares = shares * kept;
    return {at::matmul(shares, headsOf(a.value, a)).to(a.query.scalar_type()), scores.logsumexp(-1)};
}

AttentionGradients attentionBackward(const Attention &a, const at::Tensor &gradient, const at::Tensor &output,
                                     const at::Tensor &scores, const at::Tensor &kept)
{
    const at::ScalarType precision = precisionOf(a);
    const at::Tensor grad = gradient.to(precision), shares = sharesOf(scores);
    const at::Tensor dropped = kept.defined() ? shares * kept : shares;
    at::Tensor gradShares = at::matmul(grad, headsOf(a.value, a).transpose(-2, -1));
    if (kept.defined()) gradShares = gradShares * kept;
    const at::Tensor gradScores = shares * (gradShares - (grad * output.to(precision)).sum(-1, true));
    return {at::matmul(gradScores, headsOf(a.key, a)) * a.scale,
            overGroups(at::matmul(gradScores.transpose(-2, -1), a.query.to(precision)) * a.scale, a.key),
            overGroups(at::matmul(dropped.transpose(-2, -1), grad), a.value), gradScores};
}

at::Tensor headsInside(const at::Tensor &values, const at::Tensor &like)
{
    const auto sizes = values.sizes();
    return at::empty({sizes[0], sizes[2], sizes[1], sizes[3]}, like.options()).transpose(1, 2).copy_(values);
}

} // namespace remat
