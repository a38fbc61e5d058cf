// SPDX-License-Identifier: Apache-2.0
#include "gpu/engine/link_speed.h"

#include <algorithm>
#include <array>

namespace remat {
namespace {

constexpr std::size_t kRepeats = 5;
constexpr std::int64_t kSmallest = 4096, kGrowth = 4;

/// The median of a few copies, after one that does not count.
Expected<double> copyUs(Accelerator &accelerator, Stream stream, const CopyJob &job)
{
    std::array<StreamEvent, kRepeats + 1> begins{}, ends{};
    for (std::size_t i = 0; i <= kRepeats; ++i) {
        begins[i] = accelerator.record(stream);
        accelerator.copy(stream, [job]() -> Expected<CopyJob> { return job; });
        ends[i] = accelerator.record(stream);
    }
    if (auto done = accelerator.synchronize(); !done) return tl::unexpected(done.error());
    std::array<double, kRepeats> times{};
    for (std::size_t i = 0; i < kRepeats; ++i)
        times[i] = accelerator.timeUs(ends[i + 1]) - accelerator.timeUs(begins[i + 1]);
    std::sort(times.begin(), times.end());
    return times[kRepeats / 2];
}

} // namespace

Expected<std::vector<LinkSpeed>> measureLink(Accelerator &accelerator, std::int64_t mostBytes)
{
    const Expected<MemoryBlock> device = accelerator.deviceBlock(mostBytes);
    if (!device) return tl::unexpected(device.error());
    const Expected<MemoryBlock> host = accelerator.hostBlock(mostBytes);
    if (!host) return tl::unexpected(host.error());
    Expected<void> opened;
    accelerator.compute([&] { return opened = accelerator.open(device->get(), mostBytes); });
    if (auto done = accelerator.synchronize(); !done) return tl::unexpected(done.error());
    std::vector<LinkSpeed> speeds;
    for (std::int64_t bytes = kSmallest; bytes <= mostBytes; bytes *= kGrowth) {
        const auto toHost = copyUs(accelerator, Stream::ToHost, {host->get(), device->get(), bytes});
        if (!toHost) return tl::unexpected(toHost.error());
        const auto toDevice = copyUs(accelerator, Stream::ToDevice, {device->get(), host->get(), bytes});
        if (!toDevice) return tl::unexpected(toDevice.error());
        speeds.push_back({bytes, *toHost, *toDevice});
    }
    accelerator.compute([&]() -> Expected<void> {
        accelerator.close(device->get(), mostBytes);
        return {};
    });
    if (auto done = accelerator.synchronize(); !done) return tl::unexpected(done.error());
    return speeds;
}

} // namespace remat
