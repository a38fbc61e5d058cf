// SPDX-License-Identifier: Apache-2.0
// nodeFlops: the formulas of torch.utils.flop_counter (PyTorch 2.11), as they stand there: multiplications and
// additions of matrix products, convolutions and attention, everything else nothing.
#include "core/costs/cost_table.h"

#include <array>
#include <unordered_map>

namespace remat {

namespace {

using Shape = std::vector<std::int64_t>;

/// Reads a node's arguments by position, as the formulas do. `valid` turns false at the first that does not fit.
class Call
{
public:
    Call(const Program &program, const Node &node) : m_program(program), m_node(node) {}

    Shape shape(std::size_t position, std::size_t rank)
    {
        const auto *id = argument<ValueId>(position);
        if (!id || !*id) return invalid(rank);
        return checked(m_program.value(*id).sizes, rank);
    }
    Shape outputShape(std::size_t position, std::size_t rank)
    {
        if (position >= m_node.outputs.size() || !m_node.outputs[position]) return invalid(rank);
        return checked(m_program.value(m_node.outputs[position]).sizes, rank);
    }
    /// Rank of a tensor argument; 0 when it is none.
    std::size_t rank(std::size_t position) const
    {
        const auto *id = argument<ValueId>(position);
        return id && *id ? m_program.value(*id).sizes.size() : 0;
    }
    bool flag(std::size_t position) const
    {
        const auto *value = argument<bool>(position);
        return value && *value;
    }
    bool flag(std::size_t position, std::size_t item) const
    {
        const auto *list = argument<std::vector<bool>>(position);
        return list && item < list->size() && (*list)[item];
    }
    std::int64_t integer(std::size_t position)
    {
        const auto *value = argument<std::int64_t>(position);
        if (!value) valid = false;
        return value ? *value : 0;
    }

    bool valid = true;

private:
    template <class T>
    const T *argument(std::size_t position) const
    {
        return position < m_node.arguments.size() ? std::get_if<T>(&m_node.arguments[position].value) : nullptr;
    }
    Shape invalid(std::size_t rank)
    {
        valid = false;
        return Shape(rank == 0 ? 3 : rank, 0);
    }
    /// `rank` 0 takes any rank from 3 on: a convolution's.
    Shape checked(const Shape &shape, std::size_t rank)
    {
        const bool fits = rank == 0 ? shape.size() >= 3 : shape.size() == rank;
        return fits ? shape : invalid(rank);
    }

    const Program &m_program;
    const Node &m_node;
};

double product(const Shape &shape, std::size_t first = 0)
{
    double result = 1;
    for (std::size_t i = first; i < shape.size(); ++i)
        result *= static_cast<double>(shape[i]);
    return result;
}

/// [batch, m, k] times [batch, k, n].
double batchedProduct(std::int64_t batch, std::int64_t m, std::int64_t k, std::int64_t n)
{
    return product({batch, m, n, k}) * 2;
}

template <std::size_t First>
double matrixProduct(Call &call)
{
    const Shape a = call.shape(First, 2);
    return product(a) * static_cast<double>(call.shape(First + 1, 2)[1]) * 2;
}

template <std::size_t First>
double batchedMatrixProduct(Call &call)
{
    const Shape a = call.shape(First, 3);
    return batchedProduct(a[0], a[1], a[2], call.shape(First + 1, 3)[2]);
}

/// Per position of the output (of the input when transposed) one product with the filter.
double convolution(const Shape &input, const Shape &weight, const Shape &output, bool transposed)
{
    return product(transposed ? input : output, 2) * product(weight) * static_cast<double>(input[0]) * 2;
}

Shape swapped(Shape shape)
{
    std::swap(shape[0], shape[1]);
    return shape;
}

double convolutionForward(Call &call)
{
    return convolution(call.shape(0, 0), call.shape(1, 0), call.outputShape(0, 0), call.flag(6));
}

double plainConvolutionForward(Call &call)
{
    return convolution(call.shape(0, 0), call.shape(1, 0), call.outputShape(0, 0), false);
}

double convolutionBackward(Call &call)
{
    const Shape gradOut = call.shape(0, 0);
    const Shape input = call.shape(1, 0);
    const Shape weight = call.shape(2, 0);
    const bool transposed = call.flag(7);
    double flops = 0;
    if (call.flag(10, 0)) flops += convolution(gradOut, weight, call.outputShape(0, 0), !transposed);
    if (call.flag(10, 1)) {
        const Shape gradWeight = swapped(call.outputShape(1, 0));
        flops += transposed ? convolution(swapped(gradOut), swapped(input), gradWeight, false)
                            : convolution(swapped(input), swapped(gradOut), gradWeight, false);
    }
    return flops;
}

/// Shapes [batch, heads, length, width] of query, key and value.
double attention(const Shape &query, const Shape &key, const Shape &value)
{
    const std::int64_t batch = query[0] * query[1];
    return batchedProduct(batch, query[2], query[3], key[2]) + batchedProduct(batch, query[2], key[2], value[3]);
}

double attentionGradient(const Shape &query, const Shape &key, const Shape &value)
{
    const std::int64_t batch = query[0] * query[1];
    const double scores = batchedProduct(batch, query[2], query[3], key[2]);
    const double values = batchedProduct(batch, query[2], value[3], key[2]);
    // The scores again, their gradient and the values' gradient, then the gradients of query and key.
    return scores + values + values + scores + scores;
}

double attentionForward(Call &call)
{
    return attention(call.shape(0, 4), call.shape(1, 4), call.shape(2, 4));
}

double attentionBackward(Call &call)
{
    return attentionGradient(call.shape(1, 4), call.shape(2, 4), call.shape(3, 4));
}

/// The kernels below take sequences of different lengths in one tensor: then `Offsets` is the argument with their
/// starts, and each counts as long as the longest, whose length stands two arguments later. `First` is the query.
template <std::size_t First, std::size_t Offsets>
double rawAttention(Call &call)
{
    const auto count = [](const Shape &q, const Shape &k, const Shape &v) {
        return First == 0 ? attention(q, k, v) : attentionGradient(q, k, v);
    };
    if (call.rank(Offsets) == 0) return count(call.shape(First, 4), call.shape(First + 1, 4), call.shape(First + 2, 4));
    const std::int64_t longestQuery = call.integer(Offsets + 2);
    const std::int64_t longestKey = call.integer(Offsets + 3);
    const std::size_t rank = call.rank(First);
    if (rank < 3) {
        call.valid = false;
        return 0;
    }
    const auto padded = [&](std::size_t position, std::int64_t length) {
        const Shape shape = call.shape(position, rank);
        return Shape{1, shape[rank - 2], length, shape[rank - 1]};
    };
    const double sequences = static_cast<double>(call.shape(Offsets, 1)[0] - 1);
    return sequences * count(padded(First, longestQuery), padded(First + 1, longestKey), padded(First + 2, longestKey));
}

using Formula = double (*)(Call &);

const std::unordered_map<std::string, Formula> &formulas()
{
    static const std::unordered_map<std::string, Formula> kFormulas{
        {"aten::mm", matrixProduct<0>},
        {"aten::addmm", matrixProduct<1>},
        {"aten::addmm_", matrixProduct<1>},
        {"aten::_scaled_mm", matrixProduct<0>},
        {"aten::bmm", batchedMatrixProduct<0>},
        {"aten::baddbmm", batchedMatrixProduct<1>},
        {"aten::convolution", convolutionForward},
        {"aten::_convolution", convolutionForward},
        {"aten::convolution_overrideable", convolutionForward},
        {"aten::cudnn_convolution", plainConvolutionForward},
        {"aten::_slow_conv2d_forward", plainConvolutionForward},
        {"aten::convolution_backward", convolutionBackward},
        {"aten::_scaled_dot_product_efficient_attention", attentionForward},
        {"aten::_scaled_dot_product_flash_attention", attentionForward},
        {"aten::_scaled_dot_product_cudnn_attention", attentionForward},
        {"aten::_scaled_dot_product_efficient_attention_backward", attentionBackward},
        {"aten::_scaled_dot_product_flash_attention_backward", attentionBackward},
        {"aten::_scaled_dot_product_cudnn_attention_backward", attentionBackward},
        // PyTorch has no formula for the CPU's kernel; it computes what the others do, and stands for them in traces
        // made without a GPU.
        {"aten::_scaled_dot_product_flash_attention_for_cpu", attentionForward},
        {"aten::_scaled_dot_product_flash_attention_for_cpu_backward", attentionBackward},
        {"aten::_flash_attention_forward", rawAttention<0, 3>},
        {"aten::_efficient_attention_forward", rawAttention<0, 4>},
        {"aten::_flash_attention_backward", rawAttention<1, 6>},
        {"aten::_efficient_attention_backward", rawAttention<1, 6>},
    };
    return kFormulas;
}

} // namespace

double nodeFlops(const Program &program, const Node &node)
{
    const auto formula = formulas().find(node.opName);
    if (formula == formulas().end()) return 0;
    Call call(program, node);
    const double flops = formula->second(call);
    return call.valid ? flops : 0;
}

} // namespace remat
