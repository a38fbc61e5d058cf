// SPDX-License-Identifier: Apache-2.0
// Gaps of storages by what their drops are worth, gaps that are alike together.
#pragma once

#include "solvers/search/drop.h"

#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace remat::search {

/// A queue of gaps by the overflow (bytes × slots) that their drops take off per µs, while drops are made that change
/// what all of them are worth. Worth is estimated: what the gap itself covers of the overflow, per µs of its op, times
/// what a trial of the whole drop came to beside that. An estimate costs O(slots / 64), a trial some ten times as
/// much.
///
/// Gaps of lookalikes lose their worth together, since drops lower the overflow under all of them. They form a kind,
/// which has a common factor: looking at the first of them, and at the second, says what the others are worth now. And
/// what the trial of one came to is expected of the next. So a drop costs a look at each kind that is nearly the best
/// and a trial or two, however many layers there are. Layers of other sizes have kinds of their own; after some
/// trials in such kinds the rest of them are expected to be alike, too.
class GapQueue
{
public:
    /// Keeps a reference. O(graph).
    explicit GapQueue(const State &state);

    void clear();
    /// Adds the gaps of a storage that lie in slots over the budget and can be dropped.
    void pushGapsOf(int storage, std::int64_t leastBytes);

    /// Looks for the gap that is worth most, or nearly; false when none is left that is worth anything.
    bool findBest();
    /// What `findBest` found, until `keep` or `remove`.
    const Gap &best() const { return m_kinds[m_at].gaps.front().gap; }
    /// Whether that much is nearly as good as the gap that comes next.
    bool isStillBest(double worth) const;
    /// Puts the gap back: a trial has shown what it is worth.
    void keep(double worth);
    void remove();

private:
    struct Candidate {
        double worth = 0; ///< per common factor of its kind
        double share = 0; ///< share of the estimate that a trial came to, its own or a lookalike's; 0 before the first
        Gap gap;

        bool operator<(const Candidate &other) const;
    };
    struct Kind {
        double factor = 1;
        double share = 0;            ///< share of the gap that was tried last
        std::uint64_t structure = 0; ///< equal for kinds that differ in sizes and times alone
        std::vector<Candidate> gaps; ///< a heap

        double worth() const { return factor * gaps.front().worth; }
    };

    double estimate(const Gap &gap) const;
    /// With what is known of the share; 0 when the gap is no longer there.
    double worthNow(const Candidate &candidate) const;
    std::uint64_t idAmong(const std::vector<int> &classes, const Gap &gap) const;
    std::size_t kindOf(const Gap &gap);
    /// Of a gap that nobody has tried; 0 where nothing is known.
    double expectedShare(const Kind &kind) const;
    void push(std::size_t kind, const Candidate &candidate);
    void popFirst(Kind &kind);
    void enqueue(std::size_t kind);
    /// Worth of the gaps beside the best of that kind.
    double nextWorth(const Kind &kind);
    void lookAgain(Kind &kind, double worth);

    const State &m_state;
    const std::vector<int> m_alike, m_structures; ///< classes of ops
    std::unordered_map<std::uint64_t, std::size_t> m_kindIds;
    /// Trials in kinds of one structure, and the share that the last of them came to.
    struct Tried {
        int trials = 0;
        double share = 0;
    };
    std::unordered_map<std::uint64_t, Tried> m_tried; ///< by structure
    std::vector<Kind> m_kinds;
    /// Each kind with what it was worth when it was put there; entries that no longer say so are skipped.
    std::priority_queue<std::pair<double, std::size_t>> m_queue;
    std::size_t m_at = 0; ///< kind of the best
    double m_next = 0;
};

} // namespace remat::search
