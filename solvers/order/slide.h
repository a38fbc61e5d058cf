// SPDX-License-Identifier: Apache-2.0
// Local search over orders: runs of neighbouring tasks slide to where they hurt least.
#pragma once

#include "solvers/order/schedule.h"

#include <cstdint>
#include <functional>

namespace remat {

struct SlideLimits {
    std::int64_t slides = 10000; ///< tried; each takes some 10 to 100 µs
    int reach = 400;             ///< tasks that a slide may pass
    int longestRun = 6;          ///< tasks that start a slide together
    std::uint64_t seed = 1;
    std::function<bool()> shouldStop; ///< asked every few slides; may be empty
};

/// Sum over the tasks of the bytes they are over `targetBytes`.
std::int64_t overflowOf(const Schedule &schedule, std::int64_t targetBytes);

/// Lowers the overflow over `targetBytes` and, among equals, the sum of all memory. A slide takes a run of one or more
/// neighbouring tasks past its neighbours, one after the other; neighbours that may not be passed join the run. It ends
/// at the best place on its way, or returns. Ends early when nothing overflows. Returns the overflow that is left.
/// Deterministic unless stopped.
std::int64_t slideBelow(Schedule &schedule, std::int64_t targetBytes, const SlideLimits &limits);

} // namespace remat
