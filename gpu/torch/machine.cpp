#include "gpu/torch/machine.h"

#include "core/streams/race_check.h"

#include <algorithm>
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

/// Every op once, watched; frees as the plan that keeps everything has them.
Expected<AllocationRecorder> watchOps(Interpreter &interpreter, const Graph &graph, const std::vector<Step> &keepAll)
{
    interpreter.reset();
    AllocationRecorder recorder(interpreter, graph.ops.size());
    for (const Step &step : keepAll) {
        if (step.kind == StepKind::Free) interpreter.free(step.storage);
        if (step.kind != StepKind::Compute) continue;
        if (auto computed = recorder.compute(step.op); !computed) return tl::unexpected(computed.error());
    }
    interpreter.reset();
    return recorder;
}

/// Ends the OpenMP workers of the thread that calls. libgomp lets workers sleep between loops as soon as there are more
/// of them than processors, those of threads that rest included, and then each loop waits for one to wake: on two cores
/// a step of a small model takes three times as long.
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
                                                 const std::vector<Step> &keepAll, const std::vector<Step> &steps,
                                                 RunDevice device, const RunSetting &setting)
{
    if (setting.progress) setting.progress("Watching what each op allocates", 0.1);
    const Expected<AllocationRecorder> seen = watchOps(session.interpreter, graph, keepAll);
    if (!seen) return tl::unexpected(seen.error());
    CostTable known = costs;
    known.workspaceBytes = seen->workspaceBytes();
    auto machine = std::unique_ptr<Machine>(
        new Machine(session, graph, std::move(known), steps, device, setting, seen->allocations()));
    if (const auto race = findRace(graph, steps, machine->m_program)) return fail(race->sentence);
    if (const auto overlap = findOverlap(graph, steps, machine->m_program, machine->m_instances, machine->m_layout))
        return fail(overlap->sentence);
    if (auto taken = machine->takeMemory(ClosedMemory::Poisoned); !taken) return tl::unexpected(taken.error());
    return machine;
}

Expected<void> Machine::takeMemory(ClosedMemory closed)
{
    letGo();
    SimulatedSettings settings;
    settings.closed = closed;
    if (m_device == RunDevice::Simulated) {
        settings.linkBytesPerSecond = m_costs.linkBytesPerSecond;
        settings.linkLatencyUs = m_costs.linkLatencyUs;
    }
    m_accelerator = std::make_unique<SimulatedAccelerator>(settings);
    if (m_mode == MemoryMode::Arena) {
        auto arena = Arena::make(*m_accelerator, m_graph, m_instances, m_layout, m_allocations, kGrain);
        if (!arena) return tl::unexpected(arena.error());
        m_memory = std::move(*arena);
    } else {
        // Without planned addresses gaps stay between storages: half as much again is room for them.
        const std::int64_t bytes = m_layout.heightBytes + m_layout.heightBytes / 2 / kGrain * kGrain + kGrain;
        auto memory = FirstFitMemory::make(*m_accelerator, bytes, kGrain);
        if (!memory) return tl::unexpected(memory.error());
        m_memory = std::move(*memory);
    }
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
    return takeMemory(on ? ClosedMemory::Poisoned : ClosedMemory::AsItIs);
}

Expected<Replay> Machine::run(const RunSetting &setting, const ProgressSpan &span, std::vector<StepSums> *sums)
{
    for (const StorageId parameter : m_session.interpreter.plannedParameters())
        m_session.interpreter.free(parameter);
    m_session.interpreter.reset();
    const std::vector<char> away = beginsOnHost(m_graph, m_steps);
    for (const StorageId parameter : m_session.interpreter.plannedParameters())
        if (away[parameter.index()] != 0) m_session.interpreter.free(parameter);
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
    if (auto ended = m_accelerator->synchronize(); !ended) return tl::unexpected(ended.error());
    return run;
}

} // namespace remat
