#include "core/plan/plan.h"
#include "gpu/torch/devices.h"
#include "gpu/torch/replay.h"
#include "gpu/torch/runs.h"

#include <algorithm>
#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <chrono>

namespace remat {
namespace {

/// Times ops on the device's own clock where it has one: on a GPU with events, so that the queue is never drained.
class OpClock
{
public:
    OpClock(c10::Device device, std::size_t ops) : m_device(device), m_hostUs(device.is_cuda() ? 0 : ops, 0.0)
    {
        if (!device.is_cuda()) return;
        m_events.reserve(2 * ops);
        for (std::size_t index = 0; index < 2 * ops; ++index)
            m_events.emplace_back(device.type(), c10::EventFlag::BACKEND_DEFAULT);
    }
    void begin(OpId op)
    {
        if (m_device.is_cuda())
            m_events[2 * op.index()].record(stream());
        else
            m_begin = Clock::now();
    }
    void end(OpId op)
    {
        if (m_device.is_cuda())
            m_events[2 * op.index() + 1].record(stream());
        else
            m_hostUs[op.index()] = std::chrono::duration<double, std::micro>(Clock::now() - m_begin).count();
    }
    /// Time of an op of the last pass, which must be over on the device.
    double timeUs(OpId op) const
    {
        constexpr double kUsPerMs = 1000;
        if (m_device.is_cuda()) return m_events[2 * op.index()].elapsedTime(m_events[2 * op.index() + 1]) * kUsPerMs;
        return m_hostUs[op.index()];
    }

private:
    using Clock = std::chrono::steady_clock;
    c10::Stream stream() const { return c10::impl::VirtualGuardImpl(m_device.type()).getStream(m_device); }

    c10::Device m_device;
    std::vector<c10::Event> m_events;
    std::vector<double> m_hostUs;
    Clock::time_point m_begin;
};

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
                mismatches.push_back(value.name + " is a view of " + program.value(value.aliasOf).name +
                                     " by the schema of " + node.opName + ", but has memory of its own.");
            continue;
        }
        for (const NamedArgument &argument : node.arguments) {
            const auto *read = std::get_if<ValueId>(&argument.value);
            if (read && *read && memoryOf(interpreter.slot(*read)) == memory)
                mismatches.push_back(value.name + " has memory of its own by the schema of " + node.opName +
                                     ", but shares that of " + program.value(*read).name + ".");
        }
    }
}

/// The value at `share` of the way through the samples when they are sorted; there is one at least.
double quantile(std::vector<double> sorted, double share)
{
    std::sort(sorted.begin(), sorted.end());
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (sorted[high] - sorted[low]) * (at - static_cast<double>(low));
}

double median(const std::vector<double> &samples)
{
    return quantile(samples, 0.5);
}

/// Interquartile range.
double spread(const std::vector<double> &samples)
{
    return quantile(samples, 0.75) - quantile(samples, 0.25);
}

} // namespace

Expected<Profile> runProfile(const Model &model, RunDevice device, int repeats, const RunSetting &setting)
{
    if (repeats < 1)
        return fail("A profile needs at least one repeat; " + std::to_string(repeats) + " were asked for.");
    const std::vector<Step> steps = keepAllPlan(model.graph).steps;
    const DeterministicScope deterministic(setting.threads);
    Expected<Session> session = openSession(model, device, setting);
    if (!session) return tl::unexpected(session.error());
    Interpreter &interpreter = session->interpreter;

    Profile profile;
    profile.fingerprint = model.graph.fingerprint;
    profile.graphName = model.graph.name;
    profile.device = session->device.is_cuda() ? "cuda" : "cpu";
    profile.deviceTitle = deviceTitle(session->device, setting.info);
    profile.torchVersion = setting.info.torchVersion;
    profile.repeats = repeats;
    profile.ops.resize(model.graph.ops.size());

    OpClock clock(session->device, model.graph.ops.size());
    std::vector<std::vector<double>> samples(model.graph.ops.size());
    std::vector<double> stepsUs, betweenUs;
    interpreter.beforeCompute = [&](OpId op) { clock.begin(op); };
    interpreter.afterCompute = [&](OpId op) { clock.end(op); };
    interpreter.afterNode = [&](const Node &node) { confirmAliases(interpreter, node, profile.aliasMismatches); };
    // The first pass warms up and looks at data pointers; the second counts memory, with the kernels of a validation;
    // the others are timed, with the kernels of training where they are others, and nobody asks the allocator.
    const std::unique_ptr<MemoryMeter> noMeter = makeNoMeter();
    for (int pass = 0; pass <= repeats + 1; ++pass) {
        const double passes = repeats + 2;
        const bool timed = pass > 1;
        const TrainingKernelsScope training(timed && session->device.is_cuda());
        const Expected<Replay> run =
            replay(interpreter, timed ? *noMeter : *session->meter, model.graph, steps, setting,
                   {timed ? "Measuring" : "Warm-up", pass / passes, (pass + 1) / passes});
        if (!run) return tl::unexpected(run.error());
        interpreter.afterNode = {};
        if (pass == 0) continue;
        double opsUs = 0;
        for (std::size_t index = 0; index < steps.size(); ++index) {
            if (steps[index].kind != StepKind::Compute) continue;
            const OpId op = steps[index].op;
            if (timed)
                opsUs += samples[op.index()].emplace_back(clock.timeUs(op));
            else
                profile.ops[op.index()].workspaceBytes = run->steps[index].workspaceBytes;
        }
        if (!timed) continue;
        stepsUs.push_back(run->timeUs);
        betweenUs.push_back(std::max(0.0, run->timeUs - opsUs));
    }
    for (std::size_t index = 0; index < samples.size(); ++index) {
        if (samples[index].empty()) continue;
        profile.ops[index].timeUs = median(samples[index]);
        profile.ops[index].spreadUs = spread(samples[index]);
    }
    profile.step = {median(stepsUs), spread(stepsUs), median(betweenUs)};
    return profile;
}

} // namespace remat
