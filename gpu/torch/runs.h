// The two jobs of the module, and what they share.
#pragma once

#include "gpu/runtime.h"
#include "gpu/torch/interpreter.h"
#include "gpu/torch/memory_meter.h"

namespace remat {

/// Everything a run needs, made ready: operators looked up, inputs loaded, memory counted.
struct Session {
    c10::Device device;
    std::unique_ptr<MemoryMeter> meter;
    Interpreter interpreter;
};

/// Refuses models without a program and models that do not fit the device's free memory (inputs plus `dynamicBytes`).
Expected<Session> openSession(const Model &model, RunDevice device, const RuntimeInfo &info, std::int64_t dynamicBytes,
                              const RunContext &context);

Expected<Profile> runProfile(const Model &model, RunDevice device, int repeats, const RuntimeInfo &info,
                             const RunContext &context);
Expected<ValidationRecord> runValidation(const Model &model, const CostTable &costs, const Plan &plan, RunDevice device,
                                         const RuntimeInfo &info, const RunContext &context);

} // namespace remat
