// SPDX-License-Identifier: Apache-2.0
// A plan as what is decided: the order of computations, and what comes back from host memory for which of them.
#pragma once

#include "core/plan/plan.h"

#include <vector>

namespace remat::offload {

/// `storage` was away since its use before, and comes back for the computation at `position` of the sequence; the
/// sequence's length means the end, where outputs are held.
struct Fetch {
    int position = 0;
    int storage = 0;
    bool operator==(const Fetch &) const = default;
};

/// When copies begin, and when they take room, is left to scheduleOffloads().
struct Decisions {
    std::vector<OpId> sequence;
    std::vector<Fetch> fetches; ///< by position
};

/// Those of a plan that can be replayed. What is fetched and never read again is left out. O(steps × degree).
Decisions decisionsOf(const Graph &graph, const std::vector<Step> &steps);

} // namespace remat::offload
