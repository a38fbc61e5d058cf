// SPDX-License-Identifier: Apache-2.0
// Rows of the table that depend on the shapes and arguments of a call.
#pragma once

#include "core/chunk/modes.h"
#include "core/chunk/terms.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace remat::term_rows {

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
    const Value *named(std::string_view name) const
    {
        return has(name) ? &m_program.value(*get<ValueId>(name)) : nullptr;
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

using Row = std::optional<Terms>;

/// "self MK, mat2 KN -> MN", arguments by name; those without a term are whole.
Terms parsed(const Call &call, std::string_view text);

/// Each tensor that is read broadcasts to the outputs, which are all of one shape.
Row pointwise(const Call &call);
/// All dims of all tensors alike, but those that the argument `dim` names.
Row alongOthers(const Call &call);
/// The same, where the places are as many as the elements in all other dims.
Row gathered(const Call &call);
/// Sums add up over pieces of a reduced dim, other reductions need all of it.
Row sum(const Call &call);
Row otherReduction(const Call &call);
/// Over the last dims; forward makes statistics of the other dims, backward reads them and sums over those dims.
Row normalized(const Call &call);
Row permuted(const Call &call);
/// `select` takes the dim away, and its backward puts it back.
Row selected(const Call &call);
Row padded(const Call &call);
Row addmm(const Call &call);
Row embedding(const Call &call);
/// The mean needs all targets (prepared() makes it a sum).
Row nllForward(const Call &call);
Row nllBackward(const Call &call);
Row convolution(const Call &call);
/// Without dropout the seed and the offset mean nothing, and are those of any piece. A mask is cut with the batch and
/// the heads, where it has them.
Row attention(const Call &call);

} // namespace remat::term_rows
