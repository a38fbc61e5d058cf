// SPDX-License-Identifier: Apache-2.0
#include "solvers/puzzles/arena.h"

#include <algorithm>

namespace remat {

std::size_t PuzzleArena::hash(const std::uint64_t *row) const
{
    std::uint64_t sum = 0x9e3779b97f4a7c15ULL;
    for (std::size_t i = 0; i < m_words; ++i) {
        sum ^= row[i];
        sum *= 0xff51afd7ed558ccdULL; // MurmurHash3's finalizer, word by word
        sum ^= sum >> 32U;
    }
    return sum;
}

void PuzzleArena::grow()
{
    m_slots.assign(m_slots.size() * 2, kNone);
    for (std::size_t i = 0; i < m_count; ++i) {
        std::size_t slot = hash(at(i)) & (m_slots.size() - 1);
        while (m_slots[slot] != kNone)
            slot = (slot + 1) & (m_slots.size() - 1);
        m_slots[slot] = static_cast<std::uint32_t>(i);
    }
}

std::pair<std::size_t, bool> PuzzleArena::put(const std::vector<std::uint64_t> &row)
{
    std::size_t slot = hash(row.data()) & (m_slots.size() - 1);
    for (; m_slots[slot] != kNone; slot = (slot + 1) & (m_slots.size() - 1))
        if (std::equal(row.begin(), row.end(), at(m_slots[slot]))) return {m_slots[slot], false};
    m_slots[slot] = static_cast<std::uint32_t>(m_count);
    m_rows.insert(m_rows.end(), row.begin(), row.end());
    ++m_count;
    if (m_count * 2 > m_slots.size()) grow();
    return {m_count - 1, true};
}

} // namespace remat
