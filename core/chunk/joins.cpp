// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/joins.h"

#include "core/chunk/builder.h"
#include "core/chunk/modes.h"
#include "core/chunk/region.h"
#include "core/chunk/split.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <variant>

namespace remat {

namespace {

/// One tensor of a `cat`, and where it begins along the dim that is joined.
struct Part {
    ValueId value;
    std::int64_t begin = 0, end = 0;
};

struct Join {
    std::int64_t dim = 0;
    std::vector<Part> parts;
};

/// What a slice shows.
struct Shown {
    ValueId source;
    std::int64_t dim = 0, begin = 0, end = 0;
};

template <class T>
T argument(const Node &node, std::string_view name, T fallback)
{
    for (const NamedArgument &given : node.arguments)
        if (given.name == name)
            if (const auto *value = std::get_if<T>(&given.value)) return *value;
    return fallback;
}

std::int64_t fromStart(std::int64_t index, std::size_t count)
{
    return index < 0 ? index + static_cast<std::int64_t>(count) : index;
}

std::optional<Join> joinOf(const Program &program, const Node &node)
{
    if (node.opName != "aten::cat" || node.outputs.size() != 1 || !node.outputs[0]) return {};
    const Value &whole = program.value(node.outputs[0]);
    Join join{fromStart(argument(node, "dim", std::int64_t(0)), whole.sizes.size()), {}};
    if (join.dim < 0 || join.dim >= static_cast<std::int64_t>(whole.sizes.size())) return {};
    std::int64_t at = 0;
    for (const ValueId id : argument(node, "tensors", std::vector<ValueId>())) {
        const Value &part = program.value(id);
        if (part.sizes.size() != whole.sizes.size() || part.dtype != whole.dtype) return {};
        const std::int64_t size = part.sizes[static_cast<std::size_t>(join.dim)];
        join.parts.push_back({id, at, at + size});
        at += size;
    }
    return join;
}

std::optional<Shown> shownBy(const Program &program, const Node &node)
{
    if (node.opName != "aten::slice" || argument(node, "step", std::int64_t(1)) != 1) return {};
    const auto source = argument(node, "self", ValueId());
    if (!source || node.outputs.size() != 1 || !node.outputs[0]) return {};
    const Sizes &sizes = program.value(source).sizes;
    const std::int64_t dim = fromStart(argument(node, "dim", std::int64_t(0)), sizes.size());
    if (dim < 0 || dim >= static_cast<std::int64_t>(sizes.size())) return {};
    const auto size = static_cast<std::size_t>(sizes[static_cast<std::size_t>(dim)]);
    const std::int64_t begin = fromStart(argument(node, "start", std::int64_t(0)), size);
    return Shown{source, dim, begin, begin + program.value(node.outputs[0]).sizes[static_cast<std::size_t>(dim)]};
}

class WithoutJoins
{
public:
    explicit WithoutJoins(Program program) : m_program(std::move(program)), m_uses(usesOf(m_program)) {}

    Program program()
    {
        for (Node &node : m_program.nodes) {
            readParts(node);
            if (auto join = joinOf(m_program, node)) m_joins.emplace(node.outputs[0], std::move(*join));
            cut(node);
        }
        if (!m_loose.empty()) dropUnread();
        return std::move(m_program);
    }

private:
    void readParts(Node &node) const
    {
        const auto replace = [&](ValueId &id) {
            if (const auto part = m_instead.find(id); part != m_instead.end()) id = part->second;
        };
        for (NamedArgument &given : node.arguments) {
            if (auto *one = std::get_if<ValueId>(&given.value)) replace(*one);
            if (auto *list = std::get_if<std::vector<ValueId>>(&given.value))
                std::for_each(list->begin(), list->end(), replace);
        }
    }

    /// Has a slice of a join, or the copy of one, read the part that it is of.
    void cut(Node &node)
    {
        if (node.opName == "aten::clone" && isCopyOfPart(node)) {
            m_instead[node.outputs[0]] = argument(node, "self", ValueId());
            m_loose.insert(node.outputs[0]);
            return;
        }
        const auto shown = shownBy(m_program, node);
        const auto join = shown ? m_joins.find(shown->source) : m_joins.end();
        if (join == m_joins.end() || join->second.dim != shown->dim || isSeenThrough(node.outputs[0])) return;
        for (const Part &part : join->second.parts) {
            if (shown->begin < part.begin || shown->end > part.end || shown->begin == shown->end) continue;
            m_loose.insert(shown->source);
            m_loose.insert(node.outputs[0]);
            if (shown->begin == part.begin && shown->end == part.end) {
                m_instead[node.outputs[0]] = part.value;
                m_parts.insert(part.value);
            } else {
                readFrom(node, part, *shown);
            }
            return;
        }
    }

    void readFrom(Node &node, const Part &part, const Shown &shown)
    {
        for (NamedArgument &given : node.arguments) {
            if (given.name == "self") given.value = part.value;
            if (given.name == "start") given.value = shown.begin - part.begin;
            if (given.name == "end") given.value = shown.end - part.begin;
        }
        const Value &source = m_program.value(part.value);
        Value &made = m_program.values[node.outputs[0].index()];
        made.aliasOf = part.value;
        made.strides = source.strides;
        made.storageOffset =
            source.storageOffset + (shown.begin - part.begin) * source.strides[static_cast<std::size_t>(shown.dim)];
    }

    /// Whether it copies a part that lies as its copy would, which nobody needs.
    bool isCopyOfPart(const Node &node) const
    {
        const auto source = argument(node, "self", ValueId());
        if (!source || !m_parts.contains(source) || isKept(node.outputs[0]) || isSeenThrough(node.outputs[0]))
            return false;
        const Value &part = m_program.value(source), &copy = m_program.value(node.outputs[0]);
        return part.strides == denseStrides(part.sizes) && copy.strides == part.strides;
    }

    /// Views of it would lie elsewhere, and an output is what it is.
    bool isSeenThrough(ValueId id) const
    {
        const std::vector<NodeId> &readers = m_uses.readers[id.index()];
        return isKept(id) || std::any_of(readers.begin(), readers.end(), [&](NodeId reader) {
                   const Node &node = m_program.nodes[reader.index()];
                   return !node.mutates.empty() ||
                          std::any_of(node.outputs.begin(), node.outputs.end(),
                                      [&](ValueId made) { return made && m_program.value(made).aliasOf == id; });
               });
    }

    bool isKept(ValueId id) const { return m_uses.isOutput[id.index()] != 0; }

    void dropUnread()
    {
        const std::vector<std::vector<NodeId>> readers = usesOf(m_program).readers;
        std::vector<std::size_t> left;
        left.reserve(readers.size());
        for (const std::vector<NodeId> &own : readers)
            left.push_back(own.size());
        std::vector<char> gone(m_program.nodes.size(), 0);
        for (std::size_t n = m_program.nodes.size(); n-- > 0;) {
            const Node &node = m_program.nodes[n];
            const bool loose = node.outputs.size() == 1 && m_loose.contains(node.outputs[0]);
            if (!loose || isKept(node.outputs[0]) || left[node.outputs[0].index()] > 0) continue;
            gone[n] = 1;
            const std::vector<ValueId> read = tensorsRead(node);
            for (const ValueId id : std::set<ValueId>(read.begin(), read.end()))
                --left[id.index()];
        }
        std::size_t n = 0;
        std::erase_if(m_program.nodes, [&](const Node &) { return gone[n++] != 0; });
    }

    Program m_program;
    ValueUses m_uses;
    std::unordered_map<ValueId, Join> m_joins;
    std::unordered_map<ValueId, ValueId> m_instead; ///< what is read in place of a slice
    std::unordered_set<ValueId> m_parts;            ///< what is read so
    std::unordered_set<ValueId> m_loose;            ///< slices, copies and joins that may have no reader any more
};

} // namespace

Program withoutJoins(Program program)
{
    return WithoutJoins(std::move(program)).program();
}

} // namespace remat
