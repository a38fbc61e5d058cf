// SPDX-License-Identifier: Apache-2.0
// Host memory for what a plan offloads: one pinned block, as large as the copies that are there at once.
#pragma once

#include "core/addresses/layout.h"
#include "gpu/engine/accelerator.h"

#include <vector>

namespace remat {

/// Where each copy in host memory lies.
struct HostLayout {
    std::int64_t bytes = 0;
    std::vector<std::int64_t> offsets; ///< per step, of the copy that it writes or reads; 0 for steps without one
    std::vector<std::int64_t> homes;   ///< per storage, of the copy that a planned parameter always has; 0 without one
};

/// A copy lasts from its offload to the first step after its last prefetch that waits for that: so the place can be
/// used again without a wait of its own. One that an op on the host reads lasts to the end. The steps must be possible
/// (as the checker says). O(steps × degree), and the layout.
HostLayout hostLayout(const Graph &graph, const std::vector<Step> &steps);

} // namespace remat
