#include "core/base/memory_units.h"
#include "core/base/number.h"
#include "core/base/units.h"
#include "core/plan/plan_verdict.h"
#include "gpu/torch/compare.h"
#include "gpu/torch/devices.h"
#include "gpu/torch/machine.h"
#include "gpu/torch/replay.h"
#include "gpu/torch/runs.h"

#include <algorithm>
#include <cmath>

namespace remat {
namespace {

/// Runs longer than this are measured once, without a warm-up of their own.
constexpr double kLongRunUs = 60e6;
/// Runs shorter than this are measured three times, and the median counts.
constexpr double kShortRunUs = 1e6;

/// The run that took neither the most nor the least time.
Replay median(std::vector<Replay> runs)
{
    std::sort(runs.begin(), runs.end(), [](const Replay &a, const Replay &b) { return a.timeUs < b.timeUs; });
    return std::move(runs[runs.size() / 2]);
}

/// How a person calls an output: `Gradient of wte.weight`.
std::string title(const std::string &name, const std::vector<HostOutput> &outputs)
{
    const auto output =
        std::find_if(outputs.begin(), outputs.end(), [&](const HostOutput &item) { return item.name == name; });
    const OutputKind kind = output == outputs.end() ? OutputKind::Other : output->kind;
    switch (kind) {
    case OutputKind::Loss:
        return "The loss";
    case OutputKind::ParameterGradient:
    case OutputKind::InputGradient:
        return "Gradient of " + name;
    case OutputKind::BufferMutation:
        return "New value of " + name;
    case OutputKind::Other:
        break;
    }
    return "Output " + name;
}

std::string describeDifference(const ValidationRecord &record, const std::vector<HostOutput> &outputs)
{
    const TensorDifference &worst = record.differences.front();
    std::string text = title(worst.name, outputs);
    text += std::isinf(worst.largestDifference) ? " is not a number in one of the runs"
                                                : " differs by " + shortNumber(worst.largestDifference, 2) + " at most";
    if (const std::size_t others = record.differences.size() - 1; others > 0)
        text += ", and " + std::to_string(others) + (others == 1 ? " other tensor differs" : " other tensors differ");
    return text + ".";
}

std::string counted(int count, const std::string &one)
{
    return formatCount(count) + " " + one + (count == 1 ? "" : "s");
}

std::string describeEqual(const ValidationRecord &record)
{
    std::string text = record.buffers > 0 ? "Loss, " + counted(record.gradients, "gradient") + " and " +
                                                counted(record.buffers, "new buffer value")
                                          : "Loss and " + counted(record.gradients, "gradient");
    return text + " equal bit for bit.";
}

std::string describePeak(const ValidationRecord &record, const PeakExplanation &peak)
{
    const double share = static_cast<double>(record.measuredPeakBytes - record.predictedPeakBytes) /
                         static_cast<double>(std::max<std::int64_t>(1, record.predictedPeakBytes));
    std::string text = "Measured peak " + formatMemory(record.measuredPeakBytes) + ", ";
    if (peak.withinTolerance) return text + formatShare(std::abs(share)) + " from predicted.";
    text += formatShare(std::abs(share)) + (share > 0 ? " over predicted" : " under predicted");
    return peak.reasons.empty() ? text + "." : text + ": " + peak.reasons.front();
}

std::vector<StorageId> plannedParameters(const Graph &graph)
{
    std::vector<StorageId> parameters;
    for (std::size_t s = 0; s < graph.storages.size(); ++s)
        if (graph.storages[s].plannedParameter) parameters.emplace_back(s);
    return parameters;
}

/// Two runs that should have been equal were not: finds the step that makes it so.
class Diagnosis
{
public:
    Diagnosis(Session &session, const Graph &graph, Machine *machine, const RunSetting &setting)
        : m_session(session), m_graph(graph), m_machine(machine), m_setting(setting)
    {
    }

    /// A sentence that names the first step with other bits; empty when none shows.
    Expected<std::string> sentence(const std::vector<Step> &keepAll, const std::vector<Step> &plan)
    {
        const auto first = stepByStep(keepAll), second = stepByStep(keepAll);
        if (!first) return tl::unexpected(first.error());
        if (!second) return tl::unexpected(second.error());
        if (const auto found = firstDifference(m_graph, *first, *second)) {
            const Op &op = m_graph.op((*second)[found->step].op);
            return " " + op.name + " (" + op.kind +
                   ") gives other bits at each run, even without a plan: this device has no deterministic kernel for "
                   "it.";
        }
        const auto run = m_machine ? onMachine() : stepByStep(plan);
        if (!run) return tl::unexpected(run.error());
        const auto found = firstDifference(m_graph, *first, *run);
        return found ? " " + found->sentence : std::string();
    }

private:
    ProgressSpan span() const { return {"Looking for the step that differs", 0.9, 1.0}; }

    /// As the steps are numbered in the plan: those that do not compute are empty.
    Expected<std::vector<StepSums>> stepByStep(const std::vector<Step> &steps)
    {
        SumsRecorder recorder(m_session.interpreter, m_graph, steps.size());
        const auto run = replay(m_session.interpreter, *m_session.meter, m_graph, steps, m_setting, span(),
                                [&](OpId op) { recorder.computed(op); });
        if (!run) return tl::unexpected(run.error());
        std::vector<StepSums> result(steps.size());
        auto next = recorder.sums().begin();
        for (std::size_t step = 0; step < steps.size(); ++step)
            if (steps[step].kind == StepKind::Compute) result[step] = *next++;
        return result;
    }

    Expected<std::vector<StepSums>> onMachine()
    {
        std::vector<StepSums> result;
        if (auto poisoned = m_machine->poison(true); !poisoned) return tl::unexpected(poisoned.error());
        const auto run = m_machine->run(m_setting, span(), &result);
        if (!run) return tl::unexpected(run.error());
        return result;
    }

    Session &m_session;
    const Graph &m_graph;
    Machine *m_machine;
    const RunSetting &m_setting;
};

} // namespace

Expected<ValidationRecord> runValidation(const Model &model, const CostTable &costs, const Plan &plan, RunDevice device,
                                         const RunSetting &setting)
{
    const Graph graph = plan.parametersPlanned ? withPlannedParameters(model.graph) : model.graph;
    const std::vector<StorageId> parameters = plannedParameters(graph);
    const Plan keepAll = keepAllPlan(graph);
    const Expected<Simulation> simulated = simulate(graph, costs, plan.steps);
    if (!simulated) return tl::unexpected(simulated.error());

    const DeterministicScope deterministic(setting.threads);
    Expected<Session> session = openSession(model, device, setting);
    if (!session) return tl::unexpected(session.error());
    session->interpreter.planParameters(parameters);
    const auto run = [&](const std::vector<Step> &steps, const char *stage, double begin, double end) {
        return replay(session->interpreter, *session->meter, graph, steps, setting, {stage, begin, end});
    };
    // On streams of its own, at addresses of its own; or op by op, with LibTorch's allocator.
    const bool onMachine = device == RunDevice::Simulated || setting.memory == MemoryMode::Arena;
    if (onMachine && session->device.is_cuda())
        return fail("A GPU has no arena yet. Use --memory allocator, or --device simulated.");
    std::unique_ptr<Machine> machine;
    const auto runPlan = [&](const char *stage, double begin, double end) {
        return machine ? machine->run(setting, {stage, begin, end}) : run(plan.steps, stage, begin, end);
    };

    Expected<Replay> keepAllRun = run(keepAll.steps, "Keep-all run", 0.05, 0.25);
    if (!keepAllRun) return tl::unexpected(keepAllRun.error());
    const Expected<std::vector<HostOutput>> expected = takeOutputs(session->interpreter);
    if (!expected) return tl::unexpected(expected.error());
    if (onMachine) {
        auto made = Machine::make(*session, graph, costs, keepAll.steps, plan.steps, device, setting);
        if (!made) return tl::unexpected(made.error());
        machine = std::move(*made);
    }
    Expected<Replay> planRun = runPlan("Run of the plan", 0.25, 0.5);
    if (!planRun) return tl::unexpected(planRun.error());
    const Replay first = *planRun;
    for (int repeat = 1; repeat < setting.repeats; ++repeat) {
        planRun = runPlan("The plan again", 0.25, 0.5);
        if (!planRun) return tl::unexpected(planRun.error());
        if (planRun->peakBytes > first.peakBytes || planRun->heightBytes > first.heightBytes)
            return fail("Run " + std::to_string(repeat + 1) + " of the plan took " + formatMemory(planRun->peakBytes) +
                        ", the first " + formatMemory(first.peakBytes) + ": something stays behind.");
    }
    const Expected<std::vector<HostOutput>> actual = takeOutputs(session->interpreter);
    if (!actual) return tl::unexpected(actual.error());

    if (machine)
        if (auto ready = machine->poison(false); !ready) return tl::unexpected(ready.error());

    // The first runs warmed caches and libraries up; the next are measured, in turns, so that both meet the same
    // machine.
    std::vector<Replay> keepAllRuns, planRuns;
    // On a GPU one such run is a must: libraries allocate workspace for good during the first.
    const int fewest = session->device.is_cuda() ? 1 : 0;
    const int measuredRuns = keepAllRun->timeUs > kLongRunUs ? fewest : keepAllRun->timeUs > kShortRunUs ? 1 : 3;
    for (int repeat = 0; repeat < measuredRuns; ++repeat) {
        const double begin = 0.5 + 0.5 * repeat / measuredRuns, half = 0.25 / measuredRuns;
        keepAllRun = run(keepAll.steps, "Measured keep-all run", begin, begin + half);
        if (!keepAllRun) return tl::unexpected(keepAllRun.error());
        planRun = runPlan("Measured run of the plan", begin + half, begin + 2 * half);
        if (!planRun) return tl::unexpected(planRun.error());
        keepAllRuns.push_back(std::move(*keepAllRun));
        planRuns.push_back(std::move(*planRun));
    }
    if (measuredRuns > 0) {
        keepAllRun = median(std::move(keepAllRuns));
        planRun = median(std::move(planRuns));
    }

    ValidationRecord record;
    record.device = session->device.is_cuda() ? "cuda" : device == RunDevice::Simulated ? "simulated" : "cpu";
    record.deviceTitle = deviceTitle(session->device, setting.info);
    record.predictedTimeUs = simulated->timeUs;
    if (machine) {
        record.memory = setting.memory == MemoryMode::Arena ? "arena" : "allocator";
        record.heightBytes = planRun->heightBytes;
        record.hostBytes = planRun->hostBytes;
        if (setting.memory == MemoryMode::Arena) record.plannedHeightBytes = machine->layout().heightBytes;
    }
    record.torchVersion = setting.info.torchVersion;
    // What had no planned address was taken all the same.
    record.measuredPeakBytes = planRun->peakBytes + (machine ? machine->strayBytes() : 0);
    record.measuredKeepAllPeakBytes = keepAllRun->peakBytes;
    record.predictedPeakBytes = simulated->peakBytes;
    record.measuredTimeUs = planRun->timeUs;
    record.measuredKeepAllTimeUs = keepAllRun->timeUs;
    record.steps = planRun->steps;
    compareOutputs(*expected, *actual, record);
    const PeakExplanation peak = explainPeak(graph, costs, plan.steps, *simulated, *planRun);
    record.peakReasons = peak.reasons;

    const bool equal = resultsEqual(record);
    const bool peakHolds = peak.withinTolerance ||
                           (record.measuredPeakBytes < record.predictedPeakBytes &&
                            !hardlyMeasured(record.measuredPeakBytes, record.predictedPeakBytes)) ||
                           (peak.workspaceExplains && !workspaceKnown(costs.source, record));
    const bool withinBudget = plan.budgetBytes <= 0 || record.measuredPeakBytes <= plan.budgetBytes;
    record.peakHolds = peakHolds;
    record.stepsDigest = stepsDigest(plan.steps);
    record.passed = equal && peakHolds && withinBudget;
    if (equal) {
        record.sentence = describeEqual(record);
    } else {
        record.sentence = record.differences.empty() ? "The two runs do not give back the same tensors."
                                                     : describeDifference(record, *expected);
        Expected<std::string> diagnosis =
            Diagnosis(*session, graph, machine.get(), setting).sentence(keepAll.steps, plan.steps);
        if (!diagnosis) return tl::unexpected(diagnosis.error());
        record.sentence += *diagnosis;
    }
    record.sentence += " " + describePeak(record, peak);
    if (session->device.is_cuda())
        record.sentence += " LibTorch holds " + formatBytes(reservedBytes(), Rounding::Up) +
                           " of the GPU by then, weights and gaps between blocks included.";
    return record;
}

} // namespace remat
