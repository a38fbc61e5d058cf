// SPDX-License-Identifier: Apache-2.0
#include "core/base/time_left.h"

#include <cmath>
#include <fmt/core.h>

namespace remat {

std::string timeLeft(double seconds, double fraction)
{
    constexpr double kLeastSeconds = 5, kLeastFraction = 0.05, kMinute = 60;
    if (!(seconds >= kLeastSeconds) || !(fraction >= kLeastFraction) || fraction >= 1) return {};
    const double left = seconds * (1 - fraction) / fraction;
    if (left < kMinute) return "less than a minute left";
    return fmt::format("about {} min left", std::llround(left / kMinute));
}

} // namespace remat
