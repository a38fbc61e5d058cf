// SPDX-License-Identifier: Apache-2.0
// What a chunking is: regions of ops that run in pieces.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace remat {

/// How a tensor stands to the pieces of a region: `d` ≥ 0 is split from dim d on (see cutsOf()).
inline constexpr int kWhole = -1; ///< each piece reads, or makes, the same
inline constexpr int kSum = -2;   ///< mode of an output: the pieces' results add up to it

/// How one call runs in pieces: for each tensor it reads, in the order of tensorsRead(), and for each output, `d`,
/// kWhole or kSum.
struct Mode {
    std::vector<int> ins, outs;
    bool operator==(const Mode &) const = default;
};

/// In what the pieces of sums of half-precision numbers are added up. From kFewestWide pieces on float32 is the usual:
/// more additions would lose more than the last bit.
enum class Accumulate : std::uint8_t { SameType, Float32 };
inline constexpr int kFewestWide = 4;

/// Nodes that run in k pieces, piece by piece, and how each of them does. The names are of nodes of prepared().
struct ChunkRegion {
    int k = 0;
    Accumulate accumulate = Accumulate::SameType;
    std::map<std::string, Mode> nodes;
    bool operator==(const ChunkRegion &) const = default;
};

/// Regions in the order in which the graph is rewritten by them. Empty: the graph as it was traced.
struct Chunking {
    std::vector<ChunkRegion> regions;
    bool operator==(const Chunking &) const = default;
};

/// The most pieces that a region has; 0 without regions.
inline int mostPieces(const Chunking &chunking)
{
    int most = 0;
    for (const ChunkRegion &region : chunking.regions)
        most = std::max(most, region.k);
    return most;
}

/// What a graph in chunks was made from; no regions for a graph as it was traced.
struct ChunkedFrom {
    Chunking chunking;
    std::string fingerprint; ///< fingerprint of the graph as it was traced, with the updates that its step holds

    bool given() const { return !chunking.regions.empty(); }
};

/// Most pieces of a region.
inline constexpr int kMostChunks = 1024;

} // namespace remat
