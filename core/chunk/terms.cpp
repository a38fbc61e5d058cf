// SPDX-License-Identifier: Apache-2.0
// The table: which dims of which operators may be cut. What is not here stays whole.
#include "core/chunk/terms.h"

#include "core/chunk/modes.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace remat {

namespace {

/// A call, its arguments by name.
class Call
{
public:
    Call(const Program &program, const Node &node) : m_program(program), m_node(node) {}

    template <class T>
    const T *get(std::string_view name) const
    {
        for (const NamedArgument &argument : m_node.arguments) {
            if (argument.name == name) return std::get_if<T>(&argument.value);
        }
        return nullptr;
    }
    bool has(std::string_view name) const
    {
        const auto *tensor = get<ValueId>(name);
        return tensor && *tensor;
    }
    std::int64_t integer(std::string_view name, std::int64_t fallback) const
    {
        const auto *number = get<std::int64_t>(name);
        return number ? *number : fallback;
    }
    bool flag(std::string_view name) const
    {
        const auto *value = get<bool>(name);
        return value && *value;
    }
    std::vector<std::int64_t> integers(std::string_view name) const
    {
        if (const auto *list = get<std::vector<std::int64_t>>(name)) return *list;
        const auto *one = get<std::int64_t>(name);
        return one ? std::vector<std::int64_t>{*one} : std::vector<std::int64_t>{};
    }
    const Value *tensor(std::size_t position) const
    {
        const std::vector<ValueId> read = tensorsRead(m_node);
        return position < read.size() ? &m_program.value(read[position]) : nullptr;
    }
    const Value *output() const
    {
        const auto made =
            std::find_if(m_node.outputs.begin(), m_node.outputs.end(), [](ValueId id) { return bool(id); });
        return made == m_node.outputs.end() ? nullptr : &m_program.value(*made);
    }
    /// Dims of the first tensor that is read.
    std::size_t rank() const { return tensor(0) ? tensor(0)->sizes.size() : 0; }
    /// `dim` from the end where it is negative; `rank` where it is none.
    std::size_t dim(std::int64_t dim, std::size_t rank) const
    {
        if (dim < 0) dim += static_cast<std::int64_t>(rank);
        return dim >= 0 && dim < static_cast<std::int64_t>(rank) ? static_cast<std::size_t>(dim) : rank;
    }
    const Program &program() const { return m_program; }
    const Node &node() const { return m_node; }

private:
    const Program &m_program;
    const Node &m_node;
};

std::string letters(std::size_t count)
{
    std::string result(std::min<std::size_t>(count, 26), 'A');
    std::iota(result.begin(), result.end(), 'A');
    return result;
}

std::string withDot(std::string term, std::size_t at)
{
    if (at < term.size()) term[at] = '.';
    return term;
}

/// "self MK, mat2 KN -> MN", arguments by name; those without a term are whole.
Terms parsed(const Call &call, std::string_view text)
{
    std::unordered_map<std::string_view, std::string> named;
    const std::size_t arrow = text.find("->");
    const auto eachPart = [](std::string_view list, auto use) {
        for (std::size_t at = 0; at <= list.size();) {
            const std::size_t comma = std::min(list.find(',', at), list.size());
            std::string_view part = list.substr(at, comma - at);
            while (!part.empty() && part.front() == ' ')
                part.remove_prefix(1);
            while (!part.empty() && part.back() == ' ')
                part.remove_suffix(1);
            use(part);
            at = comma + 1;
        }
    };
    eachPart(text.substr(0, arrow), [&](std::string_view part) {
        const std::size_t space = part.find(' ');
        named[part.substr(0, space)] = space == std::string_view::npos ? "" : part.substr(space + 1);
    });
    Terms terms;
    for (const NamedArgument &argument : call.node().arguments) {
        const auto *one = std::get_if<ValueId>(&argument.value);
        const auto *list = std::get_if<std::vector<ValueId>>(&argument.value);
        const auto count = one    ? std::ptrdiff_t(bool(*one))
                           : list ? std::count_if(list->begin(), list->end(), [](ValueId id) { return bool(id); })
                                  : 0;
        for (std::ptrdiff_t i = 0; i < count; ++i)
            terms.ins.push_back(named[argument.name]);
    }
    eachPart(text.substr(arrow + 2), [&](std::string_view part) { terms.outs.emplace_back(part); });
    return terms;
}

using Row = std::optional<Terms>;

/// Each tensor that is read broadcasts to the outputs, which are all of one shape.
Row pointwise(const Call &call)
{
    if (!call.output()) return {};
    const std::vector<std::int64_t> &out = call.output()->sizes;
    const std::string all = letters(out.size());
    Terms terms;
    for (const ValueId id : tensorsRead(call.node())) {
        const std::vector<std::int64_t> &in = call.program().value(id).sizes;
        if (in.size() > all.size()) return {};
        std::string term = all.substr(all.size() - in.size());
        for (std::size_t i = 0; i < in.size(); ++i)
            if (in[i] != out[out.size() - in.size() + i]) term[i] = '.';
        terms.ins.push_back(std::move(term));
    }
    for (const ValueId id : call.node().outputs) {
        if (id && call.program().value(id).sizes != out) return {};
        terms.outs.push_back(all);
    }
    return terms;
}

/// All dims of all tensors alike, but those that the argument `dim` names.
Row alongOthers(const Call &call)
{
    const Value *shape = call.output();
    if (!shape) return {};
    const std::size_t rank = shape->sizes.size();
    const std::string term = withDot(letters(rank), call.dim(call.integer("dim", 0), rank));
    return Terms{std::vector<std::string>(tensorsRead(call.node()).size(), term),
                 std::vector<std::string>(call.node().outputs.size(), term)};
}

/// Sums add up over pieces of a reduced dim, other reductions need all of it.
Row reduced(const Call &call, bool sums)
{
    const std::size_t rank = call.rank();
    std::vector<bool> gone(rank, false);
    const std::vector<std::int64_t> dims = call.integers("dim");
    for (const std::int64_t dim : dims)
        if (const std::size_t at = call.dim(dim, rank); at < rank) gone[at] = true;
    if (dims.empty()) gone.assign(rank, true);
    std::string in = letters(rank), out;
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (!gone[i]) out += in[i];
        if (gone[i] && call.flag("keepdim")) out += '.';
        if (gone[i] && !sums) in[i] = '.';
    }
    return Terms{{in}, std::vector<std::string>(call.node().outputs.size(), out)};
}

Row sum(const Call &call)
{
    return reduced(call, true);
}
Row otherReduction(const Call &call)
{
    return reduced(call, false);
}

/// Over the last dims; forward makes statistics of the other dims, backward reads them and sums over those dims.
Row normalized(const Call &call)
{
    const std::size_t rank = call.rank(), inner = call.integers("normalized_shape").size();
    if (inner > rank) return {};
    const std::string x = letters(rank - inner);
    const bool backward = call.node().opName.ends_with("_backward");
    Terms terms = backward ? parsed(call, "grad_out " + x + ", input " + x + ", mean " + x + ", rstd " + x + " -> " + x)
                           : parsed(call, "input " + x + " -> " + x);
    terms.outs.resize(call.node().outputs.size(), backward ? std::string() : x);
    return terms;
}

Row permuted(const Call &call)
{
    const std::size_t rank = call.rank();
    std::string out = letters(rank);
    const std::string in = out;
    if (call.node().opName == "aten::permute") {
        const std::vector<std::int64_t> dims = call.integers("dims");
        if (dims.size() != out.size()) return {};
        for (std::size_t i = 0; i < dims.size(); ++i) {
            const std::size_t from = call.dim(dims[i], rank);
            if (from >= rank) return {};
            out[i] = in[from];
        }
    } else if (rank >= 2) {
        const bool matrix = call.node().opName == "aten::t";
        const std::size_t a = call.dim(matrix ? 0 : call.integer("dim0", 0), rank);
        const std::size_t b = call.dim(matrix ? 1 : call.integer("dim1", 1), rank);
        if (a >= rank || b >= rank) return {};
        std::swap(out[a], out[b]);
    }
    return Terms{{in}, {out}};
}

/// `select` takes the dim away, and its backward puts it back.
Row selected(const Call &call)
{
    const bool backward = call.node().opName == "aten::select_backward";
    if (!call.output()) return {};
    const std::size_t rank = backward ? call.output()->sizes.size() : call.rank();
    const std::size_t at = call.dim(call.integer("dim", 0), rank);
    if (at >= std::min<std::size_t>(rank, 26)) return {};
    const std::string whole = withDot(letters(rank), at);
    const std::string rest = std::string(whole).erase(at, 1);
    return backward ? Terms{{rest}, {whole}} : Terms{{whole}, {rest}};
}

Row padded(const Call &call)
{
    const std::size_t rank = call.rank();
    std::string term = letters(rank);
    const std::vector<std::int64_t> pad = call.integers("pad");
    for (std::size_t i = 0; i < pad.size(); ++i)
        if (pad[i] != 0 && i / 2 < rank) term = withDot(term, rank - 1 - i / 2);
    return Terms{{term}, {term}};
}

Row addmm(const Call &call)
{
    const Value *bias = call.tensor(0), *out = call.output();
    if (!bias || !out || out->sizes.size() != 2 || bias->sizes.size() > 2) return {};
    // K would add the bias once for each piece.
    Terms terms = parsed(call, "mat1 Mk, mat2 kN -> MN");
    const std::string all = "MN";
    terms.ins[0] = all.substr(all.size() - bias->sizes.size());
    for (std::size_t i = 0; i < bias->sizes.size(); ++i)
        if (bias->sizes[i] != out->sizes[2 - bias->sizes.size() + i]) terms.ins[0][i] = '.';
    return terms;
}

Row embedding(const Call &call)
{
    const Value *indices = call.tensor(1);
    if (!indices) return {};
    const std::string places = letters(indices->sizes.size());
    if (places.size() > 20) return {};
    if (call.node().opName == "aten::embedding")
        return parsed(call, "weight vW, indices " + places + "-> " + places + "W");
    // Along the places each piece would make a whole table.
    const std::string dots(places.size(), '.');
    return parsed(call, "grad_output " + dots + "W, indices " + dots + "-> vW");
}

/// The mean needs all targets (prepared() makes it a sum).
Row nllForward(const Call &call)
{
    constexpr std::int64_t kReductionMean = 1;
    if (call.integer("reduction", kReductionMean) == kReductionMean) return {};
    const bool sums = call.integer("reduction", kReductionMean) == 2;
    return parsed(call, sums ? "self Nc, target N -> , " : "self Nc, target N -> N, ");
}

Row nllBackward(const Call &call)
{
    const bool single = call.integer("reduction", 1) == 0;
    return parsed(call, single ? "grad_output N, self Nc, target N -> Nc" : "self Nc, target N -> Nc");
}

Row convolution(const Call &call)
{
    if (call.flag("transposed") || call.node().opName == "aten::_convolution") return {};
    const bool grouped = call.integer("groups", 1) != 1;
    if (call.node().opName == "aten::convolution") {
        if (grouped) return parsed(call, "input N -> N");
        return parsed(call, call.has("bias") ? "input Ni, weight Oi, bias O -> NO" : "input NI, weight OI -> NO");
    }
    const auto *mask = call.get<std::vector<bool>>("output_mask");
    const bool bias = !mask || mask->size() != 3 || (*mask)[2];
    if (grouped) return parsed(call, "grad_output N, input N -> N, , ");
    // The bias' gradient is the same in each piece of the input's channels, and would be added up k times.
    return parsed(call, bias ? "grad_output NO, input Ni, weight Oi -> Ni, Oi, O"
                             : "grad_output NO, input NI, weight OI -> NI, OI, O");
}

/// Without dropout the seed and the offset mean nothing, and are those of any piece.
Row attention(const Call &call)
{
    const auto *dropout = call.get<double>("dropout_p");
    if (dropout && *dropout != 0) return {};
    const bool backward = call.node().opName.ends_with("_backward");
    Terms terms = backward
                      ? parsed(call, "grad_out BH, grad_out_ BH, query BH, key BH, value BH, out BH, logsumexp BH, "
                                     "attn_bias BH -> BH, BH, BH, =")
                      : parsed(call, "query BH, key BH, value BH, attn_bias BH -> BH, BH");
    if (call.has("attn_mask") || call.has("attn_bias")) return {};
    terms.outs.resize(call.node().outputs.size(), "=");
    return terms;
}

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
    Row (*row)(const Call &);
};

constexpr std::array kShaped{
    ShapedRow{"addmm", addmm},
    ShapedRow{"_softmax", alongOthers},
    ShapedRow{"_log_softmax", alongOthers},
    ShapedRow{"_softmax_backward_data", alongOthers},
    ShapedRow{"_log_softmax_backward_data", alongOthers},
    ShapedRow{"cat", alongOthers},
    ShapedRow{"slice", alongOthers},
    ShapedRow{"slice_backward", alongOthers},
    ShapedRow{"split", alongOthers},
    ShapedRow{"split_with_sizes", alongOthers},
    ShapedRow{"cumsum", alongOthers},
    ShapedRow{"select", selected},
    ShapedRow{"select_backward", selected},
    ShapedRow{"constant_pad_nd", padded},
    ShapedRow{"sum", sum},
    ShapedRow{"mean", otherReduction},
    ShapedRow{"amax", otherReduction},
    ShapedRow{"amin", otherReduction},
    ShapedRow{"native_layer_norm", normalized},
    ShapedRow{"native_layer_norm_backward", normalized},
    ShapedRow{"_fused_rms_norm", normalized},
    ShapedRow{"_fused_rms_norm_backward", normalized},
    ShapedRow{"t", permuted},
    ShapedRow{"transpose", permuted},
    ShapedRow{"permute", permuted},
    ShapedRow{"expand", pointwise},
    ShapedRow{"embedding", embedding},
    ShapedRow{"embedding_dense_backward", embedding},
    ShapedRow{"nll_loss_forward", nllForward},
    ShapedRow{"nll_loss2d_forward", nllForward},
    ShapedRow{"nll_loss_backward", nllBackward},
    ShapedRow{"nll_loss2d_backward", nllBackward},
    ShapedRow{"convolution", convolution},
    ShapedRow{"convolution_backward", convolution},
    ShapedRow{"_scaled_dot_product_flash_attention_for_cpu", attention},
    ShapedRow{"_scaled_dot_product_flash_attention_for_cpu_backward", attention},
    ShapedRow{"_scaled_dot_product_efficient_attention", attention},
    ShapedRow{"_scaled_dot_product_efficient_attention_backward", attention},
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

std::string_view atenName(const Node &node)
{
    constexpr std::string_view kAten = "aten::";
    const std::string_view name = node.opName;
    return name.starts_with(kAten) ? name.substr(kAten.size()) : std::string_view();
}

} // namespace

std::optional<Terms> termsOf(const Program &program, const Node &node)
{
    const std::string_view name = atenName(node);
    const Call call(program, node);
    if (pointwiseOperators().contains(name)) return pointwise(call);
    if (const auto row = std::find_if(kFixed.begin(), kFixed.end(), [&](const auto &r) { return r.op == name; });
        row != kFixed.end())
        return parsed(call, row->text);
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
