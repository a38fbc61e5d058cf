// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/cpu_comparison.h"

#include "gpu/reference.h"
#include "gpu/torch/replay.h"

#include <ATen/Context.h>
#include <algorithm>

namespace remat {

ExactScope::ExactScope(Interpreter &interpreter)
    : m_interpreter(interpreter),
      m_cublas(at::globalContext().allowTF32CuBLAS()),
      m_cudnn(at::globalContext().allowTF32CuDNN())
{
    m_interpreter.dropNothing(true);
    at::globalContext().setAllowTF32CuBLAS(false);
    at::globalContext().setAllowTF32CuDNN(false);
}

ExactScope::~ExactScope()
{
    m_interpreter.dropNothing(false);
    at::globalContext().setAllowTF32CuBLAS(m_cublas);
    at::globalContext().setAllowTF32CuDNN(m_cudnn);
}

CpuComparison compareWithCpu(const Model &model, const Graph &graph, const CostTable &costs,
                             const std::vector<Step> &keepAll, const std::vector<Step> &plan,
                             const std::vector<HostOutput> &outputs, const RunSetting &setting)
{
    CpuComparison result;
    result.tolerance = outputTolerance(*model.program);
    const auto notDone = [&](const std::string &why) {
        result.sentence = why;
        return result;
    };
    const std::int64_t room = roomBytes(setting.need, RunDevice::Cpu, freeHostBytes(), 0);
    const Expected<Reference> reference = chooseReference(graph, costs, keepAll, {}, plan, room);
    if (!reference) return notDone(reference.error().message);
    RunSetting onCpu = setting;
    onCpu.need.dynamicBytes = reference->peakBytes;
    Expected<Session> session = openSession(model, RunDevice::Cpu, onCpu);
    if (!session) return notDone(session.error().message);
    std::vector<StorageId> parameters;
    for (std::size_t s = 0; s < graph.storages.size(); ++s)
        if (graph.storages[s].plannedParameter) parameters.emplace_back(s);
    session->interpreter.planParameters(parameters);
    const ExactScope exact(session->interpreter);
    if (const std::string drawing = session->interpreter.drawingOp(); !drawing.empty())
        return notDone(drawing + " draws numbers, and each device draws others.");
    const auto run = replay(session->interpreter, *session->meter, graph, *reference->steps, onCpu,
                            {"The same on the CPU", 0.92, 1.0});
    if (!run) return notDone(run.error().message);
    const Expected<std::vector<HostOutput>> expected = takeOutputs(session->interpreter);
    if (!expected) return notDone(expected.error().message);
    std::vector<double> shares = differenceShares(*expected, outputs);
    // Adam's first step divides a gradient by its own size: where that is nothing but rounding, its sign decides. The
    // states, which are compared, have the gradient in them.
    const bool divides = std::any_of(expected->begin(), expected->end(), [](const HostOutput &output) {
        return output.kind == OutputKind::UpdatedState && output.name.starts_with("exp_avg_sq");
    });
    for (std::size_t i = 0; i < shares.size(); ++i)
        if (divides && (*expected)[i].kind == OutputKind::UpdatedParameter) shares[i] = 0;
    const auto worst = std::max_element(shares.begin(), shares.end());
    if (worst == shares.end()) return notDone("The CPU's run gives back other tensors.");
    result.done = true;
    result.largestShare = *worst;
    result.worst = (*expected)[static_cast<std::size_t>(worst - shares.begin())].name;
    return result;
}

} // namespace remat
