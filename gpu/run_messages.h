// SPDX-License-Identifier: Apache-2.0
// What goes between a program and remat-run: one request, then progress until the outcome.
#pragma once

#include "gpu/memory_need.h"
#include "gpu/runtime.h"

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace remat {

enum class RunJob : std::uint8_t { Info, Profile, Validate, Device };

/// A job as it arrives. Model, costs and plan are empty where the job needs none.
struct RunRequest {
    RunJob job = RunJob::Info;
    RunDevice device = RunDevice::Cpu;
    MemoryMode memory = MemoryMode::Allocator;
    int gpu = 0;
    int threads = 0;
    std::uint64_t seed = 0;
    int repeats = 0;
    SamplingLimits sampling;
    bool compareWithCpu = true;
    SimulatedDevice simulated;
    std::vector<Step> reference;
    MemoryNeed need;
    Model model;
    CostTable costs;
    Plan plan;
    std::vector<Model> whole; ///< the model without chunks, where `model` has some: one, or none
    MemoryNeed wholeNeed;     ///< what a run of that takes
    int pieces = 0;           ///< most chunks that a region has
};

struct RunProgress {
    std::string stage;
    double fraction = 0;
};

/// Progress, or the outcome: what was asked for, or the sentence that says why there is none.
using RunReply = std::variant<RunProgress, RuntimeInfo, Profile, ValidationRecord, DeviceFindings, std::string>;

std::string pack(const RunRequest &request);
std::string pack(const RunReply &reply);
/// Nothing when the bytes are no such message, or one of another build.
std::optional<RunRequest> unpackRequest(std::string_view bytes);
std::optional<RunReply> unpackReply(std::string_view bytes);

/// A page that both sides see: which node runs, told without a system call, and still there after a crash.
struct RunPage {
    std::atomic<std::int32_t> node{-1}; ///< index into the program's nodes; -1 between nodes
};
/// The descriptor that remat-run finds it under.
constexpr int kRunPageDescriptor = 3;

} // namespace remat
