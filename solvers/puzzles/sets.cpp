// SPDX-License-Identifier: Apache-2.0
#include "solvers/puzzles/sets.h"

#include <algorithm>
#include <cmath>

namespace remat {

namespace {

/// In falling size, a set that just reaches the bytes with its last member could miss none of them.
struct Chooser {
    const std::vector<std::int64_t> &bytes;
    const std::function<bool(const PuzzleSet &)> &work;
    std::vector<std::size_t> order;
    std::vector<std::int64_t> after; ///< bytes of this one and all smaller ones

    bool choose(std::size_t i, const PuzzleSet &chosen, std::int64_t left) const
    {
        if (left <= 0) return work(chosen);
        if (after[i] < left) return true;
        PuzzleSet with = chosen;
        with.add(order[i]);
        return choose(i + 1, with, left - bytes[order[i]]) && choose(i + 1, chosen, left);
    }
};

} // namespace

PuzzleSets::PuzzleSets(const Puzzle &puzzle)
    : m_bytes(puzzle.graph.storages.size()), m_readers(puzzle.graph.storages.size())
{
    const Graph &graph = puzzle.graph;
    for (std::size_t s = 0; s < graph.storages.size(); ++s) {
        m_bytes[s] = graph.storages[s].bytes;
        if (!graph.planned(StorageId(s))) continue;
        if (graph.storages[s].isOutput) m_results.add(s);
        m_latestFirst.push_back(s);
    }
    m_largestFirst = m_latestFirst;
    std::sort(m_latestFirst.begin(), m_latestFirst.end(), [&graph](std::size_t a, std::size_t b) {
        return graph.storages[a].producer > graph.storages[b].producer;
    });
    std::stable_sort(m_largestFirst.begin(), m_largestFirst.end(),
                     [this](std::size_t a, std::size_t b) { return m_bytes[a] > m_bytes[b]; });
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        Row row;
        for (const StorageId input : graph.ops[i].inputs)
            if (graph.planned(input)) {
                row.reads.add(input.index());
                m_readers[input.index()] |= std::uint64_t(1) << i;
            }
        for (const StorageId output : graph.ops[i].outputs)
            row.makes.add(output.index());
        row.timePs = picoseconds(puzzle.costs.timeUs[i]);
        row.makingBytes = bytes(row.makes) + puzzle.costs.workspaceBytes[i];
        m_ops.push_back(row);
        if (graph.ops[i].computeOnce) m_must |= std::uint64_t(1) << i;
        if (graph.ops[i].computeOnce || !puzzle.rules.again) m_once |= std::uint64_t(1) << i;
    }
}

std::int64_t PuzzleSets::picoseconds(double us)
{
    return std::llround(us * 1e6);
}

std::int64_t PuzzleSets::bytes(const PuzzleSet &storages) const
{
    std::int64_t sum = 0;
    storages.each([&](std::size_t s) { sum += m_bytes[s]; });
    return sum;
}

std::int64_t PuzzleSets::restPs(const PuzzleSet &have, std::uint64_t spent) const
{
    PuzzleSet need = m_results - have;
    std::int64_t sum = 0;
    for (std::size_t op = m_ops.size(); op-- > 0;) {
        const bool isSpent = (spent >> op & 1U) != 0;
        if ((m_ops[op].makes & need).empty() && ((m_must >> op & 1U) == 0 || isSpent)) continue;
        if (isSpent) return -1;
        sum += m_ops[op].timePs;
        need = need | (m_ops[op].reads - have);
    }
    return sum;
}

PuzzleSets::Needs PuzzleSets::needs(const PuzzleSet &held, std::uint64_t spent) const
{
    Needs needs{0, m_results - held};
    for (std::size_t op = m_ops.size(); op-- > 0;) {
        const bool must = (m_must & ~spent & std::uint64_t(1) << op) != 0;
        if (((m_ops[op].makes & needs.storages).empty() && !must) || (spent >> op & 1U) != 0) continue;
        needs.ops |= std::uint64_t(1) << op;
        needs.storages = needs.storages | m_ops[op].reads;
    }
    return needs;
}

std::uint64_t PuzzleSets::useful(const PuzzleSet &held, std::uint64_t spent) const
{
    const Needs needed = needs(held, spent);
    std::uint64_t result = 0;
    for (std::size_t op = 0; op < m_ops.size(); ++op) {
        const std::uint64_t bit = std::uint64_t(1) << op;
        const bool must = (m_must & ~spent & bit) != 0;
        if ((needed.ops & bit) != 0 && (must || !((m_ops[op].makes & needed.storages) - held).empty())) result |= bit;
    }
    return result;
}

void PuzzleSets::dropDominated(PuzzleSet &held, std::uint64_t spent) const
{
    const Needs needed = needs(held, spent);
    std::array<PuzzleSet, 128> instead; ///< per storage: what is held that all uses of it lead to
    PuzzleSet covered;                  ///< storages for which that is so
    const PuzzleSet missing = m_results - held;
    for (const std::size_t s : m_latestFirst) {
        PuzzleSet &ends = instead[s];
        bool isCovered = !missing.has(s);
        for (std::uint64_t left = m_readers[s] & needed.ops; left != 0 && isCovered; left &= left - 1) {
            const auto op = static_cast<std::size_t>(__builtin_ctzll(left));
            if ((m_must & ~spent & std::uint64_t(1) << op) != 0) isCovered = false;
            (m_ops[op].makes & needed.storages).each([&](std::size_t made) {
                if (held.has(made)) {
                    if (!m_results.has(made)) ends.add(made);
                } else if (covered.has(made)) {
                    ends = ends | instead[made];
                } else {
                    isCovered = false;
                }
            });
        }
        if (!isCovered || bytes(ends) > m_bytes[s]) continue;
        covered.add(s);
        if (held.has(s) && !m_results.has(s)) {
            PuzzleSet one;
            one.add(s);
            held = held - one;
        }
    }
}

void PuzzleSets::eachRoom(const PuzzleSet &may, std::int64_t bytes,
                          const std::function<bool(const PuzzleSet &)> &work) const
{
    if (bytes <= 0) {
        work({});
        return;
    }
    Chooser chooser{m_bytes, work, {}, {}};
    for (const std::size_t s : m_largestFirst)
        if (may.has(s)) chooser.order.push_back(s);
    chooser.after.resize(chooser.order.size() + 1);
    for (std::size_t i = chooser.order.size(); i-- > 0;)
        chooser.after[i] = chooser.after[i + 1] + m_bytes[chooser.order[i]];
    chooser.choose(0, {}, bytes);
}

} // namespace remat
