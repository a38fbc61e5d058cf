// SPDX-License-Identifier: Apache-2.0
// Nodes and values of a program that is being written, by name.
#pragma once

#include "core/graph/program.h"

#include <string>
#include <unordered_set>

namespace remat {

/// Puts new nodes at the end of a program. Not thread-safe.
class ProgramBuilder
{
public:
    explicit ProgramBuilder(Program &program);

    /// The name, or the first of `NAME_2`, `NAME_3`, … that no other node has.
    std::string freeNodeName(const std::string &name);

    /// A new value with room of its own, named likewise among values. Strides are those of a dense tensor.
    ValueId add(std::string name, DType type, std::vector<std::int64_t> sizes);
    /// A view of `base` with these sizes and strides.
    ValueId addView(std::string name, ValueId base, std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides);

    /// A call that makes `output`, with phase, module and line of `like`. The node is named after its output.
    Node &call(const Node &like, const char *opName, const char *overload, std::vector<NamedArgument> arguments,
               ValueId output);

    Program &program() { return m_program; }
    Value &value(ValueId id) { return m_program.values[id.index()]; }

private:
    Program &m_program;
    std::unordered_set<std::string> m_values, m_nodes;
};

/// Strides of a tensor without gaps, the last dim innermost.
std::vector<std::int64_t> denseStrides(const std::vector<std::int64_t> &sizes);

} // namespace remat
