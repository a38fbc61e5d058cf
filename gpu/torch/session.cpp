// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"
#include "gpu/torch/devices.h"
#include "gpu/torch/inputs.h"
#include "gpu/torch/runs.h"
#include "gpu/torch/vector_math.h"

#include <ATen/ops/empty.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <fmt/core.h>

namespace remat {
namespace {

/// An allocator without statistics (PYTORCH_ALLOC_CONF=backend:cudaMallocAsync) would let every peak pass.
Expected<void> checkMeter(c10::Device device)
{
    constexpr std::int64_t kProbeBytes = 1 << 20;
    const std::unique_ptr<MemoryMeter> meter = makeCudaMeter();
    const std::int64_t before = meter->currentBytes();
    const at::Tensor probe = at::empty({kProbeBytes}, at::TensorOptions(at::kByte).device(device));
    if (meter->currentBytes() - before >= kProbeBytes) return {};
    return fail("LibTorch's allocator on {} does not count what it gives out, so no peak can be measured. "
                "Unset PYTORCH_ALLOC_CONF and PYTORCH_CUDA_ALLOC_CONF.",
                device.str());
}

} // namespace

Expected<Session> openSession(const Model &model, RunDevice device, const RunSetting &setting)
{
    const Expected<c10::Device> chosen = chooseDevice(device, setting.gpu, setting.info);
    if (!chosen) return tl::unexpected(chosen.error());

    // What a former run left in the allocator's cache does not count as free until it is given back.
    if (chosen->is_cuda()) c10::getDeviceAllocator(c10::DeviceType::CUDA)->emptyCache();

    // The CPU's allocator is put in place first, so that everything that follows is counted by it.
    std::unique_ptr<MemoryMeter> cpuMeter = makeCpuMeter();
    const MemoryNeed &need = setting.need;
    // Copies are in host memory, which is the device's own only when that is the CPU.
    const std::int64_t copies = chosen->is_cuda() ? 0 : need.copyBytes;
    const std::int64_t wanted = MemoryNeed{need.inputBytes, need.dynamicBytes, copies}.total();
    const std::int64_t free = freeMemoryBytes(*chosen);
    if (free >= 0 && wanted > free)
        return fail("Running {} takes {} ({} of weights and inputs, {} at the peak of keep-all or plan{}), and {} "
                    "are free on {}. Trace the model with a smaller batch, or run it on a larger machine.",
                    model.graph.name, formatBytes(wanted, Rounding::Up), formatBytes(need.inputBytes),
                    formatBytes(need.dynamicBytes),
                    copies > 0 ? fmt::format(", {} of copies to compare and to start again from", formatBytes(copies))
                               : "",
                    formatBytes(free, Rounding::Down), chosen->str());

    const std::int64_t freeOnHost = freeHostBytes();
    if (chosen->is_cuda() && freeOnHost >= 0 && need.copyBytes > freeOnHost)
        return fail("Running {} takes {} of host memory for what is offloaded and compared, and {} are "
                    "free. Close other programs, or plan with fewer offloads.",
                    model.graph.name, formatBytes(need.copyBytes, Rounding::Up),
                    formatBytes(freeOnHost, Rounding::Down));

    if (chosen->is_cuda())
        if (auto counts = checkMeter(*chosen); !counts) return tl::unexpected(counts.error());

    settleVectorMath();
    Expected<Interpreter> interpreter = Interpreter::create(model, *chosen, setting.seed);
    if (!interpreter) return tl::unexpected(interpreter.error());
    interpreter->tellTo(setting.page);
    if (setting.progress) setting.progress("Loading the inputs", 0);
    if (auto loaded = loadInputs(*interpreter, setting.seed); !loaded) return tl::unexpected(loaded.error());
    return Session{*chosen, chosen->is_cuda() ? makeCudaMeter() : std::move(cpuMeter), std::move(*interpreter)};
}

} // namespace remat
