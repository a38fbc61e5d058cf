#include "gpu/torch/whole_comparison.h"

#include "gpu/torch/cpu_comparison.h"
#include "gpu/torch/replay.h"

#include <algorithm>
#include <limits>

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
    result.tensors = static_cast<int>(outputs.size());
    for (const TensorDifference &difference : bits.differences) {
        const auto of = std::find_if(expected->begin(), expected->end(),
                                     [&](const HostOutput &output) { return output.name == difference.name; });
        const double unit = epsOf(of->tensor) * largestValue(of->tensor);
        const double units = unit > 0 ? difference.largestDifference / unit : std::numeric_limits<double>::infinity();
        result.different.push_back({difference.name, units});
        result.largestUnits = std::max(result.largestUnits, units);
    }
    return result;
}

} // namespace remat
