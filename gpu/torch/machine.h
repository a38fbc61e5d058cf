// SPDX-License-Identifier: Apache-2.0
// A plan made ready for the engine: its streams, its addresses, a device to run on.
#pragma once

#include "gpu/engine/accelerator.h"
#include "gpu/torch/memory_meter.h"
#include "gpu/torch/replay.h"
#include "gpu/torch/step_runner.h"

#include <memory>

namespace remat {

/// One plan on one accelerator, run as often as wanted in the same memory.
class Machine
{
public:
    /// Runs `watched`, which computes every op, to see what each allocates; lays the plan out; proves that it has no
    /// races. `graph`, `costs` and `steps` must outlive the machine, and so must the session.
    static Expected<std::unique_ptr<Machine>> make(Session &session, const Graph &graph, const CostTable &costs,
                                                   const std::vector<Step> &watched, const std::vector<Step> &steps,
                                                   RunDevice device, const RunSetting &setting);
    ~Machine();
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;

    /// Drops what a former run left and runs the plan. The outputs stay in the interpreter, in this machine's memory.
    /// `sums`, where given, gets the checksums of every step.
    Expected<Replay> run(const RunSetting &setting, const ProgressSpan &span, std::vector<StepSums> *sums = nullptr);
    /// Whether freed memory is filled from now on; without, times are those of the plan. Poisoned to begin with.
    Expected<void> poison(bool on);
    /// Whether the device has too little memory for the plan's block and another run beside it.
    bool isTight() const { return m_tight; }
    /// Where it is tight, gives the block back, with what the last run left in it; the next run takes it again.
    /// Elsewhere it stays: memory that is taken again is slow at first.
    void rest();

    const MemoryLayout &layout() const { return m_layout; }
    /// Workspace as it was seen, where the cost table knows of none: what the layout has room for.
    const CostTable &costs() const { return m_costs; }
    std::int64_t strayBytes() const { return m_runner.strayBytes(); }

private:
    Machine(Session &session, const Graph &graph, CostTable costs, const std::vector<Step> &steps, RunDevice device,
            const RunSetting &setting, OpAllocations allocations);
    Expected<void> takeMemory();
    void letGo();

    Session &m_session;
    const Graph &m_graph;
    CostTable m_costs;
    const std::vector<Step> &m_steps;
    RunDevice m_device;
    MemoryMode m_mode;
    std::int64_t m_simulatedBytes;
    std::int64_t m_othersBytes; ///< dynamic memory of the largest run
    bool m_poisons = true, m_tight = false;
    OpAllocations m_allocations;
    std::vector<MemoryInstance> m_instances;
    MemoryLayout m_layout;
    StreamProgram m_program;
    TorchStepRunner m_runner;
    std::unique_ptr<Accelerator> m_accelerator;
    std::unique_ptr<RunMemory> m_memory;
    std::unique_ptr<PlacedMemory> m_placed;
};

} // namespace remat
