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
constexpr double kLongRunUs = 20e6;
/// Runs shorter than this are measured three times, and the median counts.
constexpr double kShortRunUs = 1e6;

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
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

/// Two runs that should have been equal were not: finds the ops that make it so.
class Diagnosis
{
public:
    Diagnosis(Session &session, const Graph &graph, const std::vector<Step> &keepAll, const std::vector<Step> &plan,
              const RunSetting &setting)
        : m_session(session), m_graph(graph), m_keepAll(keepAll), m_plan(plan), m_setting(setting)
    {
    }

    /// A sentence that names the first op with other bits; empty when none shows.
    Expected<std::string> sentence()
    {
        const Graph &graph = m_graph;
        OpDigests first, second;
        OpId culprit;
        if (auto run = digests(m_keepAll, first, nullptr, culprit); !run) return tl::unexpected(run.error());
        if (auto run = digests(m_keepAll, second, &first, culprit); !run) return tl::unexpected(run.error());
        if (culprit)
            return " " + graph.op(culprit).name + " (" + graph.op(culprit).kind +
                   ") gives other bits at each run, even without a plan: this device has no deterministic kernel for "
                   "it.";
        if (auto run = digests(m_plan, second, &first, culprit); !run) return tl::unexpected(run.error());
        if (culprit)
            return " " + graph.op(culprit).name + " (" + graph.op(culprit).kind +
                   ") is the first op that gives other bits in the plan's run.";
        return std::string();
    }

private:
    /// Runs the steps; `culprit` is the first op whose digest is not the one in `expected`.
    Expected<void> digests(const std::vector<Step> &steps, OpDigests &found, const OpDigests *expected, OpId &culprit)
    {
        const auto observe = [&](OpId op) {
            found[op] = digestOf(m_session.interpreter, op);
            if (expected && !culprit && expected->at(op) != found[op]) culprit = op;
        };
        const auto run = replay(m_session.interpreter, *m_session.meter, m_graph, steps, m_setting,
                                {"Looking for the op that differs", 0.9, 1.0}, observe);
        if (!run) return tl::unexpected(run.error());
        return {};
    }

    Session &m_session;
    const Graph &m_graph;
    const std::vector<Step> &m_keepAll;
    const std::vector<Step> &m_plan;
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
        if (auto ready = machine->stopPoisoning(); !ready) return tl::unexpected(ready.error());

    // The first runs warmed caches and libraries up; the next are measured, in turns, so that both meet the same
    // machine.
    std::vector<double> keepAllTimes, planTimes;
    // On a GPU one such run is a must: libraries allocate workspace for good during the first.
    const int fewest = session->device.is_cuda() ? 1 : 0;
    const int measuredRuns = keepAllRun->timeUs > kLongRunUs ? fewest : keepAllRun->timeUs > kShortRunUs ? 1 : 3;
    for (int repeat = 0; repeat < measuredRuns; ++repeat) {
        const double begin = 0.5 + 0.5 * repeat / measuredRuns, half = 0.25 / measuredRuns;
        keepAllRun = run(keepAll.steps, "Measured keep-all run", begin, begin + half);
        if (!keepAllRun) return tl::unexpected(keepAllRun.error());
        planRun = runPlan("Measured run of the plan", begin + half, begin + 2 * half);
        if (!planRun) return tl::unexpected(planRun.error());
        keepAllTimes.push_back(keepAllRun->timeUs);
        planTimes.push_back(planRun->timeUs);
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
    record.measuredTimeUs = planTimes.empty() ? planRun->timeUs : median(planTimes);
    record.measuredKeepAllTimeUs = keepAllTimes.empty() ? keepAllRun->timeUs : median(keepAllTimes);
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
        Expected<std::string> diagnosis = Diagnosis(*session, graph, keepAll.steps, plan.steps, setting).sentence();
        if (!diagnosis) return tl::unexpected(diagnosis.error());
        record.sentence += *diagnosis;
    }
    record.sentence += " " + describePeak(record, peak);
    return record;
}

} // namespace remat
