// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/prepare.h"

#include "core/chunk/builder.h"
#include "core/chunk/direct_views.h"

#include <algorithm>
#include <utility>

namespace remat {

namespace {

constexpr std::int64_t kMean = 1, kSumOf = 2;

NamedArgument *find(Node &node, std::string_view name)
{
    const auto found = std::find_if(node.arguments.begin(), node.arguments.end(),
                                    [&](const NamedArgument &argument) { return argument.name == name; });
    return found == node.arguments.end() ? nullptr : &*found;
}

bool isPlainLoss(Node &node)
{
    if (node.opName != "aten::nll_loss_forward" && node.opName != "aten::nll_loss2d_forward") return false;
    NamedArgument *weight = find(node, "weight"), *reduction = find(node, "reduction"), *target = find(node, "target");
    if (!reduction || !target || node.outputs.size() != 2 || !node.outputs[0] || !node.outputs[1]) return false;
    const auto *kind = std::get_if<std::int64_t>(&reduction->value);
    const bool weighted = weight && std::holds_alternative<ValueId>(weight->value);
    return !weighted && kind && (*kind == kMean || *kind == kSumOf) && std::holds_alternative<ValueId>(target->value);
}

/// The nodes of a program one by one, those that loosen in place of what they stand for.
class Loosened
{
public:
    explicit Loosened(Program program)
        : m_nodes(std::exchange(program.nodes, {})), m_program(std::move(program)), m_names(m_program)
    {
        for (const Node &node : m_nodes)
            m_names.freeNodeName(node.name);
    }

    Program program()
    {
        for (Node &node : m_nodes) {
            if (isPlainLoss(node))
                addLoss(std::move(node));
            else if (isOne(node))
                addOne(node);
            else
                m_program.nodes.push_back(std::move(node));
        }
        return std::move(m_program);
    }

private:
    bool isOne(const Node &node) const
    {
        return node.opName == "aten::ones_like" && node.outputs.size() == 1 && node.outputs[0] &&
               m_program.value(node.outputs[0]).sizes.empty();
    }

    void addOne(const Node &node)
    {
        const Value &one = m_program.value(node.outputs[0]);
        std::vector<NamedArgument> arguments{{"size", std::vector<std::int64_t>{}, false},
                                             {"fill_value", 1.0, false},
                                             {"dtype", one.dtype, true},
                                             {"device", DeviceArg{one.device}, true},
                                             {"pin_memory", false, true}};
        const std::string name = node.name;
        m_names.call(node, "aten::full", "", std::move(arguments), node.outputs[0]).name = name;
    }

    void addLoss(Node loss)
    {
        const ValueId given = loss.outputs[0], count = loss.outputs[1];
        const ValueId target = std::get<ValueId>(find(loss, "target")->value);
        const auto *ignored = find(loss, "ignore_index");
        const auto *number = ignored ? std::get_if<std::int64_t>(&ignored->value) : nullptr;
        const std::vector<std::int64_t> places = m_program.value(target).sizes;
        const DType type = m_program.value(given).dtype;

        const ValueId counts = m_names.add(loss.name + "_counts", DType::Bool, places);
        m_names.call(loss, "aten::ne", "Scalar",
                     {{"self", target, false}, {"other", number ? *number : std::int64_t(-100), false}}, counts);
        m_names.call(loss, "aten::sum", "", {{"self", counts, false}, {"dtype", type, true}}, count);

        auto &kind = std::get<std::int64_t>(find(loss, "reduction")->value);
        const bool isMean = std::exchange(kind, kSumOf) == kMean;
        const ValueId sum = isMean ? m_names.add(loss.name + "_sum", type, {}) : given;
        const ValueId unread = m_names.add(loss.name + "_weight", type, {});
        const Node like = loss;
        loss.outputs = {sum, unread};
        m_program.nodes.push_back(std::move(loss));
        if (isMean) m_names.call(like, "aten::div", "Tensor", {{"self", sum, false}, {"other", count, false}}, given);
    }

    std::vector<Node> m_nodes;
    Program m_program;
    ProgramBuilder m_names;
};

} // namespace

Program loosened(Program program)
{
    return Loosened(std::move(program)).program();
}

Program prepared(Program program)
{
    return withDirectViews(loosened(std::move(program)));
}

} // namespace remat
