// SPDX-License-Identifier: Apache-2.0
#include "solvers/mincut/fx_build.h"
#include "solvers/mincut/operators.h"

#include <algorithm>
#include <string>
#include <unordered_set>

namespace remat::mincut {

namespace {

constexpr const char *kCpuAttention = "aten::_scaled_dot_product_flash_attention_for_cpu";
constexpr const char *kGpuAttention = "aten::_scaled_dot_product_flash_attention";

/// Elements × item size; views that repeat elements may name more than fits into a number.
std::int64_t valueBytes(const Value &value)
{
    constexpr std::int64_t kMost = std::int64_t(1) << 56;
    const std::int64_t item = itemSize(value.dtype);
    return std::min(elementCount(value), kMost / item) * item;
}

class FromProgram
{
public:
    FromProgram(const Program &program, const CostTable &costs, const FxSettings &settings)
        : m_program(program), m_costs(costs), m_settings(settings), m_nodeOf(program.values.size(), -1)
    {
    }

    FxGraph build()
    {
        for (const ProgramInput &input : m_program.inputs) {
            FxNode node = valueNode(input.value, FxKind::Placeholder);
            node.primal = true;
            node.free = input.kind != StorageKind::Input;
            m_fx.primals.push_back(add(input.value, std::move(node)));
        }
        for (const ProgramOutput &output : m_program.outputs)
            if (output.kind == OutputKind::Loss) m_losses.insert(output.value.value);
        for (const Node &node : m_program.nodes)
            addCall(node);
        Ends ends;
        for (const ProgramOutput &output : m_program.outputs) {
            const bool backward =
                output.kind == OutputKind::ParameterGradient || output.kind == OutputKind::InputGradient;
            (backward ? ends.backward : ends.forward).push_back(m_nodeOf[output.value.index()]);
        }
        return finish(std::move(m_fx), std::move(ends));
    }

private:
    FxNode valueNode(ValueId id, FxKind kind) const
    {
        const Value &value = m_program.value(id);
        FxNode node;
        node.kind = kind;
        node.bytes = valueBytes(value);
        node.storage = value.storage;
        return node;
    }

    int add(ValueId value, FxNode node) { return m_nodeOf[value.index()] = addNode(m_fx, std::move(node)); }

    static std::vector<ValueId> tensors(const NamedArgument &argument)
    {
        if (const auto *one = std::get_if<ValueId>(&argument.value)) return {*one};
        if (const auto *list = std::get_if<std::vector<ValueId>>(&argument.value)) return *list;
        return {};
    }

    bool isIncomingGradient(const Node &node) const
    {
        return node.phase == Phase::Backward && node.opName == "aten::ones_like" && !node.arguments.empty() &&
               std::holds_alternative<ValueId>(node.arguments[0].value) &&
               m_losses.count(std::get<ValueId>(node.arguments[0].value).value) > 0;
    }

    double runtimeOf(const Node &call, const std::string &opName) const
    {
        if (m_settings.runtime == Runtime::Costs) return call.op ? m_costs.time(call.op) : 0;
        // PyTorch's counter has no formula for the CPU's attention kernel.
        if (opName == kCpuAttention) return 1;
        return std::max(nodeFlops(m_program, call), 1.0);
    }

    void addCall(const Node &call)
    {
        const bool single = call.outputs.size() == 1 && !call.listOutput && call.outputs[0];
        if (single && isIncomingGradient(call)) {
            FxNode node = valueNode(call.outputs[0], FxKind::Placeholder);
            node.gradientClosure = true;
            add(call.outputs[0], std::move(node));
            return;
        }
        const std::string opName =
            m_settings.gpuAttention && call.opName == kCpuAttention ? kGpuAttention : call.opName;
        FxNode node = single ? valueNode(call.outputs[0], FxKind::Call) : FxNode();
        node.tuple = !single;
        node.classes = operatorClasses(opName);
        node.sideEffects = call.random || !call.mutates.empty();
        node.mustBeInBackward = !call.mutates.empty() && call.phase == Phase::Backward;
        node.collective = opName.rfind("_c10d_functional::", 0) == 0;
        node.runtime = runtimeOf(call, opName);
        if (!single) {
            for (const ValueId output : call.outputs)
                if (output) node.bytes += valueBytes(m_program.value(output));
        }
        for (const NamedArgument &argument : call.arguments) {
            const auto *one = std::get_if<ValueId>(&argument.value);
            if (one && *one && !argument.keyword) node.positional.push_back(m_nodeOf[one->index()]);
        }
        const int index = addNode(m_fx, std::move(node));
        for (const NamedArgument &argument : call.arguments)
            for (const ValueId value : tensors(argument))
                if (value) connect(m_fx, m_nodeOf[value.index()], index);
        if (single) {
            m_nodeOf[call.outputs[0].index()] = index;
            return;
        }
        for (const ValueId output : call.outputs) {
            if (!output) continue;
            FxNode item = valueNode(output, FxKind::GetItem);
            item.classes = kRecomputable;
            item.positional.push_back(index);
            connect(m_fx, index, add(output, std::move(item)));
        }
    }

    const Program &m_program;
    const CostTable &m_costs;
    const FxSettings m_settings;
    FxGraph m_fx;
    std::vector<int> m_nodeOf; ///< per value
    std::unordered_set<std::int32_t> m_losses;
};

} // namespace

FxGraph fxGraph(const Program &program, const CostTable &costs, const FxSettings &settings)
{
    return FromProgram(program, costs, settings).build();
}

} // namespace remat::mincut
