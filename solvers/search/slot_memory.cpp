// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/slot_memory.h"

#include <algorithm>
#include <limits>

namespace remat::search {

namespace {

/// Far below everything, with room for additions.
constexpr std::int64_t kPadding = std::numeric_limits<std::int64_t>::min() / 2;

// The three loops below take most of the time of a search; on machines that have them, wider registers halve it.
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define REMAT_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define REMAT_WIDE
#endif

struct Extremes {
    std::int64_t low, high, over;
};

REMAT_WIDE Extremes extremesOf(const std::int64_t *values, std::int64_t limit)
{
    std::int64_t low = values[0], high = values[0], over = 0;
    for (int i = 0; i < 64; ++i) {
        const std::int64_t value = values[i];
        low = value < low ? value : low;
        high = value > high ? value : high;
        over += value > limit ? value - limit : 0;
    }
    return {low, high, over};
}

REMAT_WIDE std::int64_t sumOver(const std::int64_t *values, int count, std::int64_t limit)
{
    std::int64_t over = 0;
    for (int i = 0; i < count; ++i)
        over += values[i] > limit ? values[i] - limit : 0;
    return over;
}

REMAT_WIDE std::int64_t sumBetween(const std::int64_t *values, int count, std::int64_t low, std::int64_t high)
{
    std::int64_t sum = 0;
    for (int i = 0; i < count; ++i) {
        const std::int64_t value = values[i] < high ? values[i] : high;
        sum += value > low ? value - low : 0;
    }
    return sum;
}

} // namespace

SlotMemory::SlotMemory(int slots, std::int64_t budgetBytes)
    : SlotMemory(std::vector<std::int64_t>(index(slots), 0), budgetBytes)
{
}

SlotMemory::SlotMemory(const std::vector<std::int64_t> &bytes, std::int64_t budgetBytes)
    : m_slots(static_cast<int>(bytes.size())), m_budget(budgetBytes), m_value(bytes)
{
    const std::size_t blocks = (bytes.size() + kBlock - 1) / kBlock;
    m_value.resize(blocks * kBlock, kPadding);
    m_blocks.resize(blocks);
    m_groups.resize((bytes.size() + kGroup - 1) / kGroup);
    setBudget(budgetBytes);
}

void SlotMemory::setBudget(std::int64_t budgetBytes)
{
    m_budget = budgetBytes;
    for (std::size_t b = 0; b < m_blocks.size(); ++b)
        measure(b);
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        measureGroup(g);
}

void SlotMemory::setOverflow(std::size_t block, std::int64_t overflow)
{
    m_overflow += overflow - m_blocks[block].overflow;
    m_blocks[block].overflow = overflow;
}

void SlotMemory::measure(std::size_t block)
{
    Block &b = m_blocks[block];
    const Extremes found = extremesOf(&m_value[block * kBlock], m_budget - b.added);
    b.low = found.low;
    b.high = found.high;
    setOverflow(block, found.over);
}

void SlotMemory::measureGroup(std::size_t group)
{
    const std::size_t first = group * kGroup / kBlock, end = std::min(first + kGroup / kBlock, m_blocks.size());
    Group found{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
    for (std::size_t b = first; b < end; ++b) {
        found.low = std::min(found.low, m_blocks[b].low + m_blocks[b].added);
        found.high = std::max(found.high, m_blocks[b].high + m_blocks[b].added);
    }
    m_groups[group] = found;
}

void SlotMemory::addToPart(std::size_t block, int from, int to, std::int64_t bytes)
{
    for (int t = from; t < to; ++t)
        m_value[t] += bytes;
    measure(block);
}

void SlotMemory::addToSlot(int slot, std::int64_t bytes)
{
    Block &b = m_blocks[block(slot)];
    std::int64_t &value = m_value[slot];
    const std::int64_t before = value, limit = m_budget - b.added;
    value += bytes;
    if ((bytes < 0 && before == b.high) || (bytes > 0 && before == b.low)) {
        measure(block(slot));
        return;
    }
    b.high = std::max(b.high, value);
    b.low = std::min(b.low, value);
    const std::int64_t over = std::max<std::int64_t>(0, value - limit), was = std::max<std::int64_t>(0, before - limit);
    setOverflow(block(slot), b.overflow + over - was);
}

void SlotMemory::addToBlock(std::size_t block, std::int64_t bytes)
{
    Block &b = m_blocks[block];
    b.added += bytes;
    if (b.high + b.added <= m_budget) {
        setOverflow(block, 0);
    } else if (b.low + b.added >= m_budget && b.low + b.added - bytes >= m_budget) {
        setOverflow(block, b.overflow + kBlock * bytes);
    } else {
        setOverflow(block, sumOver(&m_value[block * kBlock], kBlock, m_budget - b.added));
    }
}

void SlotMemory::add(int from, int to, std::int64_t bytes)
{
    if (from >= to || bytes == 0) return;
    const std::size_t first = block(from), last = block(to - 1);
    if (to - from == 1) {
        addToSlot(from, bytes);
    } else if (first == last) {
        addToPart(first, from, to, bytes);
    } else {
        addToPart(first, from, static_cast<int>(first + 1) * kBlock, bytes);
        for (std::size_t b = first + 1; b < last; ++b)
            addToBlock(b, bytes);
        addToPart(last, static_cast<int>(last) * kBlock, to, bytes);
    }
    const std::size_t firstGroup = index(from) / kGroup, lastGroup = index(to - 1) / kGroup;
    measureGroup(firstGroup);
    for (std::size_t g = firstGroup + 1; g < lastGroup; ++g) {
        m_groups[g].low += bytes;
        m_groups[g].high += bytes;
    }
    if (lastGroup != firstGroup) measureGroup(lastGroup);
}

std::int64_t SlotMemory::between(int from, int to, std::int64_t low, std::int64_t high, std::int64_t enough) const
{
    std::int64_t sum = 0;
    while (from < to && sum < enough) {
        if (from % kGroup == 0 && to - from >= kGroup) {
            const Group &group = m_groups[index(from) / kGroup];
            if (group.low >= high || group.high <= low) {
                sum += group.low >= high ? kGroup * (high - low) : 0;
                from += kGroup;
                continue;
            }
        }
        const std::size_t b = block(from);
        const int end = std::min(to, static_cast<int>(b + 1) * kBlock);
        const std::int64_t added = m_blocks[b].added;
        if (m_blocks[b].low + added >= high)
            sum += (end - from) * (high - low);
        else if (m_blocks[b].high + added > low)
            sum += sumBetween(&m_value[from], end - from, low - added, high - added);
        from = end;
    }
    return sum;
}

int SlotMemory::highest() const
{
    const auto group = std::max_element(m_groups.begin(), m_groups.end(),
                                        [](const Group &a, const Group &b) { return a.high < b.high; });
    auto best = static_cast<std::size_t>(group - m_groups.begin()) * (kGroup / kBlock);
    const std::size_t end = std::min(best + kGroup / kBlock, m_blocks.size());
    for (std::size_t b = best + 1; b < end; ++b)
        if (m_blocks[b].high + m_blocks[b].added > m_blocks[best].high + m_blocks[best].added) best = b;
    const auto begin = m_value.begin() + static_cast<std::ptrdiff_t>(best * kBlock);
    return static_cast<int>(std::max_element(begin, begin + kBlock) - m_value.begin());
}

int SlotMemory::nextAbove(int slot, std::int64_t bytes) const
{
    const std::size_t blocks = m_blocks.size();
    const std::size_t first = block(slot);
    // The first block comes twice: from `slot` on, and at the end as a whole.
    for (std::size_t k = 0; k <= blocks; ++k) {
        const std::size_t b = (first + k) % blocks;
        const std::int64_t limit = bytes - m_blocks[b].added;
        if (m_blocks[b].high <= limit) continue;
        const std::size_t begin = k == 0 ? index(slot) : b * kBlock;
        for (std::size_t t = begin; t < (b + 1) * kBlock; ++t)
            if (m_value[t] > limit) return static_cast<int>(t);
    }
    return -1;
}

} // namespace remat::search
