// SPDX-License-Identifier: Apache-2.0
#include "core/addresses/address_space.h"

#include <algorithm>

namespace remat {

AddressSpace::AddressSpace(std::int64_t sizeBytes)
    : m_pieces{{0, sizeBytes, MemoryPiece::kFree}}, m_freeBytes(sizeBytes)
{
}

std::int64_t AddressSpace::allocate(std::int64_t bytes, int owner, AddressEnd end)
{
    if (bytes == 0) return 0;
    const auto fits = [&](const MemoryPiece &piece) {
        return piece.owner == MemoryPiece::kFree && piece.bytes >= bytes;
    };
    std::size_t at = m_pieces.size();
    if (end == AddressEnd::Left) {
        at = static_cast<std::size_t>(std::find_if(m_pieces.begin(), m_pieces.end(), fits) - m_pieces.begin());
    } else if (end == AddressEnd::Right) {
        const auto found = std::find_if(m_pieces.rbegin(), m_pieces.rend(), fits);
        if (found != m_pieces.rend()) at = static_cast<std::size_t>(m_pieces.rend() - found) - 1;
    } else {
        for (std::size_t p = 0; p < m_pieces.size(); ++p)
            if (fits(m_pieces[p]) && (at == m_pieces.size() || m_pieces[p].bytes < m_pieces[at].bytes)) at = p;
    }
    if (at == m_pieces.size()) return -1;

    m_freeBytes -= bytes;
    const MemoryPiece hole = m_pieces[at];
    if (hole.bytes == bytes) {
        m_pieces[at].owner = owner;
        return hole.offset;
    }
    const auto place = m_pieces.begin() + static_cast<std::ptrdiff_t>(at);
    if (end != AddressEnd::Right) {
        *place = {hole.offset + bytes, hole.bytes - bytes, MemoryPiece::kFree};
        m_pieces.insert(place, {hole.offset, bytes, owner});
        return hole.offset;
    }
    place->bytes -= bytes;
    m_pieces.insert(place + 1, {hole.offset + hole.bytes - bytes, bytes, owner});
    return hole.offset + hole.bytes - bytes;
}

std::vector<MemoryPiece>::iterator AddressSpace::takenAt(std::int64_t offset)
{
    const auto found = std::lower_bound(m_pieces.begin(), m_pieces.end(), offset,
                                        [](const MemoryPiece &piece, std::int64_t at) { return piece.offset < at; });
    const bool taken = found != m_pieces.end() && found->offset == offset && found->owner != MemoryPiece::kFree;
    return taken ? found : m_pieces.end();
}

void AddressSpace::setOwner(std::int64_t offset, int owner)
{
    if (const auto found = takenAt(offset); found != m_pieces.end()) found->owner = owner;
}

void AddressSpace::free(std::int64_t offset)
{
    const auto found = takenAt(offset);
    if (found == m_pieces.end()) return;
    m_freeBytes += found->bytes;
    found->owner = MemoryPiece::kFree;
    const auto at = static_cast<std::size_t>(found - m_pieces.begin());
    const auto joinWithNext = [&](std::size_t left) {
        m_pieces[left].bytes += m_pieces[left + 1].bytes;
        m_pieces.erase(m_pieces.begin() + static_cast<std::ptrdiff_t>(left) + 1);
    };
    if (at + 1 < m_pieces.size() && m_pieces[at + 1].owner == MemoryPiece::kFree) joinWithNext(at);
    if (at > 0 && m_pieces[at - 1].owner == MemoryPiece::kFree) joinWithNext(at - 1);
}

} // namespace remat
