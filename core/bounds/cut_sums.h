// SPDX-License-Identifier: Apache-2.0
// What the closure bound says at its cut, in sums that can be drawn.
#pragma once

#include "core/bounds/bounds.h"

namespace remat {

/// The moment at which the closure bound binds: the first computation of `cut`. All in dynamic memory.
struct CutSums {
    OpId cut;                   ///< none where nothing must be computed again
    std::int64_t heldBytes = 0; ///< what is held then, with what the op reads, makes and works with: within the budget
    std::int64_t paidBytes = 0; ///< what is needed later and not held
    double paidUs = 0;          ///< no plan pays less for it
};

/// O(closure bound), a second on large graphs. Holds for plans in the graph's order without offloads.
CutSums cutSums(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, const StopCheck &stop = {});

} // namespace remat
