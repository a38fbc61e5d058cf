// How fast copies between device and host memory are, by size.
#pragma once

#include "gpu/engine/accelerator.h"

#include <vector>

namespace remat {

/// Copies of one size, the median of several.
struct LinkSpeed {
    std::int64_t bytes = 0;
    double toHostUs = 0, toDeviceUs = 0;
};

/// What a link of that speed does: time = latency + bytes / bandwidth.
struct LinkFit {
    double bytesPerSecond = 0, latencyUs = 0;
};

/// Copies 4 KiB, 16 KiB, … up to `mostBytes` there and back, on the copy streams; takes a block of device and of host
/// memory of that size while it does.
Expected<std::vector<LinkSpeed>> measureLink(Accelerator &accelerator, std::int64_t mostBytes);

/// The bandwidth of the largest size over the next smaller one, and what is left at the smallest, of copies one way or,
/// where they differ, of the slower way. Zero for fewer than two sizes.
LinkFit fitLink(const std::vector<LinkSpeed> &speeds);

} // namespace remat
