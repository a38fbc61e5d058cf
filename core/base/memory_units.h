// SPDX-License-Identifier: Apache-2.0
// Amounts of memory that plans need or may take: one rule of rounding for all places that show them.
#pragma once

#include <cstdint>
#include <string>

namespace remat {

/// Peaks, budgets, the least budget there is. Always rounded up, so that one number reads the same everywhere, a peak
/// never as more than the budget it keeps, and whoever types what is shown gets no less than what it stands for. With
/// all digits where it would read like `apartFrom` and is another number.
std::string formatMemory(std::int64_t bytes, std::int64_t apartFrom = -1);

/// The same as a share of the keep-all peak (1.0 = all), in percent.
std::string formatMemoryShare(double share);

} // namespace remat
