// SPDX-License-Identifier: Apache-2.0
// What this machine can run on.
#pragma once

#include "gpu/runtime.h"

#include <c10/core/Device.h>
#include <c10/util/Exception.h>
#include <optional>

namespace remat {

/// What is there without a look at any GPU.
RuntimeInfo cpuInfo();

/// Asks the driver (not LibTorch) for the first GPU and, only when there is one, loads LibTorch's CUDA libraries. Must
/// come before any other use of LibTorch: it looks for CUDA once and remembers.
RuntimeInfo probeDevices();

/// The device to run on; fails with a sentence when it is not there. `gpu` is the number that a GPU was asked for by:
/// in this process it is the only one.
Expected<c10::Device> chooseDevice(RunDevice device, int gpu, const RuntimeInfo &info);

/// What sets its pace now.
Clocks clocksOf(c10::Device device, const RuntimeInfo &info);

/// `Intel(R) Xeon(R) … (2 threads)` or the GPU's name.
std::string deviceTitle(c10::Device device, const RuntimeInfo &info);

/// Memory that is free on the device, in bytes; -1 when unknown.
std::int64_t freeMemoryBytes(c10::Device device);

/// While it lives, LibTorch's kernels give the same bits at each run, where they can, and LibTorch prints no warnings
/// about those that cannot: the comparison of runs finds them. Sets the number of CPU threads, too, when it is not 0.
class DeterministicScope
{
public:
    explicit DeterministicScope(int threads);
    ~DeterministicScope();
    DeterministicScope(const DeterministicScope &) = delete;
    DeterministicScope &operator=(const DeterministicScope &) = delete;

private:
    class Quiet final : public c10::WarningHandler
    {
    public:
        void process(const c10::Warning & /*warning*/) override {}
    };

    Quiet m_quiet;
    c10::WarningUtils::WarningHandlerGuard m_warnings{&m_quiet};
    int m_threads;
    bool m_algorithms, m_warnOnly, m_cudnn, m_fill;
};

/// Within a DeterministicScope: while it lives, LibTorch takes the kernels that training takes.
class TrainingKernelsScope
{
public:
    explicit TrainingKernelsScope(bool on);
    ~TrainingKernelsScope();
    TrainingKernelsScope(const TrainingKernelsScope &) = delete;
    TrainingKernelsScope &operator=(const TrainingKernelsScope &) = delete;

private:
    bool m_on;
};

} // namespace remat
