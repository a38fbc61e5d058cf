// The outputs of two runs, compared bit for bit.
#pragma once

#include "core/plan/plan.h"
#include "gpu/torch/interpreter.h"

#include <map>

namespace remat {

/// One output of the program, copied to host memory.
struct HostOutput {
    OutputKind kind = OutputKind::Other;
    std::string name; ///< `loss`, or the parameter, input or buffer it belongs to
    at::Tensor tensor;
};

/// Copies what the program gives back. The copies are not counted as dynamic memory.
Expected<std::vector<HostOutput>> takeOutputs(Interpreter &interpreter);

/// Fills loss, gradients, buffers and differences of the record. NaNs of equal bits are equal.
void compareOutputs(const std::vector<HostOutput> &expected, const std::vector<HostOutput> &actual,
                    ValidationRecord &record);

/// A digest per op of the bits it made, as last computed.
using OpDigests = std::map<OpId, std::uint64_t>;

/// Digest of what `op` has just made.
std::uint64_t digestOf(Interpreter &interpreter, OpId op);

} // namespace remat
