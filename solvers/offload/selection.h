// SPDX-License-Identifier: Apache-2.0
// Which gaps to use so that a sequence fits a budget, as if copies took no time.
#pragma once

#include "solvers/offload/residence.h"

#include <functional>

namespace remat::offload {

struct SelectionRules {
    bool activations = true; ///< what ops make may leave; planned parameters always may
    /// How much a further gap of a storage that leaves already is worth, 0..1; 0: each storage leaves once at most.
    double againWorth = 0;
    std::vector<char> mayLeave = {}; ///< per storage; empty: all may
    std::vector<char> stays = {};    ///< per storage 1: may not, whatever `mayLeave` says; empty: none
};

struct Selection {
    std::vector<HostGap> gaps;           ///< by `from`, then by storage
    std::vector<std::int64_t> heldBytes; ///< per position with all of them away
    bool stopped = false;

    std::int64_t peakBytes() const;
};

/// Zhao's greedy selection: while the peak is over the budget, the gap that takes the most overflow away goes, overflow
/// being the sum over all positions of the bytes over the budget. Of equals the earliest. In the end what later picks
/// have made needless is taken back. The peak is over the budget when no gap helps. `stop` is asked every few picks.
/// About O(picks × gaps × positions) at worst, much less in practice: what a gap takes away only shrinks, so old
/// figures are bounds.
Selection select(const Graph &graph, const Residence &residence, std::int64_t budgetBytes, const SelectionRules &rules,
                 const std::function<bool()> &stop);

} // namespace remat::offload
