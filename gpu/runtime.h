// Runs graphs and plans for real, through LibTorch. This header and the loader behind it need no LibTorch: the module
// that does is loaded at first use, so that start-up does not pay for it and a build without it still works.
#pragma once

#include "core/base/stop_token.h"
#include "core/costs/profile.h"
#include "core/plan/plan.h"

#include <functional>
#include <string>

namespace remat {

enum class RunDevice { Cpu, Cuda };

/// What can be run here.
struct RuntimeInfo {
    bool available = false; ///< the LibTorch module was found and loaded
    std::string torchVersion;
    bool cuda = false;     ///< a GPU is there and LibTorch can use it
    std::string cudaTitle; ///< `NVIDIA H200`
    std::int64_t cudaMemoryBytes = 0;
    std::string sentence; ///< what is missing and how to get it, when something is
};

struct RunContext {
    const StopToken *stop = nullptr;
    int threads = 0;        ///< of LibTorch's CPU kernels; 0 leaves it as it is
    std::uint64_t seed = 0; ///< of made-up inputs and of generators
    std::function<void(const std::string &stage, double fraction)> progress; ///< called on the calling thread
};

/// Loads the module when needed. Any thread; later calls are free.
const RuntimeInfo &runtimeInfo();

/// Measures every op on the device. Blocks.
Expected<Profile> profileModel(const Model &model, RunDevice device, int repeats, const RunContext &context);

/// Runs the keep-all plan and `plan` from the same inputs and generator states, freeing exactly when the plan says, and
/// compares loss, gradients, new buffer values bit for bit, and the measured peak with the predicted one. Fails (with a
/// sentence) when it cannot run at all; a run that differs is a record with `passed == false`. Blocks.
Expected<ValidationRecord> validatePlan(const Model &model, const CostTable &costs, const Plan &plan, RunDevice device,
                                        const RunContext &context);

} // namespace remat
