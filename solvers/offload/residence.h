// SPDX-License-Identifier: Apache-2.0
// Which storages could be away from the device between two uses, and what the device holds when they are.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/graph.h"

#include <vector>

namespace remat::offload {

/// A copy of a storage could be in host memory between two uses. Positions count the computations of a sequence; the
/// end of the sequence, where outputs are held, is one more. Away at most in (from, to); a gap that wraps around is of
/// a planned parameter, which is then away before `to` and after `from`, from one iteration to the next.
struct HostGap {
    StorageId storage;
    /// The position that made this copy, or updated it last, in this iteration or at the end of the one before; -1 for
    /// planned parameters whose host copy is always there: those that no op on the device updates.
    int made = -1;
    int from = 0, to = 0;
    bool wraps = false;

    bool operator==(const HostGap &) const = default;
};

/// What a sequence with earliest frees holds, and its gaps.
struct Residence {
    std::vector<std::int64_t> heldBytes; ///< while each computation runs, and at the end
    std::vector<HostGap> gaps;           ///< at least one position long, by `from`, then by storage
    std::vector<double> startUs;         ///< start of each computation when nothing is copied, and of the end
};

/// `sequence` is possible without copies. O(sequence × degree).
Residence residenceOf(const Graph &graph, const CostTable &costs, const std::vector<OpId> &sequence);

/// Calls `visit(position)` for each position at which the gap could be away; `positions` is the length of `heldBytes`.
template <class Visit>
void forEachPosition(const HostGap &gap, int positions, const Visit &visit)
{
    if (!gap.wraps) {
        for (int i = gap.from + 1; i < gap.to; ++i)
            visit(i);
        return;
    }
    for (int i = 0; i < gap.to; ++i)
        visit(i);
    for (int i = gap.from + 1; i < positions; ++i)
        visit(i);
}

} // namespace remat::offload
