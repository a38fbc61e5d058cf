// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory_units.h"
#include "core/base/number.h"
#include "core/base/units.h"
#include "core/plan/plan_verdict.h"
#include "gpu/reference.h"
#include "gpu/torch/broken_device.h"
#include "gpu/torch/compare.h"
#include "gpu/torch/cpu_comparison.h"
#include "gpu/torch/devices.h"
#include "gpu/torch/diagnosis.h"
#include "gpu/torch/machine.h"
#include "gpu/torch/replay.h"
#include "gpu/torch/runs.h"
#include "gpu/torch/whole_comparison.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace remat {
namespace {

/// Runs longer than this are measured once, without a warm-up of their own.
constexpr double kLongRunUs = 60e6;
/// The others are measured in two rounds, and in a third where the two do not agree or are as short as this.
constexpr double kShortRunUs = 1e6;
constexpr int kMostRounds = 3;
/// Times that are no further apart agree.
constexpr double kAgreement = 0.03;

bool faster(const Replay &a, const Replay &b)
{
    return a.timeUs < b.timeUs;
}

/// The run that took neither the most nor the least time; of two the faster.
Replay median(std::vector<Replay> runs)
{
    std::sort(runs.begin(), runs.end(), faster);
    return std::move(runs[(runs.size() - 1) / 2]);
}

bool agree(const std::vector<Replay> &runs)
{
    const auto [least, most] = std::minmax_element(runs.begin(), runs.end(), faster);
    return most->timeUs <= least->timeUs * (1 + kAgreement);
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
    case OutputKind::UpdatedParameter: // "new wte.weight", "exp_avg of wte.weight"
    case OutputKind::UpdatedState:
        return "After its update, " + name;
    case OutputKind::Other:
        break;
    }
    return "Output " + name;
}

std::string describeDifference(const ValidationRecord &record, const std::vector<HostOutput> &outputs)
{
    const TensorDifference &worst = record.differences.front();
    std::string text = title(worst.name, outputs);
    text += std::isinf(worst.largestDifference)
                ? " is not a number in one of the runs"
                : fmt::format(" differs by {} at most", shortNumber(worst.largestDifference, 2));
    if (const std::size_t others = record.differences.size() - 1; others > 0)
        text += fmt::format(", and {}{}", others, others == 1 ? " other tensor differs" : " other tensors differ");
    return text + ".";
}

std::string counted(int count, const std::string &one, const std::string &many)
{
    return fmt::format("{} {}", formatCount(count), count == 1 ? one : many);
}

std::string counted(int count, const std::string &one)
{
    return counted(count, one, one + "s");
}

/// `a, b and 3 others`.
std::string listed(const std::vector<std::string> &names)
{
    constexpr std::size_t kMost = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    return names.size() > kMost ? fmt::format("{} and {} others", text, names.size() - kMost) : text;
}

std::string describeEqual(const ValidationRecord &record)
{
    std::vector<std::string> parts = {"Loss"};
    if (record.gradients > 0 || record.updated == 0) parts.push_back(counted(record.gradients, "gradient"));
    if (record.buffers > 0) parts.push_back(counted(record.buffers, "new buffer value"));
    if (record.updated > 0)
        parts.push_back(counted(record.updated, "updated parameter and state", "updated parameters and states"));
    std::string text = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i)
        text += (i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text + " equal bit for bit.";
}

std::string describePeak(const ValidationRecord &record, const PeakExplanation &peak)
{
    const double share = static_cast<double>(record.measuredPeakBytes - record.predictedPeakBytes) /
                         static_cast<double>(std::max<std::int64_t>(1, record.predictedPeakBytes));
    std::string text = fmt::format("Measured peak {}, ", formatMemory(record.measuredPeakBytes));
    if (peak.withinTolerance) return fmt::format("{}{} from predicted.", text, formatShare(std::abs(share)));
    text += formatShare(std::abs(share)) + (share > 0 ? " over predicted" : " under predicted");
    return peak.reasons.empty() ? text + "." : fmt::format("{}: {}", text, peak.reasons.front());
}

/// What differs at each run, and is no fault of the plan.
std::string describeRestless(const ValidationRecord &record)
{
    if (record.restlessOps.empty()) return {};
    std::string text =
        fmt::format(" {}{} other bits at each run, even without a plan: this device has no deterministic kernel there.",
                    listed(record.restlessOps), record.restlessOps.size() == 1 ? " gives" : " give");
    if (record.excused.empty()) return text;
    return fmt::format("{} For that alone {}{}{} at most.", text,
                       counted(static_cast<int>(record.excused.size()), "tensor"),
                       record.excused.size() == 1 ? " differs, by " : " differ, by ",
                       shortNumber(record.excused.front().largestDifference, 2));
}

std::string describeCpu(const CpuComparison &cpu)
{
    if (!cpu.done) return cpu.sentence.empty() ? std::string() : " Not compared with the CPU: " + cpu.sentence;
    if (cpu.largestShare <= cpu.tolerance)
        return fmt::format(" The CPU gives the same within {} of the largest value.", shortNumber(cpu.largestShare, 2));
    return fmt::format(" The CPU gives another {}: apart by {} of its largest value, where {} is allowed. One of the "
                       "device's kernels computes something else.",
                       cpu.worst, shortNumber(cpu.largestShare, 2), shortNumber(cpu.tolerance, 2));
}

std::string describeChunks(const ChunkComparison &chunks)
{
    if (!chunks.done)
        return chunks.sentence.empty() ? std::string()
                                       : " Not compared with the step without chunks: " + chunks.sentence;
    if (chunks.different.empty())
        return " The step without chunks gives the same bits." + (chunks.sentence.empty() ? "" : " " + chunks.sentence);
    constexpr std::size_t kNamed = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(kNamed, chunks.different.size()); ++i)
        names += (i == 0 ? "" : ", ") + chunks.different[i].name;
    if (chunks.different.size() > kNamed) names += fmt::format(" and {} more", chunks.different.size() - kNamed);
    const std::string allowed = shortNumber(chunks.allowedUnits, 3);
    return fmt::format(" Against the step without chunks {} of {} tensors are equal bit for bit. The rest ({}) is "
                       "apart by {} units of the last place of the largest entry at most{}{}",
                       chunks.tensors - static_cast<int>(chunks.different.size()), chunks.tensors, names,
                       shortNumber(chunks.largestUnits, 2),
                       chunks.near() ? fmt::format("; sums over chunks explain {}.", allowed)
                                     : fmt::format(", more than the {} that sums over chunks explain.", allowed),
                       chunks.sentence.empty() ? "" : " " + chunks.sentence);
}

std::vector<StorageId> plannedParameters(const Graph &graph)
{
    std::vector<StorageId> parameters;
    for (std::size_t s = 0; s < graph.storages.size(); ++s)
        if (graph.storages[s].plannedParameter) parameters.emplace_back(s);
    return parameters;
}

/// One validation: the runs, in their order, and what is made of them.
class Validation
{
public:
    Validation(const Model &model, const CostTable &costs, const Plan &plan, RunDevice device,
               const RunSetting &setting)
        : m_model(model),
          m_costs(costs),
          m_plan(plan),
          m_device(device),
          m_setting(setting),
          m_graph(plan.parametersPlanned ? withPlannedParameters(model.graph) : model.graph),
          m_keepAll(keepAllPlan(m_graph))
    {
    }

    Expected<ValidationRecord> run()
    {
        for (const auto step : {&Validation::prepare, &Validation::runOnce, &Validation::measure, &Validation::judge,
                                &Validation::lookAtCpu, &Validation::lookAtWhole})
            if (auto done = (this->*step)(); !done) return tl::unexpected(done.error());
        conclude();
        return std::move(m_record);
    }

private:
    /// On streams of its own, at addresses of its own; or op by op, with LibTorch's allocator.
    bool onMachine() const { return m_device != RunDevice::Cpu || m_setting.memory == MemoryMode::Arena; }
    bool keepsAll() const { return m_reference.kind == ReferenceKind::KeepAll; }
    bool looksAtCpu() const { return m_device != RunDevice::Cpu && m_setting.compareWithCpu; }
    /// The last part of the bar is for the CPU's run.
    double barEnd() const { return looksAtCpu() ? 0.85 : 1; }

    Expected<void> prepare()
    {
        const Expected<Simulation> simulated = simulate(m_graph, m_costs, m_plan.steps);
        if (!simulated) return tl::unexpected(simulated.error());
        m_simulated = *simulated;
        const Expected<c10::Device> device = chooseDevice(m_device, m_setting.gpu, m_setting.info);
        if (!device) return tl::unexpected(device.error());
        const std::int64_t room =
            roomBytes(m_setting.need, m_device, freeMemoryBytes(*device), m_setting.simulated.memoryBytes);
        std::int64_t parameterBytes = 0;
        for (const StorageId parameter : plannedParameters(m_graph))
            parameterBytes += m_graph.storage(parameter).bytes;
        const auto reference = chooseReference(m_graph, m_costs, m_keepAll.steps, m_setting.reference, m_plan.steps,
                                               room < 0 ? room : room + parameterBytes);
        if (!reference) return tl::unexpected(reference.error());
        m_reference = *reference;
        m_setting.need.dynamicBytes = std::max(m_simulated.peakBytes, m_reference.peakBytes) - parameterBytes;

        Expected<Session> session = openSession(m_model, m_device, m_setting);
        if (!session) return tl::unexpected(session.error());
        m_session.emplace(std::move(*session));
        m_session->interpreter.planParameters(plannedParameters(m_graph));
        if (m_device != RunDevice::Simulated) return {};
        return breakOps(m_session->interpreter, m_setting.simulated);
    }

    Expected<Replay> runReference(const char *stage, double begin, double end)
    {
        if (m_machine) m_machine->rest();
        return replay(m_session->interpreter, *m_session->meter, m_graph, *m_reference.steps, m_setting,
                      {stage, begin, end});
    }
    Expected<Replay> runPlan(const char *stage, double begin, double end)
    {
        if (m_machine) return m_machine->run(m_setting, {stage, begin, end});
        return replay(m_session->interpreter, *m_session->meter, m_graph, m_plan.steps, m_setting, {stage, begin, end});
    }

    Expected<void> runOnce()
    {
        auto referenceRun = runReference(keepsAll() ? "Keep-all run" : "Run to compare with", 0.05, 0.25);
        if (!referenceRun) return tl::unexpected(referenceRun.error());
        m_referenceRun = std::move(*referenceRun);
        // On a GPU one measured run is a must: libraries allocate workspace for good during the first.
        const int fewest = m_session->device.is_cuda() ? 1 : 0;
        const double firstUs = m_referenceRun.timeUs;
        m_isShort = firstUs <= kShortRunUs;
        m_mostRounds = firstUs > kLongRunUs ? fewest : kMostRounds;
        const double planEnd = m_mostRounds > 0 ? 0.5 : barEnd();
        auto expected = takeOutputs(m_session->interpreter);
        if (!expected) return tl::unexpected(expected.error());
        m_expected = std::move(*expected);
        if (onMachine()) {
            auto made =
                Machine::make(*m_session, m_graph, m_costs, *m_reference.steps, m_plan.steps, m_device, m_setting);
            if (!made) return tl::unexpected(made.error());
            m_machine = std::move(*made);
        }
        Expected<Replay> planRun = runPlan("Run of the plan", 0.25, planEnd);
        if (!planRun) return tl::unexpected(planRun.error());
        const Replay first = *planRun;
        for (int repeat = 1; repeat < m_setting.repeats; ++repeat) {
            planRun = runPlan("The plan again", 0.25, 0.5);
            if (!planRun) return tl::unexpected(planRun.error());
            if (planRun->peakBytes > first.peakBytes || planRun->heightBytes > first.heightBytes)
                return fail("Run {} of the plan took {}, the first {}: something stays behind.", repeat + 1,
                            formatMemory(planRun->peakBytes), formatMemory(first.peakBytes));
        }
        m_planRun = std::move(*planRun);
        auto actual = takeOutputs(m_session->interpreter);
        if (!actual) return tl::unexpected(actual.error());
        m_actual = std::move(*actual);
        return {};
    }

    /// The first runs warmed caches and libraries up; the next are measured, in turns, so that both meet the same
    /// machine, until both agree with themselves.
    Expected<void> measure()
    {
        if (m_machine)
            if (auto ready = m_machine->poison(false); !ready) return tl::unexpected(ready.error());
        const double end = barEnd();
        const int runs = m_mostRounds;
        std::vector<Replay> referenceRuns, planRuns;
        const bool cuda = m_session->device.is_cuda();
        for (int repeat = 0; repeat < runs; ++repeat) {
            const double begin = 0.5 + (end - 0.5) * repeat / runs, half = (end - 0.5) / 2 / runs;
            // The block was taken from what LibTorch kept: its own blocks are made anew, which must not count.
            if (cuda && (repeat == 0 || m_machine->isTight()))
                if (auto warm = runReference("Warm-up", begin, begin); !warm) return tl::unexpected(warm.error());
            auto referenceRun = runReference(keepsAll() ? "Measured keep-all run" : "Measured run to compare with",
                                             begin, begin + half);
            if (!referenceRun) return tl::unexpected(referenceRun.error());
            auto planRun = runPlan("Measured run of the plan", begin + half, begin + 2 * half);
            if (!planRun) return tl::unexpected(planRun.error());
            referenceRuns.push_back(std::move(*referenceRun));
            planRuns.push_back(std::move(*planRun));
            if (!m_isShort && repeat > 0 && agree(referenceRuns) && agree(planRuns)) break;
        }
        if (runs == 0) return {};
        m_referenceRun = median(std::move(referenceRuns));
        m_planRun = median(std::move(planRuns));
        return {};
    }

    /// Bits and peaks.
    Expected<void> judge()
    {
        m_record.device = m_session->device.is_cuda() ? "cuda" : m_device == RunDevice::Simulated ? "simulated" : "cpu";
        m_record.deviceTitle = deviceTitle(m_session->device, m_setting.info);
        m_record.predictedTimeUs = m_simulated.timeUs;
        if (m_machine) {
            m_record.memory = m_setting.memory == MemoryMode::Arena ? "arena" : "allocator";
            m_record.heightBytes = m_planRun.heightBytes;
            m_record.hostBytes = m_planRun.hostBytes;
            if (m_setting.memory == MemoryMode::Arena) m_record.plannedHeightBytes = m_machine->layout().heightBytes;
        }
        m_record.torchVersion = m_setting.info.torchVersion;
        // What had no planned address was taken all the same.
        m_record.measuredPeakBytes = m_planRun.peakBytes + (m_machine ? m_machine->strayBytes() : 0);
        m_record.predictedPeakBytes = m_simulated.peakBytes;
        m_record.measuredTimeUs = m_planRun.timeUs;
        m_record.reference = m_reference.kind;
        m_record.referencePeakBytes = m_reference.peakBytes;
        if (keepsAll()) {
            m_record.measuredKeepAllPeakBytes = m_referenceRun.peakBytes;
            m_record.measuredKeepAllTimeUs = m_referenceRun.timeUs;
        }
        m_record.steps = m_planRun.steps;
        m_record.stepsDigest = stepsDigest(m_plan.steps);
        compareOutputs(m_expected, m_actual, m_record);
        if (!resultsEqual(m_record))
            if (auto found = findOutWhy(); !found) return found;
        const std::vector<char> &warned = m_session->interpreter.warned();
        for (std::size_t node = 0; node < warned.size(); ++node)
            if (warned[node] != 0)
                m_record.warnedOps.push_back(
                    fmt::format("{} ({})", m_model.program->nodes[node].name, m_model.program->nodes[node].opName));
        return {};
    }

    Expected<void> findOutWhy()
    {
        if (m_machine) m_machine->rest();
        Expected<Findings> findings =
            findFault(*m_session, m_graph, m_machine.get(), *m_reference.steps, m_plan.steps, m_setting);
        if (!findings) return tl::unexpected(findings.error());
        for (const OpId op : findings->restless)
            m_record.restlessOps.push_back(fmt::format("{} ({})", m_graph.op(op).name, m_graph.op(op).kind));
        if (!findings->restless.empty())
            excuse(m_expected, m_actual, reachedFrom(m_graph, findings->restless), outputTolerance(*m_model.program),
                   m_record);
        m_fault = std::move(findings->sentence);
        return {};
    }

    /// The plan once more, with dropout off, against the CPU.
    Expected<void> lookAtCpu()
    {
        if (!looksAtCpu()) return {};
        std::vector<HostOutput> outputs;
        {
            const ExactScope exact(m_session->interpreter);
            const Expected<Replay> ran = runPlan("The plan without dropout", 0.85, 0.92);
            if (!ran) return tl::unexpected(ran.error());
            auto taken = takeOutputs(m_session->interpreter);
            if (!taken) return tl::unexpected(taken.error());
            outputs = std::move(*taken);
        }
        m_machine->rest();
        m_record.cpu = compareWithCpu(m_model, m_graph, m_costs, m_keepAll.steps, m_plan.steps, outputs, m_setting);
        return {};
    }

    /// The plan once more, with dropout off, against the step without chunks.
    Expected<void> lookAtWhole()
    {
        if (!m_setting.whole) return {};
        std::vector<HostOutput> outputs;
        {
            const ExactScope exact(m_session->interpreter);
            const Expected<Replay> ran = runPlan("The plan without dropout", 0.9, 0.95);
            if (!ran) return tl::unexpected(ran.error());
            auto taken = takeOutputs(m_session->interpreter);
            if (!taken) return tl::unexpected(taken.error());
            outputs = std::move(*taken);
        }
        if (m_machine) m_machine->rest();
        m_record.chunks = compareWithWhole(m_device, outputs, m_setting);
        return {};
    }

    void conclude()
    {
        const PeakExplanation peak = explainPeak(m_graph, m_costs, m_plan.steps, m_simulated, m_planRun);
        m_record.peakReasons = peak.reasons;
        m_record.peakHolds = peak.withinTolerance ||
                             (m_record.measuredPeakBytes < m_record.predictedPeakBytes &&
                              !hardlyMeasured(m_record.measuredPeakBytes, m_record.predictedPeakBytes)) ||
                             (peak.workspaceExplains && !workspaceKnown(m_costs.source, m_record));
        const bool equal = resultsEqual(m_record);
        const bool withinBudget = m_plan.budgetBytes <= 0 || m_record.measuredPeakBytes <= m_plan.budgetBytes;
        m_record.passed = equal && m_record.peakHolds && withinBudget;
        std::string &text = m_record.sentence;
        if (!m_record.differences.empty())
            text = describeDifference(m_record, m_expected) + m_fault;
        else if (m_expected.size() != m_actual.size())
            text = "The two runs do not give back the same tensors.";
        else if (m_record.excused.empty())
            text = describeEqual(m_record);
        else
            text = "What can be equal bit for bit is.";
        text += describeRestless(m_record) + describeCpu(m_record.cpu) + describeChunks(m_record.chunks);
        text += " " + describePeak(m_record, peak);
        if (!keepsAll()) {
            const auto all = simulate(m_graph, m_costs, m_keepAll.steps);
            text += " " + referenceSentence(m_reference, all ? all->peakBytes : 0);
        }
        if (m_session->device.is_cuda())
            text += fmt::format(" LibTorch holds {} of the GPU by then, weights and gaps between blocks included.",
                                formatBytes(reservedBytes(), Rounding::Up));
    }

    const Model &m_model;
    const CostTable &m_costs;
    const Plan &m_plan;
    const RunDevice m_device;
    RunSetting m_setting;
    const Graph m_graph;
    const Plan m_keepAll;
    Simulation m_simulated;
    Reference m_reference;
    std::optional<Session> m_session;
    std::unique_ptr<Machine> m_machine; ///< goes before the session
    std::vector<HostOutput> m_expected, m_actual;
    Replay m_referenceRun, m_planRun; ///< the last ones, or those that count
    bool m_isShort = false;
    int m_mostRounds = 0; ///< most rounds of measuring
    ValidationRecord m_record;
    std::string m_fault;
};

} // namespace

Expected<ValidationRecord> runValidation(const Model &model, const CostTable &costs, const Plan &plan, RunDevice device,
                                         const RunSetting &setting)
{
    const DeterministicScope deterministic(setting.threads);
    return Validation(model, costs, plan, device, setting).run();
}

} // namespace remat
