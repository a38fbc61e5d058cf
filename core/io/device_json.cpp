// SPDX-License-Identifier: Apache-2.0
// Device files: readDevice, readDevices, findDevice. The format is described in resources/devices/README.md.
#include "core/base/file.h"
#include "core/base/limits.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/costs/device.h"
#include "core/io/graph_header.h"
#include "core/io/json_cursor.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {

namespace {

constexpr double kMostJoules = 1e3;
constexpr double kMostWatts = 1e6;

} // namespace

Expected<Device> readDevice(const std::filesystem::path &path)
{
    const Expected<std::string> text = readFile(path, kMaxDeviceBytes);
    if (!text) return tl::unexpected(text.error());
    Expected<JsonDocument> document = JsonDocument::parse(*text, path.filename().string());
    if (!document) return tl::unexpected(document.error());
    const JsonCursor root = document->root();
    checkFormat(root, "remat-device/1", "a device");

    Device device;
    device.name = root["name"].text();
    if (device.name.empty()) root["name"].fail("is empty; a device is called by its name.");
    device.title = root["title"].text();
    const JsonCursor rates = root["flops_per_second"];
    for (const auto &[type, rate] : rates.members())
        device.flopsPerSecond[type] = rate.number(kLeastRate, kMostFlops);
    if (device.flopsPerSecond.count("default") == 0) rates.fail("has no \"default\", the rate of types not listed.");
    device.bytesPerSecond = root["bytes_per_second"].number(kLeastRate, kMostBytesPerSecond);
    device.memoryBytes = root["memory_bytes"].integer(1, std::int64_t(1) << 60);
    device.launchUs = root["launch_us"].number(0, kMostLatencyUs);
    device.linkBytesPerSecond = root["link_bytes_per_second"].number(kLeastRate, kMostBytesPerSecond);
    device.linkLatencyUs = root.numberOr("link_latency_us", 0, 0, kMostLatencyUs);
    device.hostBytesPerSecond =
        root.numberOr("host_bytes_per_second", kUsualHostBytesPerSecond, kLeastRate, kMostBytesPerSecond);
    device.joulesPerFlop = root.numberOr("joules_per_flop", 0, 0, kMostJoules);
    device.joulesPerByte = root.numberOr("joules_per_byte", 0, 0, kMostJoules);
    device.linkWatts = root.numberOr("link_watts", 0, 0, kMostWatts);
    device.source = root["source"].text();
    if (document->failed()) return document->failure();
    return device;
}

Expected<std::vector<Device>> readDevices(std::vector<LeftOutDevice> *leftOut)
{
    const std::filesystem::path folder = resourceDir() / "devices";
    std::error_code error;
    std::vector<Device> devices;
    std::vector<LeftOutDevice> broken;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        if (it->path().extension() != ".json") continue;
        Expected<Device> device = readDevice(it->path());
        if (device)
            devices.push_back(std::move(*device));
        else
            broken.push_back({it->path().stem().string(), device.error().message});
    }
    if (!error && devices.empty() && !broken.empty()) return fail(broken.front().why);
    if (error || devices.empty())
        return fail("There are no device files in {}. Set REMAT_RESOURCES to the folder `resources` of Remat Studio.",
                    folder.string());
    std::sort(devices.begin(), devices.end(), [](const Device &a, const Device &b) {
        const auto key = [](const Device &device) { return std::pair(device.name != "reference", device.title); };
        return key(a) < key(b);
    });
    if (leftOut) *leftOut = std::move(broken);
    return devices;
}

Expected<Device> findDevice(const std::string &name)
{
    std::vector<LeftOutDevice> leftOut;
    Expected<std::vector<Device>> devices = readDevices(&leftOut);
    if (!devices) return tl::unexpected(devices.error());
    std::string names;
    for (Device &device : *devices) {
        if (device.name == name) return std::move(device);
        names.append(names.empty() ? "" : ", ").append(device.name);
    }
    std::string sentence = fmt::format("There is no device {}. There are {}.", quotedName(name), names);
    for (const LeftOutDevice &device : leftOut) {
        if (device.name == name) return fail(device.why);
        sentence.append(" Left out: ").append(device.why);
    }
    return fail(sentence);
}

} // namespace remat
