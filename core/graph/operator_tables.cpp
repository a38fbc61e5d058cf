// SPDX-License-Identifier: Apache-2.0
// What PyTorch's schemas say about operators, for archives whose nodes do not say it: which make views, which draw
// random numbers.
#include "core/graph/program_graph.h"

#include <algorithm>
#include <array>

namespace remat {

namespace {

/// ATen operators of PyTorch 2.11 whose schema has an alias annotation on the first tensor that is not a write, and
/// that never copy; and `_unsafe_view` and `detach`, which share storage without saying so. Sorted.
constexpr std::array<std::string_view, 61> kViews{"_conj",
                                                  "_fw_primal",
                                                  "_indices",
                                                  "_make_dual",
                                                  "_neg_view",
                                                  "_nested_get_values",
                                                  "_nested_view_from_buffer",
                                                  "_nested_view_from_jagged",
                                                  "_reshape_alias",
                                                  "_unsafe_view",
                                                  "_values",
                                                  "adjoint",
                                                  "alias",
                                                  "as_strided",
                                                  "broadcast_to",
                                                  "ccol_indices",
                                                  "chunk",
                                                  "col_indices",
                                                  "crow_indices",
                                                  "detach",
                                                  "diagonal",
                                                  "dsplit",
                                                  "expand",
                                                  "expand_as",
                                                  "hsplit",
                                                  "imag",
                                                  "indices",
                                                  "lift_fresh",
                                                  "linalg_diagonal",
                                                  "mH",
                                                  "mT",
                                                  "matrix_H",
                                                  "moveaxis",
                                                  "movedim",
                                                  "narrow",
                                                  "numpy_T",
                                                  "permute",
                                                  "positive",
                                                  "real",
                                                  "row_indices",
                                                  "select",
                                                  "slice",
                                                  "slice_inverse",
                                                  "split",
                                                  "split_with_sizes",
                                                  "squeeze",
                                                  "swapaxes",
                                                  "swapdims",
                                                  "t",
                                                  "tensor_split",
                                                  "transpose",
                                                  "unbind",
                                                  "unflatten",
                                                  "unfold",
                                                  "unsqueeze",
                                                  "values",
                                                  "view",
                                                  "view_as",
                                                  "view_as_complex",
                                                  "view_as_real",
                                                  "vsplit"};

/// ATen operators of PyTorch 2.11 with the tag `nondeterministic_seeded`. Sorted.
constexpr std::array<std::string_view, 46> kRandom{"_cudnn_rnn",
                                                   "_efficient_attention_forward",
                                                   "_flash_attention_forward",
                                                   "_fused_dropout",
                                                   "_scaled_dot_product_attention_math_for_mps",
                                                   "_scaled_dot_product_cudnn_attention",
                                                   "_scaled_dot_product_cudnn_attention_backward",
                                                   "_scaled_dot_product_efficient_attention",
                                                   "_scaled_dot_product_efficient_attention_backward",
                                                   "_scaled_dot_product_flash_attention",
                                                   "_scaled_dot_product_flash_attention_for_cpu",
                                                   "_scaled_dot_product_fused_attention_overrideable",
                                                   "alpha_dropout",
                                                   "bernoulli",
                                                   "bernoulli_",
                                                   "cauchy",
                                                   "cauchy_",
                                                   "dropout",
                                                   "exponential",
                                                   "exponential_",
                                                   "geometric",
                                                   "geometric_",
                                                   "gru",
                                                   "log_normal",
                                                   "log_normal_",
                                                   "lstm",
                                                   "miopen_rnn",
                                                   "multinomial",
                                                   "native_dropout",
                                                   "normal",
                                                   "normal_",
                                                   "poisson",
                                                   "rand",
                                                   "rand_like",
                                                   "randint",
                                                   "randint_like",
                                                   "randn",
                                                   "randn_like",
                                                   "randperm",
                                                   "rnn_relu",
                                                   "rnn_tanh",
                                                   "rrelu_with_noise",
                                                   "rrelu_with_noise_",
                                                   "rrelu_with_noise_functional",
                                                   "uniform",
                                                   "uniform_"};

template <std::size_t Count>
bool contains(const std::array<std::string_view, Count> &names, std::string_view opName)
{
    constexpr std::string_view kAten = "aten::";
    if (opName.substr(0, kAten.size()) != kAten) return false;
    return std::binary_search(names.begin(), names.end(), opName.substr(kAten.size()));
}

} // namespace

bool isViewOperator(std::string_view opName)
{
    return contains(kViews, opName);
}

bool isRandomOperator(std::string_view opName)
{
    return contains(kRandom, opName);
}

} // namespace remat
