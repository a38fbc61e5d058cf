// SPDX-License-Identifier: Apache-2.0
// Flags of the commands that run a model for real.
#pragma once

#include "gpu/runtime.h"

#include <CLI/CLI.hpp>

#include <string>

namespace remat::cli {

class ProgressBar;

struct RunFlags {
    std::string device = "cpu";
    int threads = 0;
    std::uint64_t seed = 0;
    double timeLimit = kRunTimeLimitSeconds;

    void add(CLI::App &command);
    RunDevice runDevice() const
    {
        if (device == "simulated") return RunDevice::Simulated;
        return device.starts_with("cuda") ? RunDevice::Cuda : RunDevice::Cpu;
    }
    /// Stops on Ctrl+C, shows progress on `bar`, which outlives the run.
    RunContext context(ProgressBar &bar) const;
};

} // namespace remat::cli
