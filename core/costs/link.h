// SPDX-License-Identifier: Apache-2.0
// How fast copies between device and host memory are, by size.
#pragma once

#include <cstdint>
#include <string>
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
    bool known() const { return bytesPerSecond > 0; }
};

/// The two ends of a table that begins with the smallest size: the bandwidth of the largest size over the next smaller
/// one, and what is left at the smallest, of copies one way or, where they differ, of the slower way. Unknown for fewer
/// than two sizes, and where the times make no bandwidth of a machine.
LinkFit fitLink(const std::vector<LinkSpeed> &speeds);

/// `23.1 GiB a second, 8.0 µs before a copy begins`.
std::string linkText(const LinkFit &fit);

} // namespace remat
