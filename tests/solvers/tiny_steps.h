// SPDX-License-Identifier: Apache-2.0
// Steps of a few ops, with their backward, small enough to look at every plan of every chunking.
#pragma once

#include "core/chunk/split.h"
#include "core/graph/model.h"
#include "core/graph/program_graph.h"

#include <string>
#include <utility>
#include <vector>

namespace remat::test {

/// A program that is written call by call; values by name, all float32 and dense.
class TinyStep
{
public:
    TinyStep &given(const std::string &name, Sizes sizes, StorageKind kind = StorageKind::Input)
    {
        m_program.inputs.push_back({add(name, std::move(sizes)), kind, name, {}, {}});
        return *this;
    }
    TinyStep &weight(const std::string &name, Sizes sizes)
    {
        return given(name, std::move(sizes), StorageKind::Parameter);
    }
    /// What it makes is of the backward pass when its name begins with a g. No name: an output that is not made.
    TinyStep &call(const std::string &opName, std::vector<NamedArgument> arguments,
                   std::vector<std::pair<std::string, Sizes>> makes)
    {
        Node node;
        node.opName = "aten::" + opName;
        node.name = makes.front().first.empty() ? makes[1].first : makes.front().first;
        node.arguments = std::move(arguments);
        for (auto &[name, sizes] : makes)
            node.outputs.push_back(name.empty() ? ValueId() : add(name, std::move(sizes)));
        node.phase = node.name.front() == 'g' ? Phase::Backward : node.name == "loss" ? Phase::Loss : Phase::Forward;
        m_program.nodes.push_back(std::move(node));
        return *this;
    }
    TinyStep &viewed(const std::string &opName, const std::string &of, std::vector<NamedArgument> more,
                     const std::string &makes, Sizes sizes)
    {
        more.insert(more.begin(), tensor("self", of));
        call(opName, std::move(more), {{makes, std::move(sizes)}});
        m_program.values.back().aliasOf = named(of);
        return *this;
    }
    TinyStep &product(const std::string &a, const std::string &b, const std::string &makes, Sizes sizes)
    {
        return call("mm", {tensor("self", a), tensor("mat2", b)}, {{makes, std::move(sizes)}});
    }
    TinyStep &turned(const std::string &of, const std::string &makes)
    {
        const Sizes sizes = m_program.value(named(of)).sizes;
        return viewed("t", of, {}, makes, {sizes[1], sizes[0]});
    }
    /// The loss is the sum of all, and `makes` its gradient.
    TinyStep &summed(const std::string &of, const std::string &makes)
    {
        const Sizes sizes = m_program.value(named(of)).sizes;
        call("sum", {tensor("self", of)}, {{"loss", {}}});
        call("ones_like", {tensor("self", "loss")}, {{"gone", {}}});
        return viewed("expand", "gone", {{"size", sizes, false}}, makes, sizes);
    }

    NamedArgument tensor(const std::string &argument, const std::string &name) const
    {
        return {argument, named(name), false};
    }

    /// Gradients are those of weights, in the order of the weights.
    Model model(const std::vector<std::string> &gradients)
    {
        m_program.outputs = {{named("loss"), OutputKind::Loss, ""}};
        std::size_t next = 0;
        for (const ProgramInput &input : m_program.inputs)
            if (input.kind == StorageKind::Parameter)
                m_program.outputs.push_back(
                    {named(gradients[next++]), OutputKind::ParameterGradient, m_program.value(input.value).name});
        Model model{"tiny.pt2", {}, m_program};
        auto graph = buildGraph(*model.program);
        if (!graph) qFatal("%s", graph.error().message.c_str());
        model.graph = std::move(*graph);
        return model;
    }

private:
    ValueId named(const std::string &name) const
    {
        for (std::size_t i = 0; i < m_program.values.size(); ++i)
            if (m_program.values[i].name == name) return ValueId(i);
        qFatal("no value %s", name.c_str());
    }
    ValueId add(const std::string &name, Sizes sizes)
    {
        Value value;
        value.name = name;
        value.strides.assign(sizes.size(), 1);
        for (std::size_t i = sizes.size(); i-- > 1;)
            value.strides[i - 1] = value.strides[i] * sizes[i];
        value.sizes = std::move(sizes);
        m_program.values.push_back(std::move(value));
        return ValueId(m_program.values.size() - 1);
    }

    Program m_program;
};

/// A linear layer, tanh, and the sum of all.
inline Model tinyLayer()
{
    TinyStep step;
    step.given("x", {4, 1}).weight("w", {1, 4096});
    step.product("x", "w", "h", {4, 4096});
    step.call("tanh", {step.tensor("self", "h")}, {{"y", {4, 4096}}}).summed("y", "gy");
    step.call("tanh_backward", {step.tensor("grad_output", "gy"), step.tensor("output", "y")}, {{"gh", {4, 4096}}});
    return step.turned("x", "gxt").product("gxt", "gh", "gw", {1, 4096}).model({"gw"});
}

/// Two linear layers with tanh between them.
inline Model tinyMlp()
{
    TinyStep step;
    step.given("x", {64, 2}).weight("w", {2, 256}).weight("v", {256, 2});
    step.product("x", "w", "h", {64, 256});
    step.call("tanh", {step.tensor("self", "h")}, {{"y", {64, 256}}});
    step.product("y", "v", "z", {64, 2}).summed("z", "gz");
    step.turned("y", "gyt").product("gyt", "gz", "gv", {256, 2});
    step.turned("v", "gvt").product("gz", "gvt", "gy", {64, 256});
    step.call("tanh_backward", {step.tensor("grad_output", "gy"), step.tensor("output", "y")}, {{"gh", {64, 256}}});
    return step.turned("x", "gxt").product("gxt", "gh", "gw", {2, 256}).model({"gw", "gv"});
}

/// A weight that is used twice, so that its gradient is a sum of two.
inline Model tinySharedWeight()
{
    TinyStep step;
    step.given("x", {64, 16}).weight("w", {16, 16});
    step.product("x", "w", "h", {64, 16}).product("h", "w", "z", {64, 16}).summed("z", "gz");
    step.turned("h", "ght").product("ght", "gz", "gw2", {16, 16});
    step.turned("w", "gwt").product("gz", "gwt", "gh", {64, 16});
    step.turned("x", "gxt").product("gxt", "gh", "gw1", {16, 16});
    NamedArgument one = step.tensor("self", "gw1"), two = step.tensor("other", "gw2");
    step.call("add", {std::move(one), std::move(two)}, {{"gw", {16, 16}}});
    return step.model({"gw"});
}

/// A head over many words, with its cross entropy.
inline Model tinyHead()
{
    TinyStep step;
    const Sizes logits{8, 512};
    step.given("x", {8, 4}).given("target", {8}).weight("w", {4, 512});
    step.product("x", "w", "h", logits);
    const NamedArgument dim{"dim", std::int64_t(1), false}, mean{"reduction", std::int64_t(1), false};
    const NamedArgument ignored{"ignore_index", std::int64_t(-100), false};
    step.call("_log_softmax", {step.tensor("self", "h"), dim}, {{"y", logits}});
    step.call("nll_loss_forward", {step.tensor("self", "y"), step.tensor("target", "target"), mean, ignored},
              {{"loss", {}}, {"count", {}}});
    step.call("ones_like", {step.tensor("self", "loss")}, {{"gone", {}}});
    step.call("nll_loss_backward",
              {step.tensor("grad_output", "gone"), step.tensor("self", "y"), step.tensor("target", "target"), mean,
               ignored, step.tensor("total_weight", "count")},
              {{"gy", logits}});
    step.call("_log_softmax_backward_data", {step.tensor("grad_output", "gy"), step.tensor("output", "y"), dim},
              {{"gh", logits}});
    return step.turned("x", "gxt").product("gxt", "gh", "gw", {4, 512}).model({"gw"});
}

/// Attention over weights, of which the queries alone have a gradient.
inline Model tinyAttention()
{
    TinyStep step;
    const Sizes sizes{1, 4, 32, 16}, sums{1, 4, 32};
    step.weight("q", sizes).given("k", sizes).given("v", sizes);
    const std::vector<NamedArgument> read{step.tensor("query", "q"), step.tensor("key", "k"),
                                          step.tensor("value", "v")};
    step.call("_scaled_dot_product_flash_attention_for_cpu", read, {{"y", sizes}, {"logsumexp", sums}});
    step.call("tanh", {step.tensor("self", "y")}, {{"z", sizes}}).summed("z", "gz");
    step.call("tanh_backward", {step.tensor("grad_output", "gz"), step.tensor("output", "z")}, {{"gy", sizes}});
    std::vector<NamedArgument> all{step.tensor("grad_out", "gy")};
    all.insert(all.end(), read.begin(), read.end());
    all.push_back(step.tensor("out", "y"));
    all.push_back(step.tensor("logsumexp", "logsumexp"));
    step.call("_scaled_dot_product_flash_attention_for_cpu_backward", all,
              {{"gq", sizes}, {"gk", sizes}, {"gv", sizes}});
    return step.model({"gq"});
}

/// A convolution and ReLU.
inline Model tinyConvolution()
{
    TinyStep step;
    const Sizes image{4, 2, 16, 16}, made{4, 8, 16, 16};
    step.given("x", image).weight("w", {8, 2, 3, 3});
    const NamedArgument groups{"groups", std::int64_t(1), false}, transposed{"transposed", false, false};
    step.call("convolution", {step.tensor("input", "x"), step.tensor("weight", "w"), transposed, groups},
              {{"h", made}});
    step.call("relu", {step.tensor("self", "h")}, {{"y", made}}).summed("y", "gy");
    step.call("threshold_backward", {step.tensor("grad_output", "gy"), step.tensor("self", "y")}, {{"gh", made}});
    step.call("convolution_backward",
              {step.tensor("grad_output", "gh"),
               step.tensor("input", "x"),
               step.tensor("weight", "w"),
               transposed,
               groups,
               {"output_mask", std::vector<bool>{false, true, false}, false}},
              {{"", {}}, {"gw", {8, 2, 3, 3}}, {"", {}}});
    return step.model({"gw"});
}

} // namespace remat::test
