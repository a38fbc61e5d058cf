// SPDX-License-Identifier: Apache-2.0
// What a run will take, known before it begins. Nothing of LibTorch.
#pragma once

#include "core/graph/model.h"
#include "core/plan/simulator.h"
#include "gpu/runtime.h"

#include <vector>

namespace remat {

/// Bytes, none negative; a sum that would be beyond 2^62 stays there.
struct MemoryNeed {
    std::int64_t inputBytes = 0;   ///< storages of weights and inputs from their first byte, as LibTorch allocates them
    std::int64_t dynamicBytes = 0; ///< the highest peak of the plans that are run, by the simulator
    std::int64_t copyBytes = 0; ///< in host memory: outputs kept for comparison, inputs that are written to, and data
                                ///< of the archive while it is taken over

    std::int64_t total() const;
};

/// Bytes of the storage that a value lies in, from the storage's first byte to the value's last.
std::int64_t storageExtentBytes(const Value &value);

/// `graph` is the model's, or that with planned parameters; `plans` are run one after the other, and their outputs
/// compared when there are several. Opens the archive for the sizes of its data, when the model has some there. Needs
/// a program; fails with a sentence when a plan cannot be simulated or the archive not be opened.
Expected<MemoryNeed> memoryNeed(const Model &model, const Graph &graph, const CostTable &costs,
                                const std::vector<const std::vector<Step> *> &plans);

/// What of `freeBytes` (negative: unknown) on the device is left for dynamic memory, when the rest of the need is
/// there, too; at most `limitBytes` on the simulated device, unless 0. Negative when unknown.
std::int64_t roomBytes(const MemoryNeed &need, RunDevice device, std::int64_t freeBytes, std::int64_t limitBytes);

/// What a run with this need may take at most, beyond what LibTorch itself has when it is loaded: kernels take
/// workspace that nobody predicts, and every thread has a stack. Twice the need and `kMemorySlackBytes`, but no more
/// than `freeBytes` (negative: unknown).
std::int64_t memoryLimit(const MemoryNeed &need, RunDevice device, std::int64_t freeBytes);

constexpr std::int64_t kMemorySlackBytes = std::int64_t(2) << 30;

/// Main memory that is free on this machine, in bytes; -1 when unknown.
std::int64_t freeHostBytes();

} // namespace remat
