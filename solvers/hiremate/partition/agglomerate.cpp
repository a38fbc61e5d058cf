// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/partition/partition.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace remat::hiremate {

std::vector<int> agglomerate(const OpLine &line, std::vector<int> positions, const PartitionSizes &sizes, Growth growth)
{
    const int count = static_cast<int>(positions.size());
    // Inner positions by what the interval between their neighbours would cost; the cheapest goes first.
    std::vector<int> before(count), after(count);
    std::iota(before.begin(), before.end(), -1);
    std::iota(after.begin(), after.end(), 1);
    std::set<std::pair<double, int>> open;
    std::vector<double> score(count, -1);
    const auto enter = [&](int p) {
        if (p <= 0 || p + 1 >= count) return;
        if (score[p] >= 0) open.erase({score[p], p});
        score[p] = -1;
        const int from = positions[before[p]], to = positions[after[p]];
        const int together = line.size(from, to);
        const int smaller = std::min(line.size(from, positions[p]), line.size(positions[p], to));
        if (together > sizes.maxOps || (growth == Growth::ToSmallest && smaller >= sizes.minOps)) return;
        score[p] = (line.crossingBytes(from) + line.crossingBytes(to)) * std::sqrt(std::max(together, 1));
        open.insert({score[p], p});
    };
    for (int p = 1; p + 1 < count; ++p)
        enter(p);
    std::vector<char> gone(count, 0);
    while (!open.empty()) {
        const int p = open.begin()->second;
        open.erase(open.begin());
        score[p] = -1;
        gone[p] = 1;
        after[before[p]] = after[p];
        before[after[p]] = before[p];
        enter(before[p]);
        enter(after[p]);
    }
    std::vector<int> left;
    for (int p = 0; p < count; ++p)
        if (!gone[p]) left.push_back(positions[p]);
    return left;
}

std::vector<int> bottomToTop(const OpLine &line, int from, int to, const PartitionSizes &sizes)
{
    std::vector<int> positions(static_cast<std::size_t>(to - from) + 1);
    std::iota(positions.begin(), positions.end(), from);
    return agglomerate(line, std::move(positions), sizes, Growth::ToLargest);
}

} // namespace remat::hiremate
