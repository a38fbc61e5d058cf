// SPDX-License-Identifier: Apache-2.0
// The two jobs of the module, and what they share.
#pragma once

#include "gpu/run_messages.h"
#include "gpu/torch/interpreter.h"
#include "gpu/torch/memory_meter.h"

namespace remat {

/// What a job is given besides model and plan.
struct RunSetting {
    RuntimeInfo info;
    MemoryNeed need;
    std::uint64_t seed = 0; ///< seed for made-up inputs and for generators
    int gpu = 0;            ///< its number outside of this process, where it is the first
    int threads = 0;        ///< threads of LibTorch's CPU kernels; 0 leaves them as they are
    MemoryMode memory = MemoryMode::Allocator;
    int repeats = 1;
    bool compareWithCpu = true;
    SimulatedDevice simulated;
    std::vector<Step> reference; ///< another plan to compare with, where keep-all does not fit; may be empty
    std::function<void(const std::string &stage, double fraction)> progress;
    RunPage *page = nullptr;      ///< gets the index of each node while it runs
    const Model *whole = nullptr; ///< the model without chunks, where the run's has some; else null
    MemoryNeed wholeNeed;
    int pieces = 0; ///< most chunks that a region has
};

/// Everything a run needs, made ready: operators looked up, inputs loaded, memory counted.
struct Session {
    c10::Device device;
    std::unique_ptr<MemoryMeter> meter;
    Interpreter interpreter;
};

/// Refuses models that do not fit the device's free memory.
Expected<Session> openSession(const Model &model, RunDevice device, const RunSetting &setting);

Expected<Profile> runProfile(const Model &model, RunDevice device, const SamplingLimits &limits,
                             const RunSetting &setting);
Expected<ValidationRecord> runValidation(const Model &model, const CostTable &costs, const Plan &plan, RunDevice device,
                                         const RunSetting &setting);

} // namespace remat
