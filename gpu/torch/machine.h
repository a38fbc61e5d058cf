// A plan made ready for the engine: its streams, its addresses, a device to run on.
#pragma once

#include "gpu/engine/simulated_accelerator.h"
#include "gpu/torch/memory_meter.h"
#include "gpu/torch/replay.h"
#include "gpu/torch/step_runner.h"

#include <memory>

namespace remat {

/// One plan on one simulated accelerator, run as often as wanted in the same memory.
class Machine
{
public:
    /// Computes every op once, in `keepAll`'s order, to see what each allocates; lays the plan out; proves that it has
    /// no races. `graph`, `costs` and `steps` must outlive the machine, and so must the session.
    static Expected<std::unique_ptr<Machine>> make(Session &session, const Graph &graph, const CostTable &costs,
                                                   const std::vector<Step> &keepAll, const std::vector<Step> &steps,
                                                   RunDevice device, const RunSetting &setting);
    ~Machine();
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;

    /// Drops what a former run left and runs the plan. The outputs stay in the interpreter, in this machine's memory.
    /// `sums`, where given, gets the checksums of every step.
    Expected<Replay> run(const RunSetting &setting, const ProgressSpan &span, std::vector<StepSums> *sums = nullptr);
    /// Whether freed memory is filled from now on; without, times are those of the plan. Poisoned to begin with.
    Expected<void> poison(bool on);

    const MemoryLayout &layout() const { return m_layout; }
    /// Workspace as it was seen, where the cost table knows of none: what the layout has room for.
    const CostTable &costs() const { return m_costs; }
    std::int64_t strayBytes() const { return m_runner.strayBytes(); }

private:
    Machine(Session &session, const Graph &graph, CostTable costs, const std::vector<Step> &steps, RunDevice device,
            const RunSetting &setting, OpAllocations allocations);
    Expected<void> takeMemory(ClosedMemory closed);
    void letGo();

    Session &m_session;
    const Graph &m_graph;
    CostTable m_costs;
    const std::vector<Step> &m_steps;
    RunDevice m_device;
    MemoryMode m_mode;
    OpAllocations m_allocations;
    std::vector<MemoryInstance> m_instances;
    MemoryLayout m_layout;
    StreamProgram m_program;
    TorchStepRunner m_runner;
    std::unique_ptr<SimulatedAccelerator> m_accelerator;
    std::unique_ptr<RunMemory> m_memory;
    std::unique_ptr<PlacedMemory> m_placed;
};

} // namespace remat
