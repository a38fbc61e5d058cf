// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/whole_comparison.h"

#include "gpu/torch/cpu_comparison.h"
#include "gpu/torch/replay.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace remat {

namespace {

/// So many units of the last place may each piece of a sum cost.
constexpr double kUnitsOfPiece = 8;

/// Half of the distance of 1 to the next number, twice: what PyTorch calls eps.
double epsOf(const at::Tensor &tensor)
{
    switch (tensor.scalar_type()) {
    case at::kDouble:
        return std::numeric_limits<double>::epsilon();
    case at::kBFloat16:
        return 0x1p-7;
    case at::kHalf:
        return 0x1p-10;
    default:
        return std::numeric_limits<float>::epsilon();
    }
}

Expected<std::vector<HostOutput>> outputsOf(const Model &whole, RunDevice device, const RunSetting &setting)
{
    if (std::any_of(whole.graph.ops.begin(), whole.graph.ops.end(), [](const Op &op) { return op.onHost; }))
        return fail("The updates of the step run on the host.");
    const Plan keepAll = keepAllPlan(whole.graph);
    RunSetting own = setting;
    own.need = setting.wholeNeed;
    Expected<Session> session = openSession(whole, device, own);
    if (!session) return tl::unexpected(session.error());
    const ExactScope exact(session->interpreter);
    if (const std::string drawing = session->interpreter.drawingOp(); !drawing.empty())
        return fail(drawing + " draws numbers, and each piece draws others.");
    const auto run = replay(session->interpreter, *session->meter, whole.graph, keepAll.steps, own,
                            {"The graph without chunks", 0.95, 1.0});
    if (!run) return tl::unexpected(run.error());
    return takeOutputs(session->interpreter);
}

constexpr const char *kLeftOut = "New weights of Adam and second moments are left out: a gradient divided by its own "
                                 "size has no rounding of its own.";

/// Adam's first step moves a weight by the sign of its gradient, whatever its size, so that a rounding of what should
/// be zero is as large as any step. The first moment has the gradient itself, and is compared.
bool isDividedByItself(const HostOutput &output, const std::vector<HostOutput> &outputs)
{
    constexpr std::string_view kNew = "new ", kSecond = "exp_avg_sq of ";
    if (output.kind == OutputKind::UpdatedState) return output.name.starts_with(kSecond);
    if (output.kind != OutputKind::UpdatedParameter || !output.name.starts_with(kNew)) return false;
    const std::string moment = "exp_avg of " + output.name.substr(kNew.size());
    return std::any_of(outputs.begin(), outputs.end(), [&](const HostOutput &o) { return o.name == moment; });
}

} // namespace

ChunkComparison compareWithWhole(RunDevice device, const std::vector<HostOutput> &outputs, const RunSetting &setting)
{
    ChunkComparison result;
    result.allowedUnits = kUnitsOfPiece * setting.pieces;
    const auto expected = outputsOf(*setting.whole, device, setting);
    if (!expected) {
        result.sentence = expected.error().message;
        return result;
    }
    ValidationRecord bits;
    compareOutputs(*expected, outputs, bits);
    if (expected->size() != outputs.size()) {
        result.sentence = "The two graphs give back other tensors.";
        return result;
    }
    result.done = true;
    const std::vector<double> shares = differenceShares(*expected, outputs);
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        if (isDividedByItself(outputs[o], outputs)) {
            result.sentence = kLeftOut;
            continue;
        }
        ++result.tensors;
        const std::string &name = outputs[o].name;
        if (std::none_of(bits.differences.begin(), bits.differences.end(),
                         [&](const TensorDifference &difference) { return difference.name == name; }))
            continue;
        const double units = shares[o] / epsOf((*expected)[o].tensor);
        result.different.push_back({name, units});
        result.largestUnits = std::max(result.largestUnits, units);
    }
    return result;
}

} // namespace remat
