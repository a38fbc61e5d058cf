// SPDX-License-Identifier: Apache-2.0
// The table: which dims of which operators may be cut. What is not here stays whole.
#include "core/chunk/terms.h"

#include "core/chunk/term_rows.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace remat {

namespace {

struct FixedRow {
    std::string_view op;
    std::string_view text;
};

/// Rows that need no shape.
constexpr std::array kFixed{
    FixedRow{"mm", "self MK, mat2 KN -> MN"},
    FixedRow{"bmm", "self BMK, mat2 BKN -> BMN"},
    FixedRow{"native_batch_norm", "input nC, weight C, bias C, running_mean C, running_var C -> nC, C, C"},
    FixedRow{"_native_batch_norm_legit_functional",
             "input nC, weight C, bias C, running_mean C, running_var C -> nC, C, C, C, C"},
    FixedRow{"native_batch_norm_backward",
             "grad_out nC, input nC, weight C, running_mean C, running_var C, save_mean C, "
             "save_invstd C -> nC, C, C"},
    FixedRow{"max_pool2d_with_indices", "self NC -> NC, NC"},
    FixedRow{"max_pool2d_with_indices_backward", "grad_output NC, self NC, indices NC -> NC"},
    FixedRow{"avg_pool2d", "self NC -> NC"},
    FixedRow{"avg_pool2d_backward", "grad_output NC, self NC -> NC"},
    FixedRow{"_adaptive_avg_pool2d", "self NC -> NC"},
    FixedRow{"_adaptive_avg_pool2d_backward", "grad_output NC, self NC -> NC"},
};

struct ShapedRow {
    std::string_view op;
    std::optional<Terms> (*row)(const term_rows::Call &);
};

constexpr std::array kShaped{
    ShapedRow{"addmm", term_rows::addmm},
    ShapedRow{"_softmax", term_rows::alongOthers},
    ShapedRow{"_safe_softmax", term_rows::alongOthers},
    ShapedRow{"_log_softmax", term_rows::alongOthers},
    ShapedRow{"_softmax_backward_data", term_rows::alongOthers},
    ShapedRow{"_log_softmax_backward_data", term_rows::alongOthers},
    ShapedRow{"cat", term_rows::alongOthers},
    ShapedRow{"slice", term_rows::alongOthers},
    ShapedRow{"slice_backward", term_rows::alongOthers},
    ShapedRow{"split", term_rows::alongOthers},
    ShapedRow{"split_with_sizes", term_rows::alongOthers},
    ShapedRow{"slice_scatter", term_rows::alongOthers},
    ShapedRow{"gather", term_rows::gathered},
    ShapedRow{"cumsum", term_rows::alongOthers},
    ShapedRow{"select", term_rows::selected},
    ShapedRow{"select_backward", term_rows::selected},
    ShapedRow{"constant_pad_nd", term_rows::padded},
    ShapedRow{"sum", term_rows::sum},
    ShapedRow{"mean", term_rows::otherReduction},
    ShapedRow{"amax", term_rows::otherReduction},
    ShapedRow{"amin", term_rows::otherReduction},
    ShapedRow{"logsumexp", term_rows::otherReduction},
    ShapedRow{"native_layer_norm", term_rows::normalized},
    ShapedRow{"native_layer_norm_backward", term_rows::normalized},
    ShapedRow{"_fused_rms_norm", term_rows::normalized},
    ShapedRow{"_fused_rms_norm_backward", term_rows::normalized},
    ShapedRow{"t", term_rows::permuted},
    ShapedRow{"transpose", term_rows::permuted},
    ShapedRow{"permute", term_rows::permuted},
    ShapedRow{"expand", term_rows::pointwise},
    ShapedRow{"embedding", term_rows::embedding},
    ShapedRow{"embedding_dense_backward", term_rows::embedding},
    ShapedRow{"nll_loss_forward", term_rows::nllForward},
    ShapedRow{"nll_loss2d_forward", term_rows::nllForward},
    ShapedRow{"nll_loss_backward", term_rows::nllBackward},
    ShapedRow{"nll_loss2d_backward", term_rows::nllBackward},
    ShapedRow{"convolution", term_rows::convolution},
    ShapedRow{"convolution_backward", term_rows::convolution},
    ShapedRow{"_scaled_dot_product_flash_attention_for_cpu", term_rows::attention},
    ShapedRow{"_scaled_dot_product_flash_attention_for_cpu_backward", term_rows::attention},
    ShapedRow{"_scaled_dot_product_efficient_attention", term_rows::attention},
    ShapedRow{"_scaled_dot_product_flash_attention", term_rows::attention},
    ShapedRow{"_scaled_dot_product_flash_attention_backward", term_rows::attention},
    ShapedRow{"_scaled_dot_product_efficient_attention_backward", term_rows::attention},
};

/// Operators that treat each element by itself, operands broadcast.
const std::unordered_set<std::string_view> &pointwiseOperators()
{
    static const std::unordered_set<std::string_view> kNames{"_to_copy",
                                                             "abs",
                                                             "add",
                                                             "addcdiv",
                                                             "addcmul",
                                                             "bitwise_and",
                                                             "bitwise_not",
                                                             "bitwise_or",
                                                             "ceil",
                                                             "clamp",
                                                             "clamp_max",
                                                             "clamp_min",
                                                             "clone",
                                                             "convert_element_type",
                                                             "copysign",
                                                             "cos",
                                                             "div",
                                                             "elu",
                                                             "elu_backward",
                                                             "eq",
                                                             "erf",
                                                             "exp",
                                                             "floor",
                                                             "full_like",
                                                             "ge",
                                                             "gelu",
                                                             "gelu_backward",
                                                             "gt",
                                                             "hardsigmoid",
                                                             "hardsigmoid_backward",
                                                             "hardswish",
                                                             "hardswish_backward",
                                                             "hardtanh",
                                                             "hardtanh_backward",
                                                             "isnan",
                                                             "le",
                                                             "leaky_relu",
                                                             "leaky_relu_backward",
                                                             "lerp",
                                                             "log",
                                                             "log1p",
                                                             "log_sigmoid_backward",
                                                             "logical_and",
                                                             "logical_not",
                                                             "logical_or",
                                                             "lt",
                                                             "masked_fill",
                                                             "maximum",
                                                             "minimum",
                                                             "mish",
                                                             "mul",
                                                             "native_dropout",
                                                             "native_dropout_backward",
                                                             "ne",
                                                             "neg",
                                                             "ones_like",
                                                             "pow",
                                                             "reciprocal",
                                                             "relu",
                                                             "round",
                                                             "rsqrt",
                                                             "rsub",
                                                             "sgn",
                                                             "sigmoid",
                                                             "sigmoid_backward",
                                                             "sign",
                                                             "silu",
                                                             "silu_backward",
                                                             "sin",
                                                             "softplus",
                                                             "softplus_backward",
                                                             "sqrt",
                                                             "sub",
                                                             "tanh",
                                                             "tanh_backward",
                                                             "threshold",
                                                             "threshold_backward",
                                                             "where",
                                                             "zeros_like"};
    return kNames;
}

/// The name of an operator of ATen, or of the primitives that compilers make of these.
std::string_view atenName(const Node &node)
{
    for (const std::string_view space : {"aten::", "prims::"})
        if (const std::string_view name = node.opName; name.starts_with(space)) return name.substr(space.size());
    return {};
}

} // namespace

std::optional<Terms> termsOf(const Program &program, const Node &node)
{
    const std::string_view name = atenName(node);
    const term_rows::Call call(program, node);
    if (pointwiseOperators().contains(name)) return term_rows::pointwise(call);
    if (const auto row = std::find_if(kFixed.begin(), kFixed.end(), [&](const auto &r) { return r.op == name; });
        row != kFixed.end())
        return term_rows::parsed(call, row->text);
    const auto row = std::find_if(kShaped.begin(), kShaped.end(), [&](const auto &r) { return r.op == name; });
    return row == kShaped.end() ? std::nullopt : row->row(call);
}

bool keepsElements(const Node &node)
{
    static constexpr std::array<std::string_view, 8> kNames{"view",      "_unsafe_view", "reshape", "squeeze",
                                                            "unsqueeze", "detach",       "alias",   "flatten"};
    return std::find(kNames.begin(), kNames.end(), atenName(node)) != kNames.end();
}

} // namespace remat
