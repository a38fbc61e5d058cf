#include "core/base/units.h"
#include "gpu/torch/devices.h"
#include "gpu/torch/inputs.h"
#include "gpu/torch/runs.h"

namespace remat {

Expected<Session> openSession(const Model &model, RunDevice device, const RuntimeInfo &info, std::int64_t dynamicBytes,
                              const RunContext &context)
{
    if (!model.program)
        return fail(model.graph.name + " is a graph without operators to run. Only traces (.pt2) can be run; make one "
                                       "with `python -m remat_studio.trace`.");
    const Expected<c10::Device> chosen = chooseDevice(device, info);
    if (!chosen) return tl::unexpected(chosen.error());

    // The CPU's allocator is put in place first, so that everything that follows is counted by it.
    std::unique_ptr<MemoryMeter> cpuMeter = makeCpuMeter();
    std::int64_t residentBytes = 0;
    for (const ProgramInput &input : model.program->inputs)
        residentBytes += extentBytes(model.program->value(input.value));
    const std::int64_t free = freeMemoryBytes(*chosen);
    if (free >= 0 && residentBytes + dynamicBytes > free)
        return fail("Running " + model.graph.name + " takes " +
                    formatBytes(residentBytes + dynamicBytes, Rounding::Up) + " (" + formatBytes(residentBytes) +
                    " of weights and inputs, " + formatBytes(dynamicBytes) + " at the peak of keep-all or plan), and " +
                    formatBytes(free, Rounding::Down) + " are free on " + chosen->str() +
                    ". Trace the model with a smaller batch, or run it on a larger machine.");

    Expected<Interpreter> interpreter = Interpreter::create(model, *chosen, context.seed);
    if (!interpreter) return tl::unexpected(interpreter.error());
    if (context.progress) context.progress("Loading the inputs", 0);
    if (auto loaded = loadInputs(*interpreter, context.seed, context.stop); !loaded)
        return tl::unexpected(loaded.error());
    return Session{*chosen, chosen->is_cuda() ? makeCudaMeter() : std::move(cpuMeter), std::move(*interpreter)};
}

} // namespace remat
