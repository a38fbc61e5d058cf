// SPDX-License-Identifier: Apache-2.0
// Runs graphs and plans for real, through LibTorch, in a process of its own: remat-run, which may write no file, reach
// no network and take no more memory and time than it is given. What goes wrong in it costs a sentence. Nothing here
// needs LibTorch; a build without it still works.
#pragma once

#include "core/base/stop_token.h"
#include "core/costs/profile.h"
#include "core/graph/optimizer.h"
#include "core/plan/plan.h"
#include "gpu/engine/copy_overlap.h"
#include "gpu/engine/cuda_module.h"
#include "gpu/engine/device_check.h"
#include "gpu/engine/link_speed.h"
#include "gpu/engine/run_device.h"

#include <functional>
#include <string>

namespace remat {

/// What the simulated device is besides its link, and what is wrong with it on purpose: the ways in which a real device
/// can fail, so that every one can be seen to be found.
struct SimulatedDevice {
    std::int64_t memoryBytes = 0; ///< for dynamic memory; 0: as much as the machine has
    std::string wrongOp;          ///< an op, by name, whose results are a quarter too large: a wrong kernel or mapping
    std::string restlessOp;       ///< an op, by name, whose results differ from call to call in their last bits
};

/// What can be run here.
struct RuntimeInfo {
    bool available = false; ///< remat-run and LibTorch were found and can be loaded
    std::string torchVersion;
    bool cuda = false;     ///< the GPU that was asked for is there and LibTorch can use it
    std::string cpuTitle;  ///< with the number of threads that LibTorch takes by itself
    std::string cudaTitle; ///< `NVIDIA H200`
    std::int64_t cudaMemoryBytes = 0;
    std::string cudaBusId;     ///< `0000:3b:00.0`; empty without a GPU
    std::string protection;    ///< what holds a run back: `seccomp and Landlock 4`
    std::string sentence;      ///< what is missing and how to get it, when something is
    bool torchMissing = false; ///< LibTorch is, and installTorch() gets it
};

/// For runs that nobody gave a time limit: longer than a step of anything that fits a machine.
constexpr double kRunTimeLimitSeconds = 3600;

struct RunContext {
    const StopToken *stop = nullptr;
    int gpu = 0;                               ///< which one `RunDevice::Cuda` is: 1 is `cuda:1`
    int threads = 0;                           ///< threads of LibTorch's CPU kernels; 0 leaves them as they are
    std::uint64_t seed = 0;                    ///< seed for made-up inputs and for generators
    MemoryMode memory = MemoryMode::Allocator; ///< where the plan's run in `validatePlan` takes memory
    int repeats = 1; ///< how often `validatePlan` runs the plan in the same memory before it looks at the outputs
    /// Steps of another plan for the same graph, which `validatePlan` compares with where keep-all does not fit the
    /// device; empty: there is none.
    std::vector<Step> reference;
    bool compareWithCpu = true; ///< whether `validatePlan` on another device than the CPU looks there, too
    /// The model without chunks, which `validatePlan` compares one in chunks with; may be null. `pieces` is the most
    /// chunks that a region has.
    const Model *whole = nullptr;
    int pieces = 0;
    SimulatedDevice simulated;
    Updates updates; ///< that the step of `validatePlan` holds: the plan is one of `withUpdates(model, updates)`
    /// A run that takes longer is ended with a sentence. Seconds, above 0.
    double timeLimitSeconds = kRunTimeLimitSeconds;
    std::function<void(const std::string &stage, double fraction)> progress; ///< called on the calling thread
};

/// What was found of a device, and whether it does what the engine rests on. No LibTorch.
struct DeviceFindings {
    std::string module; ///< the CUDA module: what it is compiled for, or why there is none
    CudaFound cuda;     ///< empty without the module
    std::vector<DeviceCheck> checks;
    std::vector<LinkSpeed> link;
    CopyOverlap overlap;
    std::string sentence; ///< why nothing was checked; empty when it was
};

/// Looks at the device in a process of its own: copies, checksums, streams, the link by size. `link` is that of the
/// simulated device; 0 bytes a second: as fast as memory. Takes seconds; blocks.
Expected<DeviceFindings> examineDevice(RunDevice device, double linkBytesPerSecond, double linkLatencyUs,
                                       const RunContext &context);

/// Asks remat-run, which loads LibTorch for that: takes a second, seconds where there is a GPU. Once it is available,
/// later calls are free; until then each one looks again, since it may be installed any time. `gpu` as in `RunContext`.
/// Any thread.
RuntimeInfo runtimeInfo(int gpu = 0);

/// Measures every op on the device, in whole steps of keep-all, until `limits` are kept; and the device's link. Only
/// operators that compute on tensors are run (`isAllowedOperator`). Blocks; one run at a time, a second caller waits.
/// Stops within a second of its stop token.
Expected<Profile> profileModel(const Model &model, RunDevice device, const SamplingLimits &limits,
                               const RunContext &context);

/// Bytes that the device has for what a plan holds, as far as one can see without a run; negative when unknown.
/// `steps` are of the plan, for the copies that it keeps in host memory.
Expected<std::int64_t> roomForPlans(const Model &model, const Graph &graph, const CostTable &costs,
                                    const std::vector<Step> &steps, RunDevice device, const RunContext &context);

/// Runs the keep-all plan and `plan` from the same inputs and generator states, freeing exactly when the plan says, and
/// compares loss, gradients, new buffer values, and where the step holds updates (`RunContext::updates`) every updated
/// parameter and optimizer state bit for bit, and the measured peak with the predicted one. Where
/// keep-all does not fit, another plan takes its place (`chooseReference`), and the record says so. Where results
/// differ, the reference runs twice more: what differs there already is no fault of the plan. On a GPU, on the
/// simulated device, and at planned addresses, the plan runs on streams (three of the device, and one of the host for
/// updates there), after a proof that it has no races;
/// freed memory is poisoned, and it is an error when a repeated run takes more than the first; and on the two devices
/// its results are compared with the CPU's once, with dropout off. Fails (with a sentence) when it cannot run at all; a
/// run that differs is a record with `passed == false`. Otherwise like `profileModel`.
Expected<ValidationRecord> validatePlan(const Model &model, const CostTable &costs, const Plan &plan, RunDevice device,
                                        const RunContext &context);

} // namespace remat
