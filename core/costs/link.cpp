// SPDX-License-Identifier: Apache-2.0
#include "core/costs/link.h"

#include "core/base/limits.h"
#include "core/base/units.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {

LinkFit fitLink(const std::vector<LinkSpeed> &speeds)
{
    if (speeds.size() < 2) return {};
    const auto slower = [](const LinkSpeed &speed) { return std::max(speed.toHostUs, speed.toDeviceUs); };
    const LinkSpeed &large = speeds.back(), &before = speeds[speeds.size() - 2], &small = speeds.front();
    const double us = slower(large) - slower(before);
    if (us <= 0) return {};
    LinkFit fit;
    fit.bytesPerSecond = static_cast<double>(large.bytes - before.bytes) / us * 1e6;
    if (!(fit.bytesPerSecond >= kLeastRate && fit.bytesPerSecond <= kMostBytesPerSecond)) return {};
    fit.latencyUs = slower(small) - static_cast<double>(small.bytes) / fit.bytesPerSecond * 1e6;
    fit.latencyUs = std::clamp(fit.latencyUs, 0.0, kMostLatencyUs);
    return fit;
}

std::string linkText(const LinkFit &fit)
{
    return fmt::format("{} a second, {} before a copy begins",
                       formatBytes(static_cast<std::int64_t>(fit.bytesPerSecond), Rounding::Down),
                       formatTimeUs(fit.latencyUs));
}

} // namespace remat
