// SPDX-License-Identifier: Apache-2.0
// A tensor in k pieces: which dims are cut, and where each piece lies.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace remat {

/// Sizes of a tensor, in elements, outermost dim first.
using Sizes = std::vector<std::int64_t>;

/// One dim that a split cuts, and into how many parts; parts of 1 are never listed.
struct Cut {
    int dim = 0;
    std::int64_t parts = 1;
    bool operator==(const Cut &) const = default;
};

/// Part of one dim: `begin` up to and without `end`.
struct DimRange {
    int dim = 0;
    std::int64_t begin = 0, end = 0;
};

/// The dims that a split into `k` pieces from dim `d` on cuts, outermost first: while a dim has fewer elements than
/// there are pieces it is taken apart into single elements, and the next dim is cut for the rest. Piece c is thus the
/// c-th of k blocks that follow each other in memory within what lies behind `d`. The last piece is smaller where k
/// does not divide the last dim that is cut. None where that is not possible, where dim `d` has one element, and for k
/// below 2.
std::optional<std::vector<Cut>> cutsOf(const Sizes &sizes, int d, std::int64_t k);

/// Where piece `chunk` lies, one range for each cut.
std::vector<DimRange> rangesOf(const Sizes &sizes, const std::vector<Cut> &cuts, std::int64_t chunk);

/// Sizes of piece `chunk`.
Sizes pieceSizes(Sizes sizes, const std::vector<Cut> &cuts, std::int64_t chunk);

/// For each piece the element at which it begins, counted from the first element behind the dims before `d`.
std::vector<std::int64_t> pieceStarts(const Sizes &sizes, int d, std::int64_t k);

} // namespace remat
