// SPDX-License-Identifier: Apache-2.0
// A device as the cost models know it.
#pragma once

#include "core/base/expected.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace remat {

/// Rate of a host that nobody has described: half of what eight channels of DDR4-3200 have (204.8 GB/s).
constexpr double kUsualHostBytesPerSecond = 100e9;

/// Figures of one device file (`resources/devices/*.json`), each with its source in the file.
struct Device {
    std::string name;                             ///< `h100`, as `--device` takes it
    std::string title;                            ///< `NVIDIA H100 SXM5 80 GB`
    std::map<std::string, double> flopsPerSecond; ///< per PyTorch dtype name, dense; key `default` for the rest
    double bytesPerSecond = 0;                    ///< memory bandwidth
    std::int64_t memoryBytes = 0;
    double launchUs = 0;           ///< added to every op
    double linkBytesPerSecond = 0; ///< host link, each way
    double linkLatencyUs = 0;
    double hostBytesPerSecond = kUsualHostBytesPerSecond; ///< how fast updates there read and write the host's memory
    double joulesPerFlop = 0;                             ///< 0 when unknown
    double joulesPerByte = 0;
    double linkWatts = 0; ///< while a copy runs, beside what ops take; 0 when unknown
    std::string source;   ///< where the figures come from
};

/// Reads one device file. Rates outside what any machine does are refused.
Expected<Device> readDevice(const std::filesystem::path &path);

/// A file of the folder that holds no device.
struct LeftOutDevice {
    std::string name; ///< name of the file, without `.json`
    std::string why;  ///< a sentence, with the file's name
};

/// All devices of the `resources/devices` folder, `reference` first, then by title. Files that cannot be read go to
/// `leftOut`, and fail only when no other is left. `resourceDir()` finds the folder.
Expected<std::vector<Device>> readDevices(std::vector<LeftOutDevice> *leftOut = nullptr);

/// The device called `name`; the sentence of the failure lists the names there are, and the files that were left out.
Expected<Device> findDevice(const std::string &name);

} // namespace remat
