// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/sums_in_place.h"

#include "core/chunk/modes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace remat {

namespace {

/// What is known of one storage of a program, by the value that it was made as.
struct Term {
    NodeId maker;          ///< none for inputs of the program
    int reads = 0;         ///< by nodes that do not merely view it
    bool isOutput = false; ///< the program gives it back
};

const Argument *argumentOf(const Node &node, const char *name)
{
    const auto found = std::find_if(node.arguments.begin(), node.arguments.end(),
                                    [&](const NamedArgument &argument) { return argument.name == name; });
    return found == node.arguments.end() ? nullptr : &found->value;
}

bool isOne(const Argument *factor)
{
    if (!factor) return true;
    if (const auto *integer = std::get_if<std::int64_t>(factor)) return *integer == 1;
    const auto *number = std::get_if<double>(factor);
    return number && *number == 1;
}

class SumWriter
{
public:
    explicit SumWriter(Program program) : m_program(std::move(program)), m_terms(m_program.values.size())
    {
        for (std::size_t n = 0; n < m_program.nodes.size(); ++n) {
            const Node &node = m_program.nodes[n];
            const bool views = std::all_of(node.outputs.begin(), node.outputs.end(),
                                           [&](ValueId id) { return !id || m_program.value(id).aliasOf; }) &&
                               node.mutates.empty();
            for (const ValueId read : tensorsRead(node))
                if (!views) ++termOf(read).reads;
            for (const ValueId made : node.outputs)
                if (made && !m_program.value(made).aliasOf) termOf(made).maker = NodeId(n);
        }
        for (const ProgramOutput &output : m_program.outputs)
            termOf(output.value).isOutput = true;
    }

    Program write()
    {
        std::vector<char> wanted(m_program.values.size(), 0);
        for (const ProgramOutput &output : m_program.outputs)
            if (output.kind == OutputKind::ParameterGradient || output.kind == OutputKind::InputGradient)
                wanted[rootOf(output.value).index()] = 1;
        // From the last sum to its first term.
        for (std::size_t n = m_program.nodes.size(); n-- > 0;) {
            Node &node = m_program.nodes[n];
            if (node.outputs.size() != 1 || !node.outputs[0] || !wanted[node.outputs[0].index()]) continue;
            if (node.opName == "aten::cat") {
                for (const ValueId read : tensorsRead(node))
                    wanted[rootOf(read).index()] = 1;
            } else if (node.opName == "aten::_to_copy") {
                if (const std::vector<ValueId> read = tensorsRead(node); read.size() == 1)
                    wanted[rootOf(read[0]).index()] = 1;
            } else if (const ValueId term = writeInto(node); term) {
                wanted[rootOf(term).index()] = 1;
            }
        }
        return std::move(m_program);
    }

private:
    ValueId rootOf(ValueId id) const
    {
        while (const ValueId source = m_program.value(id).aliasOf)
            id = source;
        return id;
    }

    Term &termOf(ValueId id) { return m_terms[rootOf(id).index()]; }

    /// The term that the node's sum is now written into; none where it stays as it is.
    ValueId writeInto(Node &node)
    {
        const bool add = node.opName == "aten::add" && node.overload == "Tensor";
        const bool product = node.opName == "aten::addmm" && node.overload.empty();
        if ((!add && !product) || !isOne(argumentOf(node, "alpha")) || !isOne(argumentOf(node, "beta"))) return {};
        for (const std::size_t at : {std::size_t(0), std::size_t(1)}) {
            if (at > 0 && (!add || node.arguments.size() < 2)) break;
            const auto *term = std::get_if<ValueId>(&node.arguments[at].value);
            if (!term || !*term || !mayTake(node, *term)) continue;
            const ValueId taken = *term;
            if (at > 0) std::swap(node.arguments[0].value, node.arguments[1].value);
            node.opName += "_";
            node.mutates = {node.arguments[0].name};
            Value &sum = m_program.values[node.outputs[0].index()];
            sum.aliasOf = taken;
            sum.storageOffset = m_program.value(taken).storageOffset;
            return taken;
        }
        return {};
    }

    bool mayTake(const Node &node, ValueId id)
    {
        const Value &term = m_program.value(id), &sum = m_program.value(node.outputs[0]);
        const Value &whole = m_program.value(rootOf(id));
        const Term &known = termOf(id);
        return known.maker && known.reads == 1 && !known.isOutput && term.dtype == sum.dtype &&
               term.sizes == sum.sizes && term.strides == sum.strides && elementCount(whole) == elementCount(term) &&
               m_program.nodes[known.maker.index()].phase == Phase::Backward;
    }

    Program m_program;
    std::vector<Term> m_terms; ///< per value; of what is made, not of its views
};

} // namespace

Program withSumsInPlace(Program program)
{
    return SumWriter(std::move(program)).write();
}

} // namespace remat
