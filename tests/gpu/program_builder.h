// SPDX-License-Identifier: Apache-2.0
// Programs of a few nodes, built by hand.
#pragma once

#include "core/graph/model.h"
#include "core/graph/program_graph.h"

#include <QtGlobal>

#include <string>
#include <utility>
#include <vector>

namespace remat::test {

/// Builds a program over vectors of 1,024 floats, unless told otherwise.
class Builder
{
public:
    ValueId input(const std::string &name)
    {
        const ValueId value = vector(name);
        m_program.inputs.push_back({value, StorageKind::Input, {}, {}, {}});
        return value;
    }
    ValueId node(const std::string &name, const std::string &opName, const std::string &overload,
                 std::vector<NamedArgument> arguments, bool scalar = false)
    {
        const ValueId value = vector(name);
        if (scalar) {
            m_program.values.back().sizes.clear();
            m_program.values.back().strides.clear();
        }
        Node node;
        node.name = name;
        node.opName = opName;
        node.overload = overload;
        node.arguments = std::move(arguments);
        node.outputs = {value};
        m_program.nodes.push_back(std::move(node));
        return value;
    }
    /// Another shape or type for what a node or an input makes.
    void shape(ValueId id, std::vector<std::int64_t> sizes, DType dtype = DType::Float32)
    {
        Value &value = m_program.values[id.index()];
        value.dtype = dtype;
        value.strides.assign(sizes.size(), 1);
        for (std::size_t i = sizes.size(); i-- > 1;)
            value.strides[i - 1] = value.strides[i] * sizes[i];
        value.sizes = std::move(sizes);
    }
    /// Marks the last node as one that writes to its argument `self`, and its output as the tensor it wrote to.
    void lastWritesTo(ValueId self)
    {
        m_program.nodes.back().mutates = {"self"};
        m_program.values[m_program.nodes.back().outputs.front().index()].aliasOf = self;
    }
    void lastIsViewOf(ValueId view, ValueId source) { m_program.values[view.index()].aliasOf = source; }
    Model model(ValueId loss)
    {
        m_program.name = "small";
        m_program.outputs.push_back({loss, OutputKind::Loss, {}});
        Model model;
        model.program = m_program;
        Expected<Graph> graph = buildGraph(*model.program);
        if (!graph) qFatal("%s", graph.error().message.c_str());
        model.graph = std::move(*graph);
        return model;
    }

private:
    ValueId vector(const std::string &name)
    {
        Value value;
        value.name = name;
        value.sizes = {1024};
        value.strides = {1};
        m_program.values.push_back(value);
        return ValueId(m_program.values.size() - 1);
    }
    Program m_program;
};

} // namespace remat::test
