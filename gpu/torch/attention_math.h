// SPDX-License-Identifier: Apache-2.0
// Attention as plain math, on any device: for what a device's kernels do not take.
#pragma once

#include <ATen/core/Tensor.h>

namespace remat {

/// One attention: its arguments, whichever kernel they were for. Tensors are [batch, heads, positions, head size]; keys
/// and values may have fewer heads, each for a group of queries.
struct Attention {
    at::Tensor query, key, value;
    at::Tensor bias; ///< added to the scores; undefined when there is none
    double dropout = 0;
    bool causal = false;
    double scale = 1;
};

/// In double precision for doubles, in single for everything else; with what is masked at minus infinity.
at::Tensor attentionScores(const Attention &a);

struct AttentionResult {
    at::Tensor output;    ///< as the query's type
    at::Tensor logSumExp; ///< [batch, heads, queries]
};
/// `kept` is what stays of each share, scaled; undefined when nothing is dropped.
AttentionResult attentionForward(const Attention &a, const at::Tensor &scores, const at::Tensor &kept);

/// In the precision of the scores.
struct AttentionGradients {
    at::Tensor query, key, value, scores;
};
/// From the gradient of the output, and the output.
AttentionGradients attentionBackward(const Attention &a, const at::Tensor &gradient, const at::Tensor &output,
                                     const at::Tensor &scores, const at::Tensor &kept);

/// A tensor whose rows lie head after head within a position, as most kernels make them; of the type of `like`.
at::Tensor headsInside(const at::Tensor &values, const at::Tensor &like);

} // namespace remat
