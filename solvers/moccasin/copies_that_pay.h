// SPDX-License-Identifier: Apache-2.0
// How often an op is computed in plans that are better than one that is known.
#pragma once

#include "solvers/ilp/cbc.h"
#include "solvers/tools/flat.h"

#include <vector>

namespace remat::moccasin {

/// Ours. Bounds on C_v from above that hold for plans of sets of recomputations (flat.h) without any that nobody reads:
/// a model that allows so many computations leaves out none that is better than the plan that is known.
///   - Each recomputation serves the first computation of a reader, one of its recomputations, or the end of the graph:
///     C_v − 1 is at most the sum of these, readers in turn computed C_r times.
///   - (C_v − 1) time(v) is less than what a better plan adds.
///   - bound + the sum of the C_v − 1 lowest d(t,v) over slots t is less than that, too, with the bound and the reduced
///     costs d of the linear relaxation of Checkmate's program, in which an op may be computed in every slot.
class CopiesThatPay
{
public:
    /// Solves the relaxation on the calling thread. Ended early by `limits` it says less; with no iterations it is left
    /// out, and the other two remain. The graph outlives this.
    CopiesThatPay(const FlatGraph &flat, std::int64_t budgetBytes, const ilp::Limits &limits);

    bool noPlan() const { return m_noPlan; }     ///< proven, whatever C_v
    double boundUs() const { return m_boundUs; } ///< on the added time, whatever C_v
    /// C_v by op for plans that add less than `extraUs`, which is infinite when none is known. O(reads + ops²).
    std::vector<int> below(double extraUs) const;

private:
    const FlatGraph &m_flat;
    std::vector<std::vector<double>> m_pricesUs; ///< by op: d in the slots in which it may be computed again, ascending
    double m_boundUs = 0;
    bool m_noPlan = false;
};

} // namespace remat::moccasin
