// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/operator_calls.h"

#include "gpu/torch/add_on_cpu.h"
#include "gpu/torch/attention.h"
#include "gpu/torch/attention_on_cpu.h"
#include "gpu/torch/failure.h"
#include "gpu/torch/fit_gradients.h"

#include <ATen/Context.h>
#include <ATen/core/Generator.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <fmt/core.h>

namespace remat {
namespace {

/// Spreads (seed, number) over 64 bits; splitmix64.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t number)
{
    std::uint64_t z = seed + (number + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/// While it lives, kernels that have a deterministic form take it: attention's gradients only do when asked strictly.
class StrictScope
{
public:
    explicit StrictScope(bool on) : m_on(on && at::globalContext().deterministicAlgorithms())
    {
        if (m_on) at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
    }
    ~StrictScope()
    {
        if (m_on) at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);
    }
    StrictScope(const StrictScope &) = delete;
    StrictScope &operator=(const StrictScope &) = delete;

private:
    bool m_on;
};

/// Hears what LibTorch has to say of one operator, and prints nothing.
class Listener final : public c10::WarningHandler
{
public:
    void process(const c10::Warning &warning) override
    {
        if (warning.msg().find("deterministic") != std::string::npos) heard = true;
    }
    bool heard = false;
};

bool isAttentionGradient(const std::string &opName)
{
    return opName.find("attention") != std::string::npos && opName.ends_with("_backward");
}

} // namespace

std::vector<c10::IValue> flattened(std::vector<c10::IValue> returned, std::size_t outputs)
{
    if (returned.size() == outputs &&
        std::none_of(returned.begin(), returned.end(), [](const c10::IValue &value) { return value.isTensorList(); }))
        return returned;
    std::vector<c10::IValue> result;
    for (c10::IValue &value : returned) {
        if (value.isTensorList()) {
            for (const at::Tensor &item : value.toTensorVector())
                result.emplace_back(item);
        } else {
            result.push_back(std::move(value));
        }
    }
    return result;
}

Expected<OperatorCalls> OperatorCalls::create(const Model &model, c10::Device device, std::uint64_t seed)
{
    OperatorCalls result(model, seed);
    const Program &program = *model.program;
    result.m_nodes.reserve(program.nodes.size());
    for (const Node &node : program.nodes) {
        Expected<PreparedNode> prepared = prepareNode(program, node, device);
        if (!prepared) return tl::unexpected(prepared.error());
        result.m_nodes.push_back(std::move(*prepared));
    }
    return result;
}

Expected<std::vector<c10::IValue>>
OperatorCalls::arguments(NodeId id, const std::function<Expected<at::Tensor>(ValueId)> &tensorOf) const
{
    const PreparedNode &prepared = m_nodes[id.index()];
    std::vector<c10::IValue> stack = prepared.arguments;
    for (const auto &[position, value] : prepared.tensors) {
        if (!value) continue;
        Expected<at::Tensor> tensor = tensorOf(value);
        if (!tensor) return tl::unexpected(tensor.error());
        stack[position] = std::move(*tensor);
    }
    for (const PreparedNode::ListSlot &list : prepared.lists) {
        c10::List<std::optional<at::Tensor>> optionals;
        c10::List<at::Tensor> tensors;
        for (const ValueId value : list.values) {
            if (!value) {
                optionals.push_back(std::nullopt);
                continue;
            }
            Expected<at::Tensor> tensor = tensorOf(value);
            if (!tensor) return tl::unexpected(tensor.error());
            if (list.optionalItems)
                optionals.push_back(std::move(*tensor));
            else
                tensors.push_back(std::move(*tensor));
        }
        if (list.optionalItems)
            stack[list.position] = std::move(optionals);
        else
            stack[list.position] = std::move(tensors);
    }
    if (m_dropsNothing && prepared.dropPosition) stack[*prepared.dropPosition] = prepared.dropNothing;
    return stack;
}

Expected<void> OperatorCalls::call(NodeId id, std::vector<c10::IValue> &stack, c10::Device device, bool &warned) const
{
    const Node &node = m_model->program->nodes[id.index()];
    const PreparedNode &prepared = m_nodes[id.index()];
    Listener listener;
    try {
        const c10::WarningUtils::WarningHandlerGuard warnings(&listener);
        const at::AutoDispatchBelowADInplaceOrView belowAutograd;
        const c10::NoGradGuard noGrad;
        if (node.op && !m_model->graph.op(node.op).updates.empty())
            if (auto fits = fitGradients(node, stack); !fits) return fits;
        // Each random op starts from its own state, so that it draws the same bits whenever and as often as it runs.
        if (prepared.random) {
            at::Generator generator = at::globalContext().defaultGenerator(device);
            generator.set_current_seed(mixed(m_seed, id.index()));
        }
        const StrictScope strict(device.is_cuda() && isAttentionGradient(node.opName));
        const bool done = device.is_cuda()
                              ? callAttentionOnCuda(node.opName, stack)
                              : callGpuAttentionOnCpu(node.opName, stack) || addInBlocksOnCpu(node.opName, stack);
        if (!done) prepared.op.callBoxed(stack);
    } catch (const std::exception &error) {
        return fail(operatorFailure(node, device, error));
    }
    warned = listener.heard;
    return {};
}

std::string OperatorCalls::drawingOp() const
{
    for (std::size_t node = 0; node < m_nodes.size(); ++node)
        if (m_nodes[node].random && !m_nodes[node].dropPosition)
            return fmt::format("{} ({})", m_model->program->nodes[node].name, m_model->program->nodes[node].opName);
    return {};
}

} // namespace remat
