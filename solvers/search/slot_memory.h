// SPDX-License-Identifier: Apache-2.0
// Memory per slot with additions over ranges, and what lies over a budget.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace remat::search {

/// One figure in bytes per slot. Blocks of 64 slots carry a common addition, their extremes and their bytes over the
/// budget, so that adding over a range costs O(range / 64) plus the blocks that lie across the budget, and the sum over
/// the budget is always at hand. Groups of 16 blocks carry their extremes, so that asking passes over whole groups.
/// Exact as long as slots × bytes stays below 2^62.
class SlotMemory
{
public:
    /// Nothing in any slot.
    SlotMemory(int slots, std::int64_t budgetBytes);
    /// So many bytes in each slot. O(slots).
    SlotMemory(const std::vector<std::int64_t> &bytes, std::int64_t budgetBytes);

    int slots() const { return m_slots; }
    std::int64_t budgetBytes() const { return m_budget; }
    /// O(slots).
    void setBudget(std::int64_t budgetBytes);

    std::int64_t at(int slot) const { return m_value[slot] + m_blocks[block(slot)].added; }
    /// Adds to slots [from, to); nothing when the range is empty.
    void add(int from, int to, std::int64_t bytes);

    /// Σ over slots of the bytes over the budget.
    std::int64_t overflow() const { return m_overflow; }
    /// Σ over slots [from, to) of what lies between the heights `low` and `high`, low ≤ high; a part of it, once that
    /// is `enough`.
    std::int64_t between(int from, int to, std::int64_t low, std::int64_t high,
                         std::int64_t enough = std::numeric_limits<std::int64_t>::max()) const;
    /// What `bytes` more in [from, to) would add to the overflow; less than that, but no less than `enough`, where it
    /// is more than enough.
    std::int64_t overflowOfMore(int from, int to, std::int64_t bytes,
                                std::int64_t enough = std::numeric_limits<std::int64_t>::max()) const
    {
        return between(from, to, m_budget - bytes, m_budget, enough);
    }
    /// What `bytes` less in [from, to) would take off the overflow.
    std::int64_t overflowOfLess(int from, int to, std::int64_t bytes) const
    {
        return between(from, to, m_budget, m_budget + bytes);
    }

    /// The highest slot, the first of several. O(slots / 64).
    int highest() const;
    std::int64_t peak() const { return m_slots > 0 ? at(highest()) : 0; }
    /// The first slot at or after `slot`, going round, that is higher than `bytes`; -1 when there is none.
    int nextAbove(int slot, std::int64_t bytes) const;

private:
    static constexpr int kBlock = 64, kGroup = 16 * kBlock;
    struct Block {
        std::int64_t added = 0; ///< on top of m_value
        std::int64_t low = 0, high = 0;
        std::int64_t overflow = 0;
    };
    struct Group {
        std::int64_t low = 0, high = 0;
    };

    static std::size_t index(int slot) { return static_cast<std::size_t>(slot); }
    static std::size_t block(int slot) { return static_cast<std::size_t>(slot) / kBlock; }
    void addToPart(std::size_t block, int from, int to, std::int64_t bytes);
    void addToSlot(int slot, std::int64_t bytes);
    void addToBlock(std::size_t block, std::int64_t bytes);
    void measure(std::size_t block);
    void measureGroup(std::size_t group);
    void setOverflow(std::size_t block, std::int64_t overflow);

    int m_slots = 0;
    std::int64_t m_budget = 0;
    std::int64_t m_overflow = 0;
    std::vector<std::int64_t> m_value; ///< padded to whole blocks with kPadding
    std::vector<Block> m_blocks;
    std::vector<Group> m_groups;
};

} // namespace remat::search
