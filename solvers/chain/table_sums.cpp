// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/table_sums.h"

#include <algorithm>

namespace remat::chain {

namespace {

/// Amounts of memory that are looked at together.
constexpr int kRun = 16;

} // namespace

/// Where the last sum of a run is no less than the best of its first, the run holds nothing new.
std::int64_t takeSums(const TableSum &sum, std::vector<double> &best)
{
    const int last = static_cast<int>(best.size()) - 1;
    const double *after = sum.after.data();
    const double *before = sum.before ? sum.before->data() : nullptr;
    const auto us = [&](int m) {
        // Beyond the table, more memory changes nothing.
        const double both = sum.us + after[std::min(m - sum.less, last)];
        return before ? both + before[m] : both;
    };
    std::int64_t looked = 0;
    for (int first = sum.from; first <= last; first += kRun) {
        const int end = std::min(first + kRun, last + 1);
        ++looked;
        if (us(end - 1) >= best[first]) continue;
        looked += end - first;
        for (int m = first; m < end; ++m)
            best[m] = std::min(best[m], us(m));
    }
    return looked;
}

} // namespace remat::chain
