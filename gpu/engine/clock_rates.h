// SPDX-License-Identifier: Apache-2.0
// What sets the pace of a device right now, as far as the system says.
#pragma once

#include "core/costs/profile.h"

#include <filesystem>
#include <string>

namespace remat {

/// Governor and the frequency of the fastest core, as Linux has them in `cpu*/cpufreq` below the folder. Unknown where
/// it has not, as in most virtual machines. Milliseconds on machines of hundreds of cores.
Clocks cpuClocks(const std::filesystem::path &folder = "/sys/devices/system/cpu");

/// Clocks of a GPU's processors and memory by NVML, the driver's own library, which is loaded when it is first asked.
/// `busId` as CUDA writes it (`0000:3b:00.0`). Unknown where the library is missing or does not say.
Clocks gpuClocks(const std::string &busId);

/// How many GPUs the driver has, whatever CUDA_VISIBLE_DEVICES says; -1 when unknown.
int gpuCount();

} // namespace remat
