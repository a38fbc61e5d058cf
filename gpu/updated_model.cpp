// SPDX-License-Identifier: Apache-2.0
#include "gpu/updated_model.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <utility>

namespace remat {
namespace {

using Arguments = std::vector<NamedArgument>;

/// PyTorch's fused kernel for an optimizer, and what it calls the states.
struct FusedKernel {
    const char *optimizer, *opName;
    std::array<const char *, 2> states;  ///< names of its arguments
    std::array<const char *, 2> inTorch; ///< keys in torch.optim's `state`
    Arguments settings;
};

Arguments ofAdam(double weightDecay)
{
    return {{"max_exp_avg_sqs", std::vector<ValueId>(), false},
            {"lr", 1e-3, true},
            {"beta1", 0.9, true},
            {"beta2", 0.999, true},
            {"weight_decay", weightDecay, true},
            {"eps", 1e-8, true},
            {"amsgrad", false, true},
            {"maximize", false, true}};
}

/// `is_first_step` would make the buffer the gradient; from zeros it comes to the same.
Arguments ofSgd(double momentum)
{
    return {{"weight_decay", 0.0, true},   {"momentum", momentum, true}, {"lr", 1e-3, true},
            {"dampening", 0.0, true},      {"nesterov", false, true},    {"maximize", false, true},
            {"is_first_step", false, true}};
}

Expected<FusedKernel> kernelOf(const std::string &optimizer)
{
    const std::array<const char *, 2> ofMoments = {"exp_avgs", "exp_avg_sqs"}, moments = {"exp_avg", "exp_avg_sq"};
    const std::array<const char *, 2> ofBuffer = {"momentum_buffer_list", nullptr},
                                      buffer = {"momentum_buffer", nullptr};
    if (optimizer == "adamw") return FusedKernel{"adamw", "aten::_fused_adamw_", ofMoments, moments, ofAdam(1e-2)};
    if (optimizer == "adam") return FusedKernel{"adam", "aten::_fused_adam_", ofMoments, moments, ofAdam(0)};
    if (optimizer == "momentum") return FusedKernel{"momentum", "aten::_fused_sgd_", ofBuffer, buffer, ofSgd(0.9)};
    if (optimizer == "sgd") return FusedKernel{"sgd", "aten::_fused_sgd_", ofBuffer, buffer, ofSgd(0)};
    return fail("The updates of {} have no kernel here to run them with.", quotedName(optimizer));
}

/// Adds to a program what the updates of its graph need.
class Adding
{
public:
    Adding(Model &model, FusedKernel kernel)
        : m_graph(model.graph), m_program(*model.program), m_kernel(std::move(kernel))
    {
    }

    void run()
    {
        for (std::size_t op = 0; op < m_graph.ops.size(); ++op)
            if (m_graph.ops[op].node) m_program.nodes[m_graph.ops[op].node.index()].op = OpId(op);
        m_stepCount = addInput({"optimizer_step", DType::Float32, {}, {}, 0, "cpu", {}, {}}, StorageKind::Constant, 1);
        const std::vector<ProgramOutput> outputs = std::exchange(m_program.outputs, {});
        for (const ProgramOutput &output : outputs) {
            const StorageId storage = output.value ? m_program.value(output.value).storage : StorageId();
            if (!storage || isResident(m_graph.storage(storage).kind) || m_graph.storage(storage).isOutput)
                m_program.outputs.push_back(output);
        }
        for (const ProgramOutput &output : outputs)
            if (output.value && output.kind == OutputKind::ParameterGradient) add(output);
    }

private:
    ValueId addInput(Value value, StorageKind kind, double content)
    {
        const ValueId id(m_program.values.size());
        ProgramInput input;
        input.value = id;
        input.kind = kind;
        input.fqn = value.name;
        input.recipe.mean = content;
        input.recipe.std = 0;
        m_program.values.push_back(std::move(value));
        m_program.inputs.push_back(std::move(input));
        return id;
    }

    /// The update that reads this gradient, in the order of `gradientsOf`, which made them.
    void add(const ProgramOutput &gradient)
    {
        const auto input =
            std::find_if(m_program.inputs.begin(), m_program.inputs.end(), [&](const ProgramInput &item) {
                return item.kind == StorageKind::Parameter && item.fqn == gradient.target;
            });
        if (input == m_program.inputs.end()) return;
        const ValueId parameter = input->value;
        const Value like = m_program.value(parameter);
        const StorageId read = m_program.value(gradient.value).storage;
        const auto update = std::find_if(m_graph.ops.begin(), m_graph.ops.end(), [&](const Op &op) {
            return !op.updates.empty() && !op.node && op.updates.front() == like.storage && op.inputs.front() == read;
        });
        if (update == m_graph.ops.end()) return;

        Node node;
        node.name = update->name;
        node.opName = m_kernel.opName;
        node.phase = Phase::Backward;
        node.module = update->module;
        node.op = OpId(static_cast<std::size_t>(update - m_graph.ops.begin()));
        const auto list = [&](const char *name, std::vector<ValueId> values) {
            node.arguments.push_back({name, std::move(values), false});
        };
        const auto written = [&](OutputKind kind, const std::string &target, ValueId value) {
            m_program.outputs.push_back({value, kind, target});
        };
        list("self", {parameter});
        list("grads", {gradient.value});
        written(OutputKind::UpdatedParameter, gradient.target, parameter);
        node.mutates = {"self"};
        for (std::size_t i = 0; i < m_kernel.states.size() && m_kernel.states[i]; ++i) {
            std::vector<ValueId> values;
            if (i + 1 < update->updates.size()) {
                Value state = like;
                state.storage = update->updates[i + 1];
                state.name = m_graph.storage(state.storage).name;
                state.aliasOf = {};
                values = {addInput(std::move(state), StorageKind::State, 0)};
                written(OutputKind::UpdatedState, fmt::format("{} of {}", m_kernel.inTorch[i], gradient.target),
                        values.front());
            }
            list(m_kernel.states[i], std::move(values));
            node.mutates.emplace_back(m_kernel.states[i]);
        }
        for (const NamedArgument &setting : m_kernel.settings)
            node.arguments.push_back(setting);
        if (m_kernel.states[1]) list("state_steps", {m_stepCount});
        update->node = NodeId(m_program.nodes.size());
        m_program.nodes.push_back(std::move(node));
    }

    Graph &m_graph;
    Program &m_program;
    FusedKernel m_kernel;
    ValueId m_stepCount;
};

} // namespace

Expected<Model> updatedModel(const Model &model, const Updates &updates)
{
    if (!updates.given()) return model;
    Expected<Graph> graph = withUpdates(model, updates);
    if (!graph) return tl::unexpected(graph.error());
    Model result{model.path, std::move(*graph), model.program};
    if (!result.program) return result;
    Expected<FusedKernel> kernel = kernelOf(updates.optimizer);
    if (!kernel) return tl::unexpected(kernel.error());
    Adding(result, std::move(*kernel)).run();
    const auto left = std::find_if(result.graph.ops.begin(), result.graph.ops.end(),
                                   [](const Op &op) { return !op.updates.empty() && !op.node; });
    if (left != result.graph.ops.end())
        return fail(
            fmt::format("The update {} belongs to no gradient of the trace. Trace it again.", quotedName(left->name)));
    return result;
}

} // namespace remat
