// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/machine.h"

#include "core/streams/race_check.h"
#include "gpu/engine/make_accelerator.h"
#include "gpu/torch/devices.h"

#include <algorithm>
#include <c10/core/CachingDeviceAllocator.h>
#include <dlfcn.h>

namespace remat {
namespace {

constexpr std::int64_t kGrain = 512;
constexpr double kLayoutSeconds = 3;

/// Low addresses; for large plans, as low as a few seconds find.
MemoryLayout layOutInTime(const std::vector<MemoryInstance> &instances)
{
    const Deadline deadline(kLayoutSeconds);
    LayoutEffort effort;
    effort.stop = [&] { return deadline.passed(); };
    return layOutWell(instances, effort).layout;
}

/// Every op at its first computation, watched: then nothing that it makes is there yet.
Expected<AllocationRecorder> watchOps(Interpreter &interpreter, const Graph &graph, const std::vector<Step> &steps)
{
    interpreter.reset();
    freeWhatBeginsOnHost(interpreter, graph, steps);
    AllocationRecorder recorder(interpreter, graph.ops.size());
    for (const Step &step : steps) {
        auto done = step.kind == StepKind::Compute ? recorder.compute(step.op) : moveStep(interpreter, graph, step);
        if (!done) return tl::unexpected(done.error());
    }
    interpreter.reset();
    return recorder;
}

/// Ends the OpenMP workers of the thread that calls. libgomp lets workers sleep between loops as soon as there are
/// more of them than processors, those of threads that rest included, and then each loop waits for one to wake: on two
/// cores a step of a small model takes three times as long.
Expected<void> endWorkers()
{
    using Pause = int (*)(int kind);
    static const auto kPause = reinterpret_cast<Pause>(dlsym(RTLD_DEFAULT, "omp_pause_resource_all"));
    constexpr int kSoft = 1;
    if (kPause) kPause(kSoft);
    return {};
}

} // namespace

Machine::Machine(Session &session, const Graph &graph, CostTable costs, const std::vector<Step> &steps,
                 RunDevice device, const RunSetting &setting, OpAllocations allocations)
    : m_session(session),
      m_graph(graph),
      m_costs(std::move(costs)),
      m_steps(steps),
      m_device(device),
      m_mode(setting.memory),
      m_simulatedBytes(setting.simulated.memoryBytes),
      m_othersBytes(setting.need.dynamicBytes),
      m_allocations(std::move(allocations)),
      m_instances(memoryInstances(graph, m_costs, steps)),
      m_layout(layOutInTime(m_instances)),
      m_program(streamProgram(graph, steps)),
      m_runner(session.interpreter)
{
}

Machine::~Machine()
{
    letGo();
}

Expected<std::unique_ptr<Machine>> Machine::make(Session &session, const Graph &graph, const CostTable &costs,
                                                 const std::vector<Step> &watched, const std::vector<Step> &steps,
                                                 RunDevice device, const RunSetting &setting)
{
    if (device == RunDevice::Cuda)
        if (auto placed = placeCudaAllocations(); !placed) return tl::unexpected(placed.error());
    if (setting.progress) setting.progress("Watching what each op allocates", 0.1);
    const Expected<AllocationRecorder> seen = watchOps(session.interpreter, graph, watched);
    if (!seen) return tl::unexpected(seen.error());
    CostTable known = costs;
    known.workspaceBytes = seen->workspaceBytes();
    auto machine = std::unique_ptr<Machine>(
        new Machine(session, graph, std::move(known), steps, device, setting, seen->allocations()));
    if (const auto race = findRace(graph, steps, machine->m_program)) return fail(race->sentence);
    if (const auto overlap = findOverlap(graph, steps, machine->m_program, machine->m_instances, machine->m_layout))
        return fail(overlap->sentence);
    if (auto taken = machine->takeMemory(); !taken) return tl::unexpected(taken.error());
    return machine;
}

Expected<void> Machine::takeMemory()
{
    letGo();
    // What LibTorch keeps for later is the device's, too.
    if (m_device == RunDevice::Cuda) c10::getDeviceAllocator(c10::DeviceType::CUDA)->emptyCache();
    auto accelerator = makeAccelerator(m_device, m_costs, m_poisons, m_simulatedBytes);
    if (!accelerator) return tl::unexpected(accelerator.error());
    m_accelerator = std::move(*accelerator);
    if (m_mode == MemoryMode::Arena) {
        auto arena = Arena::make(*m_accelerator, m_graph, m_instances, m_layout, m_allocations, kGrain);
        if (!arena) return tl::unexpected(arena.error());
        m_memory = std::move(*arena);
    } else {
        // Without planned addresses gaps stay between storages: half as much again is room for them.
        std::int64_t bytes = m_layout.heightBytes + m_layout.heightBytes / 2 / kGrain * kGrain + kGrain;
        if (m_device == RunDevice::Cuda) bytes = std::min(bytes, freeMemoryBytes(m_session.device) / kGrain * kGrain);
        if (m_simulatedBytes > 0) bytes = std::min(bytes, m_simulatedBytes / kGrain * kGrain);
        auto memory = FirstFitMemory::make(*m_accelerator, bytes, kGrain);
        if (!memory) return tl::unexpected(memory.error());
        m_memory = std::move(*memory);
    }
    // An eighth more for gaps between LibTorch's blocks.
    m_tight = m_device == RunDevice::Cuda ? freeMemoryBytes(m_session.device) < m_othersBytes + m_othersBytes / 8
                                          : m_simulatedBytes > 0;
    m_placed = std::make_unique<PlacedMemory>(
        m_memory->begin(), m_memory->blockBytes(),
        [memory = m_memory.get()](void *data) { memory->give(static_cast<std::byte *>(data)); });
    return {};
}

/// No tensor may lie in memory that goes.
void Machine::letGo()
{
    if (!m_memory) return;
    for (const StorageId parameter : m_session.interpreter.plannedParameters())
        m_session.interpreter.free(parameter);
    m_session.interpreter.reset();
    m_placed.reset();
    m_memory.reset();
    m_accelerator.reset();
}

Expected<void> Machine::poison(bool on)
{
    m_poisons = on;
    return takeMemory();
}

void Machine::rest()
{
    if (m_tight) letGo();
}

Expected<Replay> Machine::run(const RunSetting &setting, const ProgressSpan &span, std::vector<StepSums> *sums)
{
    if (!m_memory)
        if (auto taken = takeMemory(); !taken) return tl::unexpected(taken.error());
    for (const StorageId parameter : m_session.interpreter.plannedParameters())
        m_session.interpreter.free(parameter);
    m_session.interpreter.reset();
    freeWhatBeginsOnHost(m_session.interpreter, m_graph, m_steps);
    if (m_memory->use().current != 0)
        return fail("A run of the plan left something in its memory. This is a fault of the program.");
    EngineSetting engine;
    engine.sums = sums;
    const std::size_t reportEvery = std::max<std::size_t>(1, m_steps.size() / 100);
    engine.progress = [&](std::size_t step) {
        if (setting.progress && step % reportEvery == 0)
            setting.progress(span.stage, span.begin + (span.end - span.begin) * static_cast<double>(step) /
                                                          static_cast<double>(m_steps.size()));
    };
    static_cast<void>(endWorkers());
    Expected<Replay> run = runSteps(m_graph, m_steps, m_program, *m_accelerator, *m_memory, m_runner, engine);
    m_accelerator->compute(endWorkers);
    m_accelerator->onHost(endWorkers);
    if (auto ended = m_accelerator->synchronize(); !ended) return tl::unexpected(ended.error());
    return run;
}

} // namespace remat
