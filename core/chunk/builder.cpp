// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/builder.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {

namespace {

std::string freeName(std::unordered_set<std::string> &taken, const std::string &name)
{
    std::string result = name;
    for (int i = 2; !taken.insert(result).second; ++i)
        result = fmt::format("{}_{}", name, i);
    return result;
}

} // namespace

ProgramBuilder::ProgramBuilder(Program &program) : m_program(program)
{
    for (const Value &value : program.values)
        m_values.insert(value.name);
    for (const Node &node : program.nodes)
        m_nodes.insert(node.name);
}

std::string ProgramBuilder::freeNodeName(const std::string &name)
{
    return freeName(m_nodes, name);
}

ValueId ProgramBuilder::add(std::string name, DType type, std::vector<std::int64_t> sizes)
{
    Value value;
    value.name = freeName(m_values, name);
    value.dtype = type;
    value.strides = denseStrides(sizes);
    value.sizes = std::move(sizes);
    value.device = m_program.traceDevice;
    m_program.values.push_back(std::move(value));
    return ValueId(m_program.values.size() - 1);
}

ValueId ProgramBuilder::addView(std::string name, ValueId base, std::vector<std::int64_t> sizes,
                                std::vector<std::int64_t> strides)
{
    const DType type = value(base).dtype;
    const std::string device = value(base).device;
    const ValueId id = add(std::move(name), type, std::move(sizes));
    value(id).strides = std::move(strides);
    value(id).aliasOf = base;
    value(id).device = device;
    return id;
}

Node &ProgramBuilder::call(const Node &like, const char *opName, const char *overload,
                           std::vector<NamedArgument> arguments, ValueId output)
{
    Node node;
    node.name = freeNodeName(value(output).name);
    node.opName = opName;
    node.overload = overload;
    node.arguments = std::move(arguments);
    node.outputs = {output};
    node.phase = like.phase;
    node.module = like.module;
    node.moduleClass = like.moduleClass;
    node.source = like.source;
    node.forwardNode = like.forwardNode;
    node.sequence = like.sequence;
    m_program.nodes.push_back(std::move(node));
    return m_program.nodes.back();
}

std::vector<std::int64_t> denseStrides(const std::vector<std::int64_t> &sizes)
{
    std::vector<std::int64_t> strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;)
        strides[i - 1] = strides[i] * std::max<std::int64_t>(sizes[i], 1);
    return strides;
}

} // namespace remat
