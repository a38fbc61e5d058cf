// SPDX-License-Identifier: Apache-2.0
// Budgets and other amounts of memory as people write them; one place for command line, window, lessons and Python.
#pragma once

#include "core/base/expected.h"

#include <cstdint>
#include <string_view>

namespace remat {

/// Reads an amount of memory in bytes, where the text means one thing:
/// - with a unit: `4GiB`, `1.5 GB`, `1,5 GB`, `500MiB`, `123456 bytes`;
/// - a share of `keepAllPeakBytes`: `60%`, or as a fraction with a point, `0.6`;
/// - bytes without a unit, also as programs write them: `8589934592`, `8_589_934_592`, `8 * 2**30`, `1 << 33`, `8e9`;
/// - `-500MiB`: that much less than the keep-all peak.
///
/// The error names both meanings of what has two: `8G` (GB or GiB), and `8` for a peak over 1,000 bytes (8GiB or 8%).
/// It fails as well on amounts that are not positive, and on ones that do not fit in 63 bits. Any thread.
Expected<std::int64_t> parseBudget(std::string_view text, std::int64_t keepAllPeakBytes);

} // namespace remat
