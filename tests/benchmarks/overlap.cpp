// SPDX-License-Identifier: Apache-2.0
// Whether copies really run beside compute: plans on the simulated accelerator, whose ops take the time that the costs
// say, against their predicted time. Prints one line a plan.
#include "core/plan/simulator.h"
#include "gpu/engine/engine.h"
#include "gpu/engine/simulated_accelerator.h"
#include "solvers/interface/solver.h"
#include "tests/support/graphs.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace remat;

namespace {

constexpr std::int64_t kMiB = 1 << 20;

/// Takes memory and time, and computes nothing.
class TimedRunner final : public StepRunner
{
public:
    TimedRunner(const Graph &graph, const CostTable &costs)
        : m_graph(graph), m_costs(costs), m_held(graph.storages.size())
    {
    }

    Expected<void> compute(OpId op, RunMemory &memory) override
    {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double, std::micro>(m_costs.time(op));
        std::vector<std::byte *> passing;
        for (const StorageId output : m_graph.op(op).outputs) {
            const std::int64_t bytes = m_graph.storage(output).bytes;
            const Expected<std::byte *> at = memory.take(bytes);
            if (!at) return tl::unexpected(at.error());
            if (!m_held[output.index()].empty())
                passing.push_back(*at);
            else
                m_held[output.index()] = {*at, static_cast<std::size_t>(bytes)};
        }
        for (std::byte *at : passing)
            memory.give(at);
        std::this_thread::sleep_until(end);
        return {};
    }
    Expected<void> drop(StorageId storage, RunMemory &memory) override
    {
        if (!m_held[storage.index()].empty()) memory.give(m_held[storage.index()].data());
        m_held[storage.index()] = {};
        return {};
    }
    std::span<std::byte> bytesOf(StorageId storage) override { return m_held[storage.index()]; }
    Expected<void> adopt(StorageId storage, std::span<std::byte> bytes) override
    {
        m_held[storage.index()] = bytes;
        return {};
    }
    std::span<const std::byte> homeOf(StorageId /*storage*/) override { return {}; }

    void dropAll(RunMemory &memory)
    {
        for (std::size_t s = 0; s < m_held.size(); ++s)
            static_cast<void>(drop(StorageId(s), memory));
    }

private:
    const Graph &m_graph;
    const CostTable &m_costs;
    std::vector<std::span<std::byte>> m_held;
};

[[noreturn]] void stop(const std::string &sentence)
{
    std::fprintf(stderr, "%s\n", sentence.c_str());
    std::exit(1);
}

std::vector<Step> planOf(const char *solver, const Graph &graph, const CostTable &costs, std::int64_t budgetBytes)
{
    const Expected<const Planner *> planner = findPlanner(solver);
    if (!planner) stop(planner.error().message);
    const Expected<OptionSet> options = makeOptions((*planner)->info.options, {});
    if (!options) stop(options.error().message);
    SolveRequest request;
    request.options = *options;
    request.graph = &graph;
    request.costs = &costs;
    request.budgetBytes = budgetBytes;
    SolveContext context;
    context.deadline = Deadline(5);
    const auto outcome = solve(**planner, request, context);
    if (!outcome) stop(outcome.error().message);
    if (!outcome->plan) stop(outcome->message);
    return outcome->plan->steps;
}

void measure(const char *title, const Graph &graph, const CostTable &costs, const std::vector<Step> &steps)
{
    const Expected<Simulation> predicted = simulate(graph, costs, steps);
    if (!predicted) stop(predicted.error().message);
    SimulatedSettings settings;
    settings.linkBytesPerSecond = costs.linkBytesPerSecond;
    settings.linkLatencyUs = costs.linkLatencyUs;
    settings.closed = ClosedMemory::AsItIs;
    SimulatedAccelerator device(settings);
    auto memory = FirstFitMemory::make(device, 4 * predicted->peakBytes, 512);
    if (!memory) stop(memory.error().message);
    TimedRunner runner(graph, costs);
    const StreamProgram program = streamProgram(graph, steps);
    std::vector<double> times;
    for (int repeat = 0; repeat < 3; ++repeat) {
        const Expected<Replay> run = runSteps(graph, steps, program, device, **memory, runner);
        if (!run) stop(run.error().message);
        runner.dropAll(**memory);
        times.push_back(run->timeUs);
    }
    std::sort(times.begin(), times.end());
    double alone = 0, copies = 0;
    for (const Step &step : steps) {
        if (step.kind == StepKind::Compute)
            alone += costs.time(step.op);
        else if (step.kind != StepKind::Free)
            copies += costs.linkLatencyUs +
                      static_cast<double>(graph.storage(step.storage).bytes) / costs.linkBytesPerSecond * 1e6;
    }
    std::printf("%-34s  compute %7.1f ms  copies %7.1f ms  predicted %7.1f ms  measured %7.1f ms  ratio %.3f\n", title,
                alone / 1e3, copies / 1e3, predicted->timeUs / 1e3, times[1] / 1e3, times[1] / predicted->timeUs);
}

} // namespace

int main()
{
    const Graph graph = test::chainGraph(16, {.activationBytes = 8 * kMiB,
                                              .gradientBytes = kMiB,
                                              .parameterBytes = 0,
                                              .forwardUs = 8'000,
                                              .backwardUs = 16'000});
    CostTable costs = test::graphCosts(graph);
    costs.linkBytesPerSecond = 2e9;
    costs.linkLatencyUs = 20;
    const Expected<Simulation> keepAll = simulate(graph, costs, keepAllPlan(graph).steps);
    if (!keepAll) stop(keepAll.error().message);
    const std::int64_t budget = keepAll->peakBytes / 2;
    measure("keep-all", graph, costs, keepAllPlan(graph).steps);
    measure("half of it, recomputing (rotor)", graph, costs, planOf("rotor", graph, costs, budget));
    const std::vector<Step> offloading = planOf("pofo", graph, costs, budget);
    measure("half of it, offloading (pofo)", graph, costs, offloading);
    costs.linkBytesPerSecond /= 10;
    measure("the same, a tenth of the link", graph, costs, offloading);
    return 0;
}
