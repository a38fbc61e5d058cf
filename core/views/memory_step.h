// SPDX-License-Identifier: Apache-2.0
// How much more memory a person asks about at once.
#pragma once

#include <cstdint>

namespace remat {

/// 1 GiB, or the next smaller 1, 2 or 5 times a power of ten of MiB or KiB that is worth a step for models whose
/// keep-all peak this is; at least 1.
std::int64_t memoryStepBytes(std::int64_t keepAllPeakBytes);

} // namespace remat
