// SPDX-License-Identifier: Apache-2.0
// The dynamic program over lower sets of Kusumoto et al.
#pragma once

#include "solvers/kusumoto/lower_sets.h"

#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace remat::kusumoto {

/// Which of the sequences within a budget is taken.
enum class Aim {
    Time,  ///< the least recomputed
    Memory ///< the most recomputed of those that nothing beats in both: coarse segments, for liveness to profit from
};

/// A sequence of growing lower sets ∅ = L0 ⊂ L1 ⊂ … ⊂ Lk = V as indices into the sets. Segment i is Vi = Li ∖ Li−1. The
/// forward pass keeps the borders ∂(Li), the nodes of Li that are read outside of it.
using Segments = std::vector<int>;

/// Finds sequences among given lower sets. The model is the paper's (equations 1 and 2): recomputed time Σ t(Vi ∖
/// ∂(Li)); peak of segment i: m(∂(L1) ∪ … ∪ ∂(Li−1)) + 2 m(Vi) + m(δ⁺(Li) ∖ Li) + m(δ⁻(δ⁺(Li)) ∖ Li). Its state is
/// (lower set, time kept) with the least memory kept. Thread-safe once made.
class SegmentProgram
{
public:
    /// `sets` by size, from the empty one to all. None when stopped. O(sets² × border).
    static std::optional<SegmentProgram> make(const ForwardDag &dag, std::vector<NodeSet> sets,
                                              const std::function<bool()> &stop);

    /// The best sequence whose model peak is at most `budgetBytes`; empty when there is none or it was stopped.
    /// O(sets² × time units).
    Segments best(std::int64_t budgetBytes, Aim aim, const std::function<bool()> &stop) const;

    /// The least model budget with a sequence; anything when stopped. O(sets² × bits of a budget).
    std::int64_t smallestBudget(const std::function<bool()> &stop) const;
    /// One from which on more changes nothing.
    std::int64_t largestBudget() const;

    /// What the model says of a sequence.
    int recomputedTime(const Segments &segments) const;
    std::int64_t peakBytes(const Segments &segments) const;

    const NodeSet &set(int index) const { return m_sets[index]; }
    /// Nodes of a lower set that are read outside of it.
    const std::vector<int> &border(int index) const { return m_borders[index]; }

private:
    /// From one lower set to a larger one: the segment between them.
    struct Step {
        int to = 0;
        int keptTime = 0;
        std::int64_t keptBytes = 0;
        std::int64_t peakBytes = 0; ///< beside what was kept before
    };

    explicit SegmentProgram(const ForwardDag &dag) : m_dag(&dag) {}
    Step step(int from, int to) const;
    bool reachesAll(std::int64_t budgetBytes) const;

    const ForwardDag *m_dag;
    std::vector<NodeSet> m_sets;
    std::vector<std::vector<int>> m_borders;
    std::vector<std::int64_t> m_bytes;      ///< bytes of each set
    std::vector<std::int64_t> m_outside;    ///< m(δ⁺(L) ∖ L) + m(δ⁻(δ⁺(L)) ∖ L)
    std::vector<std::vector<Step>> m_steps; ///< per set, by rising peak
};

} // namespace remat::kusumoto
