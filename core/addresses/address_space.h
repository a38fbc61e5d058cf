// SPDX-License-Identifier: Apache-2.0
// Device memory as an allocator sees it: an ordered list of pieces, taken or free.
#pragma once

#include <cstdint>
#include <vector>

namespace remat {

/// One piece; pieces follow each other without gaps and two free ones never do.
struct MemoryPiece {
    static constexpr int kFree = -1;
    static constexpr int kPinned = -2; ///< taken by something that cannot be evicted: workspace, a second copy

    std::int64_t offset = 0, bytes = 0;
    int owner = kFree; ///< a storage, kFree or kPinned
};

/// Which free piece is taken: the outermost from that end, or the smallest of those that are large enough (best fit; of
/// equal ones the leftmost, at its left end).
enum class AddressEnd { Left, Right, Smallest };

/// A span of `sizeBytes` addresses. Nothing in it ever moves. O(pieces) per call.
class AddressSpace
{
public:
    explicit AddressSpace(std::int64_t sizeBytes);

    /// Takes `bytes` out of a free piece that is large enough: the outermost, counted from `end`, at that end of it.
    /// Returns the offset, or -1 when no free piece is large enough. Without bytes nothing is taken and the offset is
    /// 0.
    std::int64_t allocate(std::int64_t bytes, int owner, AddressEnd end);
    /// Frees the piece that begins at `offset` and joins it with free neighbours. Without such a taken piece nothing
    /// happens.
    void free(std::int64_t offset);

    /// Gives the taken piece that begins at `offset` to another owner. Without such a piece nothing happens.
    void setOwner(std::int64_t offset, int owner);

    const std::vector<MemoryPiece> &pieces() const { return m_pieces; }
    std::int64_t freeBytes() const { return m_freeBytes; }

private:
    /// The taken piece that begins at `offset`; the end when there is none.
    std::vector<MemoryPiece>::iterator takenAt(std::int64_t offset);

    std::vector<MemoryPiece> m_pieces;
    std::int64_t m_freeBytes = 0;
};

} // namespace remat
