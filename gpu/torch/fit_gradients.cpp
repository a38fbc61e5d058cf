// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/fit_gradients.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_strided.h>
#include <algorithm>

namespace remat {
namespace {

constexpr std::size_t kParameters = 0, kGradients = 1, kFirstStates = 2;

/// Elements follow each other in the same order; sizes of 1 have any stride.
bool lieAlike(const at::Tensor &a, const at::Tensor &b)
{
    if (a.numel() == 0) return true;
    for (std::int64_t d = 0; d < a.dim(); ++d)
        if (a.size(d) > 1 && a.stride(d) != b.stride(d)) return false;
    return true;
}

bool match(const at::Tensor &parameter, const at::Tensor &other)
{
    return other.sizes() == parameter.sizes() && other.scalar_type() == parameter.scalar_type() &&
           other.device() == parameter.device();
}

} // namespace

Expected<void> fitGradients(const Node &node, std::vector<c10::IValue> &stack)
{
    const auto refused = [&](const char *why) {
        return fail("Op {} ({}) {}. PyTorch's fused optimizers do not take that; leave the optimizer out, "
                    "or trace another model.",
                    node.name, node.opName, why);
    };
    const std::vector<at::Tensor> parameters = stack[kParameters].toTensorVector();
    c10::List<at::Tensor> gradients = stack[kGradients].toTensorList();
    if (parameters.size() != gradients.size()) return refused("has another number of gradients than parameters");
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const at::Tensor &parameter = parameters[i];
        const at::Tensor &gradient = gradients.get(i);
        if (!parameter.is_non_overlapping_and_dense()) return refused("updates a parameter with gaps in its memory");
        if (!match(parameter, gradient)) return refused("has a gradient of another size or type than its parameter");
        for (std::size_t at = kFirstStates; at < stack.size(); ++at) {
            if (!stack[at].isTensorList()) continue;
            const std::vector<at::Tensor> states = stack[at].toTensorVector();
            if (states.empty() || states[i].dim() == 0) continue; // the count of steps is a number
            if (!match(parameter, states[i]) || !lieAlike(parameter, states[i]))
                return refused("has a state of another size, type or order than its parameter");
        }
        if (lieAlike(parameter, gradient)) continue;
        at::Tensor fitting = at::empty_strided(parameter.sizes(), parameter.strides(), gradient.options());
        fitting.copy_(gradient);
        gradients.set(i, fitting);
    }
    return {};
}

} // namespace remat
