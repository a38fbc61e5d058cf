// SPDX-License-Identifier: Apache-2.0
#include "solvers/blocks/cut_points.h"
#include "solvers/hiremate/partition/partition.h"

#include <utility>

namespace remat::hiremate {

std::vector<int> sequencePositions(const OpLine &line, const PartitionSizes &sizes)
{
    std::vector<int> cuts = {0};
    for (const int point : chain::articulationPoints(line.flat()))
        cuts.push_back(point + 1);
    cuts.push_back(line.end());
    cuts = agglomerate(line, std::move(cuts), sizes, Growth::ToSmallest);

    std::vector<int> positions = {0};
    for (std::size_t c = 1; c < cuts.size(); ++c) {
        if (line.size(cuts[c - 1], cuts[c]) <= sizes.maxOps) {
            positions.push_back(cuts[c]);
            continue;
        }
        const std::vector<int> inner = bottomToTop(line, cuts[c - 1], cuts[c], sizes);
        positions.insert(positions.end(), inner.begin() + 1, inner.end());
    }
    return agglomerate(line, std::move(positions), sizes, Growth::ToSmallest);
}

} // namespace remat::hiremate
