// SPDX-License-Identifier: Apache-2.0
// The inner loops of dynamic programs over chains: the least of many sums, for every amount of memory, and the term
// that it comes from.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace remat::chain {

/// What one way to run a part of a chain costs with m slots of memory, from `from` on:
///     us + after[min(m − less, last)] + before[m]
/// Both tables fall with memory and have one cost for each amount, infinite where nothing fits.
struct TableSum {
    double us = 0;
    int from = 0; ///< at least 0 and at least `less`
    int less = 0; ///< slots that the part after it has less (more when negative)
    const std::vector<double> &after;
    const std::vector<double> *before = nullptr; ///< null: nothing comes before
};

/// best[m] = min(best[m], sum of m) for every m from `sum.from` on, where `best` falls with memory, too. Returns how
/// many sums were looked at: mostly fewer than there are, since what cannot hold anything new is left out.
std::int64_t takeSums(const TableSum &sum, std::vector<double> &best);

/// The first of all terms that takes least time: `forEachTerm` calls what it is given with each of them, `usOf` says
/// what one takes, infinite where it does not fit. A term by default where none fits.
template <class Term, class ForEachTerm, class UsOf>
Term leastTerm(const ForEachTerm &forEachTerm, const UsOf &usOf)
{
    Term best;
    double bestUs = std::numeric_limits<double>::infinity();
    forEachTerm([&](const Term &term) {
        const double us = usOf(term);
        if (us >= bestUs) return;
        bestUs = us;
        best = term;
    });
    return best;
}

} // namespace remat::chain
