// isViewOperator: what a schema's alias annotations say, for archives whose nodes do not say it.
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

} // namespace

bool isViewOperator(std::string_view opName)
{
    constexpr std::string_view kAten = "aten::";
    if (opName.substr(0, kAten.size()) != kAten) return false;
    return std::binary_search(kViews.begin(), kViews.end(), opName.substr(kAten.size()));
}

} // namespace remat
