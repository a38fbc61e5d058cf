// A device as the cost models know it.
#pragma once

#include "core/base/expected.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace remat {

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
    double joulesPerFlop = 0; ///< 0 when unknown
    double joulesPerByte = 0;
    std::string source; ///< where the figures come from
};

/// Reads one device file.
Expected<Device> readDevice(const std::filesystem::path &path);

/// All devices of the `resources/devices` folder, `reference` first, then by title. Files that cannot be read are an
/// error. `resourceDir()` finds the folder.
Expected<std::vector<Device>> readDevices();

/// The device called `name`; the sentence of the failure lists the names there are.
Expected<Device> findDevice(const std::string &name);

} // namespace remat
