// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/modes.h"

#include "core/chunk/split.h"
#include "core/chunk/terms.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace remat {

namespace {

/// What a split of some letters does to one tensor: its dim, or none where it has none of them. False when it has
/// some of them only, or in another way.
bool dimOfLetters(const Value &value, const std::string &term,
                  const std::vector<std::pair<char, std::int64_t>> &letters, std::int64_t k, std::optional<int> &dim)
{
    const std::size_t first = term.find(letters.front().first);
    const auto has = [&](const auto &letter) { return term.find(letter.first) != std::string::npos; };
    if (std::none_of(letters.begin(), letters.end(), has)) {
        dim.reset();
        return true;
    }
    if (first == std::string::npos) return false;
    const auto cuts = cutsOf(value.sizes, static_cast<int>(first), k);
    if (!cuts || cuts->size() != letters.size()) return false;
    for (std::size_t i = 0; i < cuts->size(); ++i) {
        const auto at = static_cast<std::size_t>((*cuts)[i].dim);
        if (at >= term.size() || term[at] != letters[i].first || value.sizes[at] != letters[i].second) return false;
    }
    dim = static_cast<int>(first);
    return true;
}

/// The mode that cuts the dim of `term[at]`, with those behind it that k reaches.
std::optional<Mode> modeFrom(const Program &program, const Node &node, const Terms &terms, const Value &value,
                             const std::string &term, std::size_t at, std::int64_t k)
{
    const auto cuts = cutsOf(value.sizes, static_cast<int>(at), k);
    if (!cuts) return {};
    std::vector<std::pair<char, std::int64_t>> letters;
    for (const Cut &cut : *cuts) {
        const auto dim = static_cast<std::size_t>(cut.dim);
        if (dim >= term.size() || !std::isupper(static_cast<unsigned char>(term[dim]))) return {};
        letters.emplace_back(term[dim], value.sizes[dim]);
    }
    const std::vector<ValueId> read = tensorsRead(node);
    Mode mode;
    std::optional<int> dim;
    for (std::size_t i = 0; i < read.size(); ++i) {
        if (!dimOfLetters(program.value(read[i]), terms.ins[i], letters, k, dim)) return {};
        mode.ins.push_back(dim.value_or(kWhole));
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        dim.reset();
        if (node.outputs[i] && !dimOfLetters(program.value(node.outputs[i]), terms.outs[i], letters, k, dim)) return {};
        mode.outs.push_back(dim.value_or(terms.outs[i] == "=" || !node.outputs[i] ? kWhole : kSum));
    }
    return mode;
}

/// A sum over pieces each of which sees a whole tensor only would be k times the result.
bool splitsAnInput(const Mode &mode)
{
    return std::any_of(mode.ins.begin(), mode.ins.end(), [](int d) { return d >= 0; });
}

void addNew(std::vector<Mode> &modes, std::optional<Mode> mode)
{
    if (!mode || std::find(modes.begin(), modes.end(), *mode) != modes.end()) return;
    const bool sums = std::find(mode->outs.begin(), mode->outs.end(), kSum) != mode->outs.end();
    const bool splits =
        splitsAnInput(*mode) || std::any_of(mode->outs.begin(), mode->outs.end(), [](int d) { return d >= 0; });
    if (splits && (!sums || splitsAnInput(*mode))) modes.push_back(std::move(*mode));
}

/// Modes of a view: dims before which as many elements lie on both sides, and that are cut at the same ones.
std::vector<Mode> modesOfView(const Program &program, const Node &node, std::int64_t k)
{
    const std::vector<ValueId> read = tensorsRead(node);
    if (read.size() != 1 || node.outputs.size() != 1 || !node.outputs[0]) return {};
    const Sizes &in = program.value(read[0]).sizes, &out = program.value(node.outputs[0]).sizes;
    const auto before = [](const Sizes &sizes, std::size_t dim) {
        std::int64_t count = 1;
        for (std::size_t i = 0; i < dim; ++i)
            count *= sizes[i];
        return count;
    };
    std::vector<Mode> modes;
    for (std::size_t i = 0; i < in.size(); ++i) {
        const auto starts = pieceStarts(in, static_cast<int>(i), k);
        if (starts.empty()) continue;
        for (std::size_t o = 0; o < out.size(); ++o) {
            if (before(in, i) == before(out, o) && pieceStarts(out, static_cast<int>(o), k) == starts)
                modes.push_back({{static_cast<int>(i)}, {static_cast<int>(o)}});
        }
    }
    return modes;
}

} // namespace

std::vector<ValueId> tensorsRead(const Node &node)
{
    std::vector<ValueId> read;
    for (const NamedArgument &argument : node.arguments) {
        if (const auto *one = std::get_if<ValueId>(&argument.value); one && *one) read.push_back(*one);
        if (const auto *list = std::get_if<std::vector<ValueId>>(&argument.value))
            std::copy_if(list->begin(), list->end(), std::back_inserter(read), [](ValueId id) { return bool(id); });
    }
    return read;
}

std::vector<Mode> modesOf(const Program &program, const Node &node, std::int64_t k)
{
    if (!node.mutates.empty()) return {};
    if (keepsElements(node)) return modesOfView(program, node, k);
    const auto terms = termsOf(program, node);
    if (!terms) return {};
    const std::vector<ValueId> read = tensorsRead(node);
    if (terms->ins.size() != read.size() || terms->outs.size() != node.outputs.size()) return {};
    std::vector<Mode> modes;
    const auto addAll = [&](const std::vector<ValueId> &values, const std::vector<std::string> &names) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!values[i]) continue;
            const Value &value = program.value(values[i]);
            for (std::size_t dim = 0; dim < std::min(names[i].size(), value.sizes.size()); ++dim)
                addNew(modes, modeFrom(program, node, *terms, value, names[i], dim, k));
        }
    };
    addAll(node.outputs, terms->outs);
    addAll(read, terms->ins);
    return modes;
}

const SizeArgument *sizeArgumentOf(const Node &node)
{
    static constexpr std::array<SizeArgument, 7> kSizes{{{"aten::view", "size", 0},
                                                         {"aten::_unsafe_view", "size", 0},
                                                         {"aten::reshape", "shape", 0},
                                                         {"aten::expand", "size", 0},
                                                         {"aten::slice_backward", "input_sizes", 0},
                                                         {"aten::select_backward", "input_sizes", 0},
                                                         {"aten::convolution_backward", "bias_sizes", 2}}};
    const auto *row = std::find_if(kSizes.begin(), kSizes.end(),
                                   [&](const SizeArgument &size) { return node.opName == size.operatorName; });
    return row == kSizes.end() ? nullptr : row;
}

} // namespace remat
