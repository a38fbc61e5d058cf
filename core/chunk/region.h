// SPDX-License-Identifier: Apache-2.0
// Regions: whether one may run in pieces, and growing one around an op.
#pragma once

#include "core/graph/chunking.h"
#include "core/graph/program.h"

#include <unordered_map>

namespace remat {

/// Who makes and who reads each value of a program, by index of the node. Inputs of the program have no maker.
struct ValueUses {
    std::vector<NodeId> maker;
    std::vector<std::vector<NodeId>> readers;
    std::vector<char> isOutput;      ///< 1 for outputs of the program
    std::vector<std::int64_t> bytes; ///< size of the storage that the value shows; 0 for what is always there
};
ValueUses usesOf(const Program &program);

/// Nodes of one region with their modes.
using RegionNodes = std::unordered_map<NodeId, Mode>;

/// The region's nodes in `program`, which is prepared() or rewritten from it. Fails with a sentence on a node that is
/// not there, on a mode that the table does not have, and where a node would read a whole tensor, or a sum, that the
/// region itself makes in pieces.
Expected<RegionNodes> regionNodes(const Program &program, const ChunkRegion &region);

/// A region around `seed`, which runs as `mode` says: as long as a value of more than `threshold` bytes is cut at the
/// region's border, what makes and what reads it joins, where a mode fits. Views at its end that only others read leave
/// again. Empty when it grows past `mostNodes`: then it would be nearly the whole step. Deterministic.
ChunkRegion grownRegion(const Program &program, const ValueUses &uses, NodeId seed, const Mode &mode, int k,
                        std::int64_t threshold, std::size_t mostNodes = 160);

/// Whether the region adds up sums of this type in float32.
bool addsInFloat32(const ChunkRegion &region, DType type);

/// Sums of half-precision numbers from kFewestWide pieces on in float32, all others in their own type. The names may
/// be of nodes before prepared() or after.
void setUsualSums(ChunkRegion &region, const Program &program);

} // namespace remat
