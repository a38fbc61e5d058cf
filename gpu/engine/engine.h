// SPDX-License-Identifier: Apache-2.0
// Runs the steps of a plan on an accelerator: the one engine for every device. What an op computes is the runner's.
#pragma once

#include "core/base/stop_token.h"
#include "gpu/engine/replay.h"
#include "gpu/engine/run_memory.h"
#include "gpu/engine/step_sums.h"

#include <span>

namespace remat {

/// Computes ops and keeps their storages. All functions but `computeOnHost` and `bringHome` are called by work on the
/// compute stream, one at a time.
class StepRunner
{
public:
    StepRunner() = default;
    StepRunner(const StepRunner &) = delete;
    StepRunner &operator=(const StepRunner &) = delete;
    virtual ~StepRunner() = default;

    /// Computes the op with memory from `memory`, which serves this op already. What it makes for storages that are
    /// still there is given back at once.
    virtual Expected<void> compute(OpId op, RunMemory &memory) = 0;
    /// Lets a storage go, and gives its memory back.
    virtual Expected<void> drop(StorageId storage, RunMemory &memory) = 0;
    /// The bytes of a storage that is there.
    virtual std::span<std::byte> bytesOf(StorageId storage) = 0;
    /// From now on the storage lies there; its bytes are brought by a copy that readers wait for.
    virtual Expected<void> adopt(StorageId storage, std::span<std::byte> bytes) = 0;
    /// Whether the storage is one that the device never holds, such as a generator's state, which kernels read on the
    /// host; also while it is offloaded.
    virtual bool onHost(StorageId /*storage*/) const { return false; }
    /// Offload or prefetch of such a storage, at once; the engine copies nothing then.
    virtual Expected<void> moveOnHost(const Step & /*step*/) { return {}; }
    /// The host copy that a planned parameter has before the first step.
    virtual std::span<const std::byte> homeOf(StorageId storage) = 0;
    /// After the last step, with no work running: a whole copy of a parameter that the plan has updated.
    virtual void bringHome(StorageId /*storage*/, std::span<const std::byte> /*bytes*/) {}
    /// Computes an op on the host, which reads and writes the copies there, one for each of its inputs; empty for those
    /// that are never copied. Called by work on the host's stream, beside all others.
    virtual Expected<void> computeOnHost(OpId op, const std::vector<std::span<std::byte>> & /*copies*/)
    {
        return fail("Op {} is to run on the host, where nothing computes.", op.value);
    }
};

/// What a run is asked for besides its steps.
struct EngineSetting {
    const StopToken *stop = nullptr;
    std::function<void(std::size_t step)> progress; ///< as steps end on the compute stream, there
    /// Gets the checksums of what each op reads and makes, per step; null: none are made. They take their time.
    std::vector<StepSums> *sums = nullptr;
};

/// Puts every step on its stream, with the waits of `program`, and waits for the end. Bytes are counted per step where
/// they are taken, times are those of the accelerator's events. The outputs stay with the runner. Fails with the first
/// thing that went wrong, or with "Stopped."; then nothing runs any more, and what the runner holds is whole.
Expected<Replay> runSteps(const Graph &graph, const std::vector<Step> &steps, const StreamProgram &program,
                          Accelerator &accelerator, RunMemory &memory, StepRunner &runner,
                          const EngineSetting &setting = {});

} // namespace remat
