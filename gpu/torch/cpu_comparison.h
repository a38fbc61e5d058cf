// SPDX-License-Identifier: Apache-2.0
// A run on another device against one on the CPU: what both runs of a validation would get wrong alike.
#pragma once

#include "gpu/torch/compare.h"
#include "gpu/torch/runs.h"

namespace remat {

/// While it lives, an interpreter drops nothing, and a GPU multiplies single precision as it stands (no TF32).
class ExactScope
{
public:
    explicit ExactScope(Interpreter &interpreter);
    ~ExactScope();
    ExactScope(const ExactScope &) = delete;
    ExactScope &operator=(const ExactScope &) = delete;

private:
    Interpreter &m_interpreter;
    bool m_cublas, m_cudnn;
};

/// Runs keep-all, or `plan` where the machine has no room for that, on the CPU from the same inputs, with dropout off,
/// and compares with `outputs`, which another device made within an ExactScope. What stands in the way is told in the
/// result, and is no failure.
CpuComparison compareWithCpu(const Model &model, const Graph &graph, const CostTable &costs,
                             const std::vector<Step> &keepAll, const std::vector<Step> &plan,
                             const std::vector<HostOutput> &outputs, const RunSetting &setting);

} // namespace remat
