// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"
#include "core/costs/profile_sampler.h"
#include "core/plan/plan.h"
#include "gpu/engine/clock_rates.h"
#include "gpu/engine/link_speed.h"
#include "gpu/engine/make_accelerator.h"
#include "gpu/torch/devices.h"
#include "gpu/torch/op_clock.h"
#include "gpu/torch/replay.h"
#include "gpu/torch/runs.h"

#include <chrono>
#include <fmt/core.h>
#include <utility>

namespace remat {
namespace {

const void *memoryOf(const at::Tensor &tensor)
{
    return tensor.defined() && tensor.has_storage() && tensor.storage().nbytes() > 0 ? tensor.storage().data()
                                                                                     : nullptr;
}

/// Compares what shares memory by the trace with what shares memory in fact, by data pointers.
void confirmAliases(const Interpreter &interpreter, const Node &node, std::vector<std::string> &mismatches)
{
    const Program &program = *interpreter.model().program;
    for (const ValueId output : node.outputs) {
        if (!output) continue;
        const Value &value = program.value(output);
        const void *memory = memoryOf(interpreter.slot(output));
        if (!memory) continue;
        if (value.aliasOf) {
            const void *source = memoryOf(interpreter.slot(value.aliasOf));
            if (source && source != memory)
                mismatches.push_back(fmt::format("{} is a view of {} by the schema of {}, but has memory of its own.",
                                                 value.name, program.value(value.aliasOf).name, node.opName));
            continue;
        }
        for (const NamedArgument &argument : node.arguments) {
            const auto *read = std::get_if<ValueId>(&argument.value);
            if (read && *read && memoryOf(interpreter.slot(*read)) == memory)
                mismatches.push_back(fmt::format("{} has memory of its own by the schema of {}, but shares that of {}.",
                                                 value.name, node.opName, program.value(*read).name));
        }
    }
}

/// Copies on the device's own link; on a CPU, through its memory.
Expected<std::vector<LinkSpeed>> linkOf(RunDevice device)
{
    constexpr std::int64_t kMostBytes = std::int64_t(64) << 20;
    CostTable asFastAsMemory;
    asFastAsMemory.linkBytesPerSecond = 0;
    const RunDevice linked = device == RunDevice::Cuda ? RunDevice::Cuda : RunDevice::Simulated;
    const auto accelerator = makeAccelerator(linked, asFastAsMemory, /*poison=*/false, 0);
    if (!accelerator) return tl::unexpected(accelerator.error());
    return measureLink(**accelerator, kMostBytes);
}

/// The passes of one profile, each a step of keep-all.
class Passes
{
public:
    Passes(const Model &model, Session &session, const RunSetting &setting)
        : m_model(model),
          m_session(session),
          m_setting(setting),
          m_steps(keepAllPlan(model.graph).steps),
          m_clock(session.device, model.graph.ops.size()),
          m_filler(session.device)
    {
    }

    /// Warms up, and looks at data pointers.
    Expected<void> first(Profile &profile)
    {
        Interpreter &interpreter = m_session.interpreter;
        interpreter.afterNode = [&](const Node &node) { confirmAliases(interpreter, node, profile.aliasMismatches); };
        const auto run = pass(*m_session.meter, {"Warm-up", 0, kFirst / 2});
        interpreter.afterNode = {};
        return run.map([](const Replay & /*run*/) {});
    }

    /// Counts memory, with the kernels of a validation.
    Expected<void> countMemory(Profile &profile)
    {
        const auto run = pass(*m_session.meter, {"Warm-up", kFirst / 2, kFirst});
        if (!run) return tl::unexpected(run.error());
        for (std::size_t index = 0; index < m_steps.size(); ++index)
            if (m_steps[index].kind == StepKind::Compute)
                profile.ops[m_steps[index].op.index()].workspaceBytes = run->steps[index].workspaceBytes;
        return {};
    }

    /// Times steps until it is enough, with the kernels of training where they are others, and nobody asks the
    /// allocator. On a GPU each round is two steps: one with its queue filled beforehand, for the times of ops, and one
    /// as training has it, for the time of the whole.
    Expected<void> measure(ProfileSampler &sampler, const std::string &stage)
    {
        Interpreter &interpreter = m_session.interpreter;
        const bool cuda = m_session.device.is_cuda();
        const TrainingKernelsScope training(cuda);
        const std::unique_ptr<MemoryMeter> noMeter = makeNoMeter();
        if (cuda)
            if (const auto warm = pass(*noMeter, {stage, kFirst, kFirst}); !warm) return tl::unexpected(warm.error());
        while (!sampler.enough()) {
            const double at = kFirst + (1 - kFirst) * sampler.progress();
            double stepUs = 0, launchUs = 0;
            if (cuda) {
                const auto begin = std::chrono::steady_clock::now();
                interpreter.afterCompute = [&](OpId /*op*/) {
                    launchUs =
                        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
                };
                const auto whole = pass(*noMeter, {stage, at, at});
                if (!whole) return tl::unexpected(whole.error());
                stepUs = whole->timeUs;
            }
            bool begun = false;
            interpreter.beforeCompute = [&](OpId op) {
                // As long as the last step took to launch, and a quarter, since events are launched as well.
                if (!std::exchange(begun, true)) m_filler.fill(launchUs * 5 / 4);
                m_clock.begin(op);
            };
            interpreter.afterCompute = [&](OpId op) { m_clock.end(op); };
            const auto timed = pass(*noMeter, {stage, at, at});
            interpreter.beforeCompute = interpreter.afterCompute = {};
            if (!timed) return tl::unexpected(timed.error());
            sampler.addStep(m_clock.timesUs(), cuda ? stepUs : timed->timeUs);
            m_clocks = together(m_clocks, clocksOf(m_session.device, m_setting.info));
        }
        return {};
    }

    /// Seen while steps were timed.
    const Clocks &clocks() const { return m_clocks; }

private:
    static constexpr double kFirst = 0.2; ///< share of progress

    Expected<Replay> pass(MemoryMeter &meter, const ProgressSpan &span)
    {
        return replay(m_session.interpreter, meter, m_model.graph, m_steps, m_setting, span);
    }

    const Model &m_model;
    Session &m_session;
    const RunSetting &m_setting;
    const std::vector<Step> m_steps;
    OpClock m_clock;
    QueueFiller m_filler;
    Clocks m_clocks;
};

} // namespace

Expected<Profile> runProfile(const Model &model, RunDevice device, const SamplingLimits &limits,
                             const RunSetting &setting)
{
    if (limits.mostSteps < 1) return fail("A profile needs at least one repeat; {} were asked for.", limits.mostSteps);
    const DeterministicScope deterministic(setting.threads);
    Expected<Session> session = openSession(model, device, setting);
    if (!session) return tl::unexpected(session.error());

    Profile profile;
    profile.fingerprint = model.graph.fingerprint;
    profile.graphName = model.graph.name;
    profile.device = session->device.is_cuda() ? "cuda" : "cpu";
    profile.deviceTitle = deviceTitle(session->device, setting.info);
    profile.torchVersion = setting.info.torchVersion;
    profile.ops.resize(model.graph.ops.size());

    EqualOps equal = equalOps(model);
    const std::string stage =
        fmt::format("Measuring {} ops, {} distinct", formatCount(static_cast<std::int64_t>(model.graph.ops.size())),
                    formatCount(equal.classes));
    ProfileSampler sampler(std::move(equal), limits);
    Passes passes(model, *session, setting);
    if (auto done = passes.first(profile); !done) return tl::unexpected(done.error());
    if (auto done = passes.countMemory(profile); !done) return tl::unexpected(done.error());
    if (auto done = passes.measure(sampler, stage); !done) return tl::unexpected(done.error());
    sampler.finish(profile);
    profile.clocks = passes.clocks();
    session->interpreter.reset();
    // A profile without its link is still one; then the device file's counts.
    if (auto link = linkOf(device)) profile.link = std::move(*link);
    return profile;
}

} // namespace remat
