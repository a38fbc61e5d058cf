// SPDX-License-Identifier: Apache-2.0
// Bytes, times and shares as people read and write them; one place, so that window and command line agree.
#pragma once

#include <cstdint>
#include <string>

namespace remat {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMiB = 1024 * kKiB;
constexpr std::int64_t kGiB = 1024 * kMiB;

/// Which way a shown figure is rounded: peaks up, room under a budget and bounds down.
enum class Rounding { Nearest, Up, Down };

/// Three significant digits and a binary unit: `48.0 MiB`, `4.43 GiB`, `785 MiB`, `0.98 GiB`, `0 B`.
std::string formatBytes(std::int64_t bytes, Rounding rounding = Rounding::Nearest);

/// All digits with thousands separators: `50,331,648 bytes`.
std::string formatExactBytes(std::int64_t bytes);

/// A count with thousands separators: `1,130`.
std::string formatCount(std::int64_t count);

/// `21 µs`, `0.31 ms`, `76.5 ms`, `8.1 s`, `2 min 05 s`.
std::string formatTimeUs(double timeUs);

/// A share (1.0 = all) as percent with three significant digits, at most two decimals: `49.9 %`, `0.07 %`.
/// The space before % is U+202F, narrow no-break.
std::string formatShare(double share, Rounding rounding = Rounding::Nearest);

} // namespace remat
