// SPDX-License-Identifier: Apache-2.0
// Packed positions, each once, with numbers in the order in which they came.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace remat {

/// A hash table of rows of `words` words.
class PuzzleArena
{
public:
    explicit PuzzleArena(std::size_t words) : m_words(words), m_slots(1024, kNone) {}

    /// The number of a row, and whether it is new. O(words).
    std::pair<std::size_t, bool> put(const std::vector<std::uint64_t> &row);
    const std::uint64_t *at(std::size_t number) const { return m_rows.data() + number * m_words; }
    std::int64_t size() const { return static_cast<std::int64_t>(m_count); }

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;
    std::size_t hash(const std::uint64_t *row) const;
    void grow();

    std::size_t m_words, m_count = 0;
    std::vector<std::uint64_t> m_rows;
    std::vector<std::uint32_t> m_slots; ///< a power of two, at most half full
};

} // namespace remat
