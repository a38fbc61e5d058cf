// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/broken_device.h"

#include <algorithm>
#include <memory>

namespace remat {
namespace {

/// The first number of single precision among an op's results; null when there is none.
float *firstNumber(std::vector<c10::IValue> &results)
{
    for (c10::IValue &result : results)
        if (result.isTensor() && result.toTensor().defined() && result.toTensor().scalar_type() == at::kFloat &&
            result.toTensor().numel() > 0)
            return result.toTensor().mutable_data_ptr<float>();
    return nullptr;
}

} // namespace

Expected<void> breakOps(Interpreter &interpreter, const SimulatedDevice &device)
{
    const std::vector<Node> &nodes = interpreter.model().program->nodes;
    for (const std::string &name : {device.wrongOp, device.restlessOp})
        if (!name.empty() && std::none_of(nodes.begin(), nodes.end(), [&](const Node &n) { return n.name == name; }))
            return fail(name + " was to be broken, but the model has no op of that name.");
    if (device.wrongOp.empty() && device.restlessOp.empty()) return {};
    interpreter.afterCall = [device, calls = std::make_shared<int>(0)](const Node &node,
                                                                       std::vector<c10::IValue> &results) {
        constexpr double kTooLarge = 1.25;
        constexpr float kStep = 1e-6F;
        if (node.name == device.wrongOp)
            for (c10::IValue &result : results)
                if (result.isTensor() && result.toTensor().defined() && result.toTensor().is_floating_point())
                    result.toTensor().mul_(kTooLarge);
        if (node.name != device.restlessOp) return;
        if (float *number = firstNumber(results)) *number += *number * kStep * static_cast<float>(++*calls);
    };
    return {};
}

} // namespace remat
