// SPDX-License-Identifier: Apache-2.0
// Plans with all that the engine needs to run them, on the simulated accelerator.
#pragma once

#include "gpu/engine/simulated_accelerator.h"
#include "tests/gpu/synthetic_runner.h"
#include "tests/support/graphs.h"
#include "tests/support/random_plans.h"

#include <numeric>

namespace remat::test {

using Outputs = std::vector<std::vector<std::byte>>;

inline constexpr std::array<bool, kAllStreams> kLateCopies = {false, true, true}, kLateCompute = {true},
                                               kLateHost = {false, false, false, true};

/// A plan and all that is made from it.
struct Case {
    Graph graph;
    CostTable costs;
    std::vector<Step> steps;
    StreamProgram program;
    std::vector<MemoryInstance> instances;
    MemoryLayout layout;
    OpAllocations allocations;

    Case(Graph given, std::vector<Step> plan)
        : graph(std::move(given)), costs(graphCosts(graph)), steps(std::move(plan))
    {
        program = streamProgram(graph, steps);
        instances = memoryInstances(graph, costs, steps);
        layout = layOut(instances);
        allocations = syntheticAllocations(graph, costs);
    }
};

struct Outcome {
    Expected<Replay> run = tl::unexpected(Error{"not run"});
    Outputs outputs, updated;
};

/// Runs in an arena, and looks whether everything was given back.
inline Outcome runInArena(const Case &what, SimulatedAccelerator &device, const EngineSetting &setting = {})
{
    Outcome outcome;
    SyntheticRunner runner(what.graph, what.costs);
    auto arena = Arena::make(device, what.graph, what.instances, what.layout, what.allocations, 1);
    if (!arena) {
        outcome.run = tl::unexpected(arena.error());
        return outcome;
    }
    outcome.run = runSteps(what.graph, what.steps, what.program, device, **arena, runner, setting);
    if (outcome.run) outcome.outputs = runner.outputs();
    if (outcome.run) outcome.updated = runner.updated();
    runner.dropAll(**arena);
    if ((*arena)->use().current != 0) qFatal("something is still taken");
    return outcome;
}

/// Room for just the layout, and streams that lag behind each other in another way for each seed.
inline SimulatedSettings adverse(const Case &what, std::uint64_t seed, const std::array<bool, kAllStreams> &late)
{
    SimulatedSettings settings;
    settings.memoryBytes = what.layout.heightBytes;
    settings.seed = seed;
    if (seed % 4 == 0) settings.late = kLateCopies;
    if (seed % 4 == 1) settings.late = late;
    if (seed % 4 == 2) settings.jitterUs = 50;
    return settings;
}

inline Outcome runFirstFit(const Case &what, SimulatedAccelerator &device, std::int64_t bytes)
{
    Outcome outcome;
    SyntheticRunner runner(what.graph, what.costs);
    auto memory = FirstFitMemory::make(device, bytes, 1);
    if (!memory) {
        outcome.run = tl::unexpected(memory.error());
        return outcome;
    }
    outcome.run = runSteps(what.graph, what.steps, what.program, device, **memory, runner);
    if (outcome.run) outcome.outputs = runner.outputs();
    if (outcome.run) outcome.updated = runner.updated();
    runner.dropAll(**memory);
    if ((*memory)->use().current != 0) qFatal("something is still taken");
    return outcome;
}

inline std::int64_t allBytes(const Case &what)
{
    return std::accumulate(what.instances.begin(), what.instances.end(), std::int64_t(1),
                           [](std::int64_t sum, const MemoryInstance &i) { return sum + i.bytes; });
}

inline Graph graphFor(std::uint64_t seed)
{
    Graph graph = randomGraph(seed, {.ops = 3 + static_cast<int>(seed % 17),
                                     .joint = seed % 3 == 0,
                                     .computeOnce = seed % 4 == 0 ? 15 : 0,
                                     .maxBytes = 300});
    if (seed % 2 == 0) return graph;
    for (Storage &storage : graph.storages)
        if (isResident(storage.kind)) storage.kind = StorageKind::Parameter;
    return withPlannedParameters(std::move(graph));
}

/// What keeping everything gives.
inline Outputs expectedOutputs(const Graph &graph)
{
    const Case keepAll(graph, keepAllPlan(graph).steps);
    SimulatedAccelerator device;
    const Outcome outcome = runFirstFit(keepAll, device, allBytes(keepAll));
    if (!outcome.run) qFatal("%s", outcome.run.error().message.c_str());
    return outcome.outputs;
}

/// A chain whose first activation spends the forward pass's end in host memory.
inline Case offloadingChain()
{
    const Graph graph = chainGraph(4, {.activationBytes = 5000, .gradientBytes = 3000, .parameterBytes = 700});
    std::vector<Step> steps;
    const StorageId first = graph.op(OpId(0)).outputs[0];
    const std::vector<Step> keepAll = keepAllPlan(graph).steps;
    std::size_t lastRead = 0;
    for (std::size_t i = 0; i < keepAll.size(); ++i)
        if (keepAll[i].kind == StepKind::Free && keepAll[i].storage == first) lastRead = i - 1;
    while (keepAll[lastRead].kind != StepKind::Compute)
        --lastRead;
    for (std::size_t i = 0; i < keepAll.size(); ++i) {
        if (i == lastRead) steps.push_back(Step::prefetch(first));
        steps.push_back(keepAll[i]);
        if (keepAll[i] == Step::compute(OpId(0))) steps.push_back(Step::offload(first));
        if (keepAll[i] == Step::compute(OpId(2))) steps.push_back(Step::free(first));
    }
    return Case(graph, steps);
}

inline std::size_t position(const Case &what, StepKind kind)
{
    const auto found =
        std::find_if(what.steps.begin(), what.steps.end(), [&](const Step &step) { return step.kind == kind; });
    return static_cast<std::size_t>(found - what.steps.begin());
}

} // namespace remat::test
