// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/split.h"

#include <algorithm>

namespace remat {

namespace {

std::int64_t roundedUp(std::int64_t n, std::int64_t parts)
{
    return (n + parts - 1) / parts;
}

} // namespace

std::optional<std::vector<Cut>> cutsOf(const Sizes &sizes, int d, std::int64_t k)
{
    if (k < 2 || d < 0 || d >= static_cast<int>(sizes.size()) || sizes[static_cast<std::size_t>(d)] < 2) return {};
    std::vector<Cut> cuts;
    for (auto dim = static_cast<std::size_t>(d); dim < sizes.size(); ++dim) {
        const std::int64_t n = sizes[dim];
        if (n == 1) continue;
        if (n >= k) {
            // Pieces of equal size, rounded up, may leave nothing for the last ones: 5 elements in 4.
            if (roundedUp(n, roundedUp(n, k)) != k) return {};
            cuts.push_back({static_cast<int>(dim), k});
            return cuts;
        }
        if (n == 0 || k % n != 0) return {};
        cuts.push_back({static_cast<int>(dim), n});
        k /= n;
    }
    return {};
}

std::vector<DimRange> rangesOf(const Sizes &sizes, const std::vector<Cut> &cuts, std::int64_t chunk)
{
    std::vector<DimRange> ranges(cuts.size());
    for (std::size_t i = cuts.size(); i-- > 0;) {
        const std::int64_t n = sizes[static_cast<std::size_t>(cuts[i].dim)];
        const std::int64_t step = roundedUp(n, cuts[i].parts);
        const std::int64_t begin = chunk % cuts[i].parts * step;
        ranges[i] = {cuts[i].dim, begin, std::min(begin + step, n)};
        chunk /= cuts[i].parts;
    }
    return ranges;
}

Sizes pieceSizes(Sizes sizes, const std::vector<Cut> &cuts, std::int64_t chunk)
{
    for (const DimRange &range : rangesOf(sizes, cuts, chunk))
        sizes[static_cast<std::size_t>(range.dim)] = range.end - range.begin;
    return sizes;
}

std::vector<std::int64_t> pieceStarts(const Sizes &sizes, int d, std::int64_t k)
{
    const auto cuts = cutsOf(sizes, d, k);
    if (!cuts) return {};
    std::vector<std::int64_t> elements(sizes.size() + 1, 1); // elements in one step along each dim
    for (std::size_t dim = sizes.size(); dim-- > 0;)
        elements[dim] = elements[dim + 1] * sizes[dim];
    std::vector<std::int64_t> starts;
    for (std::int64_t chunk = 0; chunk < k; ++chunk) {
        std::int64_t start = 0;
        for (const DimRange &range : rangesOf(sizes, *cuts, chunk))
            start += range.begin * elements[static_cast<std::size_t>(range.dim) + 1];
        starts.push_back(start);
    }
    return starts;
}

} // namespace remat
