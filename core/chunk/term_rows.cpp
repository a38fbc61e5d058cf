// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/term_rows.h"

#include <fmt/core.h>
#include <numeric>
#include <unordered_map>

namespace remat::term_rows {

namespace {

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

/// Over the dims that the argument names; all of them without one.
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

} // namespace

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

Row alongOthers(const Call &call)
{
    const Value *shape = call.output();
    if (!shape) return {};
    const std::size_t rank = shape->sizes.size();
    const std::string term = withDot(letters(rank), call.dim(call.integer("dim", 0), rank));
    return Terms{std::vector<std::string>(tensorsRead(call.node()).size(), term),
                 std::vector<std::string>(call.node().outputs.size(), term)};
}

Row gathered(const Call &call)
{
    const Value *from = call.named("self"), *index = call.named("index");
    if (!from || !index || from->sizes.size() != index->sizes.size()) return {};
    const std::size_t at = call.dim(call.integer("dim", 0), from->sizes.size());
    for (std::size_t i = 0; i < from->sizes.size(); ++i)
        if (i != at && from->sizes[i] != index->sizes[i]) return {};
    return alongOthers(call);
}

Row sum(const Call &call)
{
    return reduced(call, true);
}
Row otherReduction(const Call &call)
{
    return reduced(call, false);
}

Row normalized(const Call &call)
{
    const std::size_t rank = call.rank(), inner = call.integers("normalized_shape").size();
    if (inner > rank) return {};
    const std::string x = letters(rank - inner);
    const bool backward = call.node().opName.ends_with("_backward");
    Terms terms = backward ? parsed(call, fmt::format("grad_out {}, input {}, mean {}, rstd {} -> {}", x, x, x, x, x))
                           : parsed(call, fmt::format("input {} -> {}", x, x));
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
    // A sum over K has the bias in its first piece. Factors would be of each piece.
    const bool plain = call.node().arguments.size() == 3;
    Terms terms = parsed(call, plain ? "mat1 MK, mat2 KN -> MN" : "mat1 Mk, mat2 kN -> MN");
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
        return parsed(call, fmt::format("weight vW, indices {}-> {}W", places, places));
    // Along the places each piece would make a whole table.
    const std::string dots(places.size(), '.');
    return parsed(call, fmt::format("grad_output {}W, indices {}-> vW", dots, dots));
}

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
    if (call.node().opName == "aten::_convolution") return {};
    const bool grouped = call.integer("groups", 1) != 1, transposed = call.flag("transposed");
    if (call.node().opName == "aten::convolution") {
        if (grouped) return parsed(call, "input N -> N");
        if (call.has("bias"))
            return parsed(call, transposed ? "input Ni, weight iO, bias O -> NO" : "input Ni, weight Oi, bias O -> NO");
        return parsed(call, transposed ? "input NI, weight IO -> NO" : "input NI, weight OI -> NO");
    }
    const auto *mask = call.get<std::vector<bool>>("output_mask");
    const bool bias = !mask || mask->size() != 3 || (*mask)[2];
    if (grouped) return parsed(call, "grad_output N, input N -> N, , ");
    // The bias' gradient is the same in each piece of the input's channels, and would be added up k times.
    if (bias)
        return parsed(call, transposed ? "grad_output NO, input Ni, weight iO -> Ni, iO, O"
                                       : "grad_output NO, input Ni, weight Oi -> Ni, Oi, O");
    return parsed(call, transposed ? "grad_output NO, input NI, weight IO -> NI, IO, O"
                                   : "grad_output NO, input NI, weight OI -> NI, OI, O");
}

namespace {

/// What is added to the scores before the softmax has batch and heads, or one for all of them. None where it has a
/// gradient, which would be a sum over what it is the same for, and where its dims are not those of the query.
std::optional<std::string> maskTerm(const Call &call)
{
    const Value *query = call.named("query");
    const Value *mask = call.named("attn_mask") ? call.named("attn_mask") : call.named("attn_bias");
    if (!mask || !query) return std::string();
    constexpr std::size_t kGradientOfMask = 3;
    const std::vector<ValueId> &outputs = call.node().outputs;
    const bool backward = call.node().opName.ends_with("_backward");
    if (backward && outputs.size() > kGradientOfMask && outputs[kGradientOfMask]) return {};
    std::string term = "BH";
    if (mask->sizes.size() <= 2) return std::string();
    if (mask->sizes.size() != query->sizes.size() || query->sizes.size() != 4) return {};
    for (std::size_t dim = 0; dim < term.size(); ++dim)
        if (mask->sizes[dim] != query->sizes[dim]) term[dim] = '.';
    return term;
}

} // namespace

Row attention(const Call &call)
{
    const auto *dropout = call.get<double>("dropout_p");
    if (dropout && *dropout != 0) return {};
    const bool backward = call.node().opName.ends_with("_backward");
    const auto mask = maskTerm(call);
    if (!mask) return {};
    const std::string masks = fmt::format(", attn_mask {}, attn_bias {}", *mask, *mask);
    Terms terms =
        backward
            ? parsed(
                  call,
                  fmt::format(
                      "grad_out BH, grad_out_ BH, query BH, key BH, value BH, out BH, logsumexp BH{} -> BH, BH, BH, =",
                      masks))
            : parsed(call, fmt::format("query BH, key BH, value BH{} -> BH, BH", masks));
    terms.outs.resize(call.node().outputs.size(), "=");
    return terms;
}

} // namespace remat::term_rows
