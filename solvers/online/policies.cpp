// SPDX-License-Identifier: Apache-2.0
#include "solvers/online/policies.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

namespace remat::online {

namespace {

/// Stands for no staleness at all where costs are summed up, in µs: dear, and finite.
constexpr double kShortestStalenessUs = 1e-3;

/// The lowest score of the pool by `score`; -1 when the pool is empty.
template <class ScoreOf>
int lowest(const Runtime &runtime, ScoreOf &&score)
{
    int victim = -1;
    double best = std::numeric_limits<double>::infinity();
    for (const int s : runtime.pool()) {
        const double value = score(s);
        if (value > best) continue;
        best = value;
        victim = s;
        if (value == 0) break;
    }
    return victim;
}

/// Convolutions, matrix products and attention: what Coop calls tensors of high compute cost.
bool isDear(const Op &op)
{
    static constexpr std::array<std::string_view, 5> kDear = {"conv", "mm", "matmul", "linear", "attention"};
    return std::any_of(kDear.begin(), kDear.end(),
                       [&](std::string_view part) { return op.kind.find(part) != std::string::npos; });
}

} // namespace

bool CountingPolicy::allocate(Runtime &runtime, int op)
{
    const FlatGraph &flat = runtime.flat();
    std::int64_t wanted = flat.workspaceBytes[op];
    m_passing = wanted;
    for (const int s : flat.outputs[op]) {
        wanted += flat.bytes[s];
        if (runtime.isThere(s)) m_passing += flat.bytes[s];
    }
    while (m_used + wanted > m_budget) {
        std::vector<ScoredStorage> scores;
        const int victim = !m_story ? lowest(runtime, *m_score) : lowest(runtime, [&](int s) {
            scores.push_back({s, (*m_score)(s)});
            return scores.back().score;
        });
        if (victim < 0) return false;
        if (m_story) m_story->evicts(runtime, {op, victim, m_used, wanted, m_budget, std::move(scores)});
        // A second copy is made only of what is still there when the op runs.
        const std::vector<int> &outputs = flat.outputs[op];
        if (std::find(outputs.begin(), outputs.end(), victim) != outputs.end()) m_passing -= flat.bytes[victim];
        runtime.evict(victim);
    }
    m_used += wanted;
    return true;
}

void CountingPolicy::endOp(Runtime &, int)
{
    m_used -= m_passing;
}

bool AddressPolicy::allocate(Runtime &runtime, int op)
{
    const FlatGraph &flat = runtime.flat();
    const AddressEnd end = endFor(flat.graph->ops[op]);
    // Workspace first: nothing of this op can be evicted for it, nor it for anything.
    if (!take(runtime, flat.workspaceBytes[op], MemoryPiece::kPinned, end)) return false;
    std::vector<std::pair<int, std::int64_t>> made;
    for (const int s : flat.outputs[op]) {
        const auto before = m_before.find(s);
        if (before != m_before.end()) {
            // In place, or beside the old one, which goes when the op has ended.
            m_passing.push_back(before->second);
            m_before.erase(before);
            if (m_eviction == Eviction::Window) {
                made.emplace_back(s, m_passing.back());
                continue;
            }
        }
        if (!take(runtime, flat.bytes[s], MemoryPiece::kPinned, end)) return false;
        made.emplace_back(s, m_passing.empty() || flat.bytes[s] == 0 ? -1 : m_passing.back());
    }
    // What is still there by now was made a second time; the rest stays.
    for (const auto &[s, offset] : made) {
        if (offset < 0 || runtime.isThere(s)) continue;
        m_space.setOwner(offset, s);
        m_offsets[s] = offset;
        m_passing.erase(std::find(m_passing.begin(), m_passing.end(), offset));
    }
    return true;
}

AddressEnd AddressPolicy::endFor(const Op &op) const
{
    if (!m_partition) return AddressEnd::Smallest;
    return isDear(op) ? AddressEnd::Right : AddressEnd::Left;
}

void AddressPolicy::keepOutputs()
{
    for (const auto &[storage, offset] : m_offsets)
        m_space.setOwner(offset, MemoryPiece::kPinned);
    m_before = std::move(m_offsets);
    m_offsets.clear();
}

void AddressPolicy::endOp(Runtime &, int)
{
    for (const std::int64_t offset : m_passing)
        m_space.free(offset);
    m_passing.clear();
}

void AddressPolicy::release(Runtime &, int storage)
{
    const auto found = m_offsets.find(storage);
    if (found == m_offsets.end()) return;
    m_space.free(found->second);
    m_offsets.erase(found);
}

bool AddressPolicy::take(Runtime &runtime, std::int64_t bytes, int owner, AddressEnd end)
{
    if (bytes == 0) return true;
    std::int64_t offset = m_space.allocate(bytes, owner, end);
    if (offset < 0) recordFragmentation(bytes);
    while (offset < 0) {
        if (!makeRoom(runtime, bytes)) return false;
        offset = m_space.allocate(bytes, owner, end);
    }
    m_passing.push_back(offset);
    return true;
}

bool AddressPolicy::makeRoom(Runtime &runtime, std::int64_t bytes)
{
    return m_eviction == Eviction::Window ? evictWindow(runtime, bytes) : evictSingle(runtime);
}

bool AddressPolicy::evictSingle(Runtime &runtime)
{
    std::map<int, std::int64_t> holes; // free bytes on both sides, by storage
    if (m_eviction == Eviction::SingleWithHoles) {
        const std::vector<MemoryPiece> &pieces = m_space.pieces();
        for (std::size_t p = 0; p < pieces.size(); ++p) {
            if (pieces[p].owner < 0) continue;
            std::int64_t beside = 0;
            if (p > 0 && pieces[p - 1].owner == MemoryPiece::kFree) beside += pieces[p - 1].bytes;
            if (p + 1 < pieces.size() && pieces[p + 1].owner == MemoryPiece::kFree) beside += pieces[p + 1].bytes;
            holes[pieces[p].owner] = beside;
        }
    }
    const int victim = lowest(runtime, [&](int s) {
        const auto bytes = static_cast<double>(runtime.flat().bytes[s]);
        const auto hole = holes.find(s);
        if (hole == holes.end() || bytes == 0) return (*m_score)(s);
        return (*m_score)(s)*bytes / (bytes + static_cast<double>(hole->second));
    });
    if (victim < 0) return false;
    runtime.evict(victim);
    return true;
}

bool AddressPolicy::evictWindow(Runtime &runtime, std::int64_t bytes)
{
    const std::vector<MemoryPiece> &pieces = m_space.pieces();
    const auto cost = [&](const MemoryPiece &piece) {
        if (piece.owner == MemoryPiece::kFree) return 0.0;
        return m_score->costUs(piece.owner) / std::max(kShortestStalenessUs, runtime.stalenessUs(piece.owner));
    };
    std::vector<double> costs(pieces.size(), -1);
    std::int64_t size = 0;
    double sum = 0, best = std::numeric_limits<double>::infinity();
    std::size_t from = 0, bestFrom = 0, bestTo = 0;
    for (std::size_t to = 0; to < pieces.size(); ++to) {
        const MemoryPiece &last = pieces[to];
        if (last.owner != MemoryPiece::kFree && (last.owner < 0 || !runtime.evictable(last.owner))) {
            from = to + 1;
            size = 0;
            sum = 0;
            continue;
        }
        costs[to] = cost(last);
        size += last.bytes;
        sum += costs[to];
        while (size - pieces[from].bytes >= bytes) {
            size -= pieces[from].bytes;
            sum -= costs[from];
            ++from;
        }
        if (size >= bytes && sum < best) {
            best = sum;
            bestFrom = from;
            bestTo = to + 1;
        }
    }
    if (bestTo == 0) return false;
    std::vector<int> victims;
    for (std::size_t p = bestFrom; p < bestTo; ++p)
        if (pieces[p].owner >= 0) victims.push_back(pieces[p].owner);
    for (const int victim : victims)
        runtime.evict(victim);
    return true;
}

void AddressPolicy::recordFragmentation(std::int64_t wantedBytes)
{
    // Only what would have been enough was lost to fragmentation; less than that was simply not there.
    std::int64_t all = 0;
    for (const MemoryPiece &piece : m_space.pieces())
        all += piece.bytes;
    const double share = m_space.freeBytes() >= wantedBytes && all > 0
                             ? static_cast<double>(m_space.freeBytes()) / static_cast<double>(all)
                             : 0;
    ++m_events;
    m_sum += share;
    m_worst = std::max(m_worst, share);
}

} // namespace remat::online
