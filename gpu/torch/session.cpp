#include "core/base/units.h"
#include "gpu/torch/devices.h"
#include "gpu/torch/inputs.h"
#include "gpu/torch/runs.h"

namespace remat {

Expected<Session> openSession(const Model &model, RunDevice device, const RunSetting &setting)
{
    const Expected<c10::Device> chosen = chooseDevice(device, setting.info);
    if (!chosen) return tl::unexpected(chosen.error());

    // The CPU's allocator is put in place first, so that everything that follows is counted by it.
    std::unique_ptr<MemoryMeter> cpuMeter = makeCpuMeter();
    const MemoryNeed &need = setting.need;
    // Copies are in host memory, which is the device's own only when that is the CPU.
    const std::int64_t copies = chosen->is_cuda() ? 0 : need.copyBytes;
    const std::int64_t wanted = MemoryNeed{need.inputBytes, need.dynamicBytes, copies}.total();
    const std::int64_t free = freeMemoryBytes(*chosen);
    if (free >= 0 && wanted > free)
        return fail("Running " + model.graph.name + " takes " + formatBytes(wanted, Rounding::Up) + " (" +
                    formatBytes(need.inputBytes) + " of weights and inputs, " + formatBytes(need.dynamicBytes) +
                    " at the peak of keep-all or plan" +
                    (copies > 0 ? ", " + formatBytes(copies) + " of copies to compare and to start again from" : "") +
                    "), and " + formatBytes(free, Rounding::Down) + " are free on " + chosen->str() +
                    ". Trace the model with a smaller batch, or run it on a larger machine.");

    Expected<Interpreter> interpreter = Interpreter::create(model, *chosen, setting.seed);
    if (!interpreter) return tl::unexpected(interpreter.error());
    interpreter->tellTo(setting.page);
    if (setting.progress) setting.progress("Loading the inputs", 0);
    if (auto loaded = loadInputs(*interpreter, setting.seed); !loaded) return tl::unexpected(loaded.error());
    return Session{*chosen, chosen->is_cuda() ? makeCudaMeter() : std::move(cpuMeter), std::move(*interpreter)};
}

} // namespace remat
