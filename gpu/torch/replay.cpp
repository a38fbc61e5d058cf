// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/replay.h"

#include "gpu/engine/step_sums.h"
#include "gpu/torch/failure.h"

#include <algorithm>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>
#include <chrono>
#include <new>

namespace remat {
namespace {

/// Keeps the account of what rounding adds to the storages that are held, for allocators that count requests as they
/// stand.
class Slack
{
public:
    Slack(const Interpreter &interpreter, const MemoryMeter &meter)
        : m_interpreter(interpreter), m_slack(meter.rounds() ? 0 : interpreter.model().graph.storages.size(), 0)
    {
    }
    std::int64_t bytes() const { return m_total; }
    /// Takes note of a storage that was made, freed or fetched.
    void update(StorageId storage)
    {
        if (m_slack.empty()) return;
        const std::int64_t held = m_interpreter.heldBytes(storage);
        std::int64_t &slack = m_slack[storage.index()];
        m_total -= slack;
        slack = roundedTo512(held) - held;
        m_total += slack;
    }

private:
    const Interpreter &m_interpreter;
    std::vector<std::int64_t> m_slack;
    std::int64_t m_total = 0;
};

/// What the planned parameters on the device weigh, as the meter counts them.
std::int64_t heldParameterBytes(const Interpreter &interpreter, const MemoryMeter &meter)
{
    std::int64_t sum = 0;
    for (const StorageId parameter : interpreter.plannedParameters()) {
        const std::int64_t held = interpreter.heldBytes(parameter);
        sum += meter.rounds() ? roundedTo512(held) : held;
    }
    return sum;
}

} // namespace

Expected<void> moveStep(Interpreter &interpreter, const Graph &graph, const Step &step)
{
    try {
        if (step.kind == StepKind::Free) interpreter.free(step.storage);
        if (step.kind == StepKind::Offload) interpreter.offload(step.storage);
        if (step.kind == StepKind::Prefetch) interpreter.prefetch(step.storage);
    } catch (const std::exception &error) {
        const std::string where = stepTitle(graph, step);
        if (dynamic_cast<const c10::OutOfMemoryError *>(&error) || dynamic_cast<const std::bad_alloc *>(&error))
            return fail("Memory ran out at {}{}. Choose a smaller budget or a smaller batch.", where,
                        step.kind == StepKind::Offload ? " in host memory" : "");
        return fail("LibTorch refused to {}: {}", where, firstLine(error));
    }
    return {};
}

void freeWhatBeginsOnHost(Interpreter &interpreter, const Graph &graph, const std::vector<Step> &steps)
{
    const std::vector<char> onHost = beginsOnHost(graph, steps);
    for (const StorageId parameter : interpreter.plannedParameters())
        if (onHost[parameter.index()] != 0) interpreter.free(parameter);
}

void synchronize(c10::Device device)
{
    if (device.is_cuda()) c10::impl::VirtualGuardImpl(device.type()).synchronizeDevice(0);
}

Expected<Replay> replay(Interpreter &interpreter, MemoryMeter &meter, const Graph &graph,
                        const std::vector<Step> &steps, const RunSetting &setting, const ProgressSpan &span,
                        const std::function<void(OpId)> &observer)
{
    using Clock = std::chrono::steady_clock;
    interpreter.reset();
    synchronize(interpreter.device());
    Replay result;
    result.steps.resize(steps.size());
    Slack slack(interpreter, meter);
    const std::int64_t baseline = meter.currentBytes() - heldParameterBytes(interpreter, meter);
    freeWhatBeginsOnHost(interpreter, graph, steps);
    for (const StorageId parameter : interpreter.plannedParameters())
        slack.update(parameter);
    const std::size_t reportEvery = std::max<std::size_t>(1, steps.size() / 100);
    const Clock::time_point start = Clock::now();
    const auto sinceStartUs = [&] { return std::chrono::duration<double, std::micro>(Clock::now() - start).count(); };
    // A GPU computes later than it is told to: what the clock says here is nothing that a step took.
    const bool timed = !interpreter.device().is_cuda();
    for (std::size_t index = 0; index < steps.size(); ++index) {
        if (setting.progress && index % reportEvery == 0)
            setting.progress(span.stage, span.begin + (span.end - span.begin) * static_cast<double>(index) /
                                                          static_cast<double>(steps.size()));
        const Step &step = steps[index];
        StepMeasurement &measured = result.steps[index];
        if (timed) measured.startUs = sinceStartUs();
        if (step.kind == StepKind::Compute) {
            if (auto ready = interpreter.prepareInputs(step.op); !ready) return tl::unexpected(ready.error());
            const std::int64_t before = meter.currentBytes();
            meter.resetPeak();
            Expected<Interpreter::Made> made = interpreter.compute(step.op);
            if (!made) return tl::unexpected(made.error());
            const std::int64_t peak = meter.peakBytes();
            const std::int64_t counted = meter.rounds() ? made->roundedBytes : made->bytes;
            measured.madeBytes = made->roundedBytes;
            measured.workspaceBytes = std::max<std::int64_t>(0, peak - before - counted);
            measured.heldBytes = peak - baseline + slack.bytes() + made->roundedBytes - counted;
            interpreter.dropSecondCopies();
            for (const StorageId storage : made->storages)
                slack.update(storage);
            if (observer) observer(step.op);
        } else {
            if (auto moved = moveStep(interpreter, graph, step); !moved) return tl::unexpected(moved.error());
            slack.update(step.storage);
            measured.heldBytes = meter.currentBytes() - baseline + slack.bytes();
        }
        if (timed) measured.endUs = sinceStartUs();
        result.peakBytes = std::max(result.peakBytes, measured.heldBytes);
    }
    synchronize(interpreter.device());
    result.timeUs = sinceStartUs();
    return result;
}

} // namespace remat
