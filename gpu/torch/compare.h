// SPDX-License-Identifier: Apache-2.0
// The outputs of two runs, compared bit for bit.
#pragma once

#include "core/plan/plan.h"
#include "gpu/engine/step_sums.h"
#include "gpu/torch/interpreter.h"

#include <vector>

namespace remat {

/// One output of the program, copied to host memory.
struct HostOutput {
    OutputKind kind = OutputKind::Other;
    std::string name; ///< `loss`, or the parameter, input or buffer it belongs to
    at::Tensor tensor;
    StorageId storage; ///< that it lies in
    at::Tensor copy;   ///< the other whole copy of what an update wrote, where there are two; must be the same
};

/// Copies what the program gives back. The copies are not counted as dynamic memory.
Expected<std::vector<HostOutput>> takeOutputs(Interpreter &interpreter);

/// Fills loss, gradients, buffers, what was updated and differences of the record. NaNs of equal bits are equal.
void compareOutputs(const std::vector<HostOutput> &expected, const std::vector<HostOutput> &actual,
                    ValidationRecord &record);

/// The largest absolute value of an element that is a number.
double largestValue(const at::Tensor &tensor);

/// How far outputs may be apart that different kernels made, as a share: by the coarsest numbers that the program
/// computes with.
double outputTolerance(const Program &program);

/// Per output the largest difference as a share of the tensor's largest value, or of a thousandth of the largest
/// value of all outputs of its kind where that is more: a gradient that is 0 but for rounding has no size of its own.
/// Infinite where one is not a number. Empty when the two are not of the same outputs.
std::vector<double> differenceShares(const std::vector<HostOutput> &expected, const std::vector<HostOutput> &actual);

/// Takes out of the record's differences those of storages that `reached` has, where they are within the tolerance.
void excuse(const std::vector<HostOutput> &expected, const std::vector<HostOutput> &actual,
            const std::vector<char> &reached, double tolerance, ValidationRecord &record);

/// Follows a run op by op, and notes the checksums of what each reads and makes.
class SumsRecorder
{
public:
    SumsRecorder(const Interpreter &interpreter, const Graph &graph, std::size_t steps);

    /// After the op was computed.
    void computed(OpId op);
    /// Per computation, in their order.
    const std::vector<StepSums> &sums() const { return m_sums; }

private:
    std::uint64_t sumOf(StorageId storage, bool onHost = false) const;

    const Interpreter &m_interpreter;
    const Graph &m_graph;
    std::vector<std::uint64_t> m_now; ///< per storage, as it was last made or written to; 0: not known
    std::vector<StepSums> m_sums;
};

} // namespace remat
