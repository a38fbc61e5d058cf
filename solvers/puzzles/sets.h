// SPDX-License-Identifier: Apache-2.0
// A puzzle's graph as sets of bits, for searches that ask about millions of positions.
#pragma once

#include "core/teaching/puzzles/puzzle.h"

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

namespace remat {

/// Up to 128 storages.
struct PuzzleSet {
    std::uint64_t low = 0, high = 0;

    bool has(std::size_t i) const { return ((i < 64 ? low >> i : high >> (i - 64)) & 1U) != 0; }
    void add(std::size_t i) { (i < 64 ? low : high) |= std::uint64_t(1) << (i % 64); }
    bool empty() const { return (low | high) == 0; }
    PuzzleSet operator|(const PuzzleSet &other) const { return {low | other.low, high | other.high}; }
    PuzzleSet operator&(const PuzzleSet &other) const { return {low & other.low, high & other.high}; }
    PuzzleSet operator-(const PuzzleSet &other) const { return {low & ~other.low, high & ~other.high}; }
    bool operator==(const PuzzleSet &) const = default;

    /// Calls `work` with each index, ascending.
    template <class Work>
    void each(Work work) const
    {
        for (std::uint64_t left = low; left != 0; left &= left - 1)
            work(static_cast<std::size_t>(__builtin_ctzll(left)));
        for (std::uint64_t left = high; left != 0; left &= left - 1)
            work(64 + static_cast<std::size_t>(__builtin_ctzll(left)));
    }
};

/// What a search asks of a puzzle. Sets of storages hold planned ones only; sets of ops are bits. Immutable.
class PuzzleSets
{
public:
    explicit PuzzleSets(const Puzzle &puzzle);

    static std::int64_t picoseconds(double us);

    std::size_t ops() const { return m_ops.size(); }
    const PuzzleSet &reads(std::size_t op) const { return m_ops[op].reads; }
    const PuzzleSet &makes(std::size_t op) const { return m_ops[op].makes; }
    std::int64_t timePs(std::size_t op) const { return m_ops[op].timePs; }
    std::int64_t making(std::size_t op) const { return m_ops[op].makingBytes; } ///< what it makes and works with
    bool once(std::size_t op) const { return (m_once >> op & 1U) != 0; }
    const PuzzleSet &results() const { return m_results; }
    std::int64_t bytes(std::size_t storage) const { return m_bytes[storage]; }
    std::int64_t bytes(const PuzzleSet &storages) const;

    /// Whether every op that must be computed once was. `spent`: ops that were computed and may not be again.
    bool onceDone(std::uint64_t spent) const { return (m_must & ~spent) == 0; }
    /// The least time that must follow where `have` is there: of every op that the results still need, once. Negative
    /// where a result cannot be reached any more. O(ops).
    std::int64_t restPs(const PuzzleSet &have, std::uint64_t spent) const;
    /// The ops that could be of use: not all that they make and that is of use is held. O(ops).
    std::uint64_t useful(const PuzzleSet &held, std::uint64_t spent) const;
    /// Storages that could be of use: what those ops and the ones behind them read, and the missing results. O(ops).
    PuzzleSet usefulStorages(const PuzzleSet &held, std::uint64_t spent) const { return needs(held, spent).storages; }
    /// Takes from `held` what nobody can gain by holding: all that could ever be made from it is held, or made from
    /// what is no larger than it. O(ops × degree).
    void dropDominated(PuzzleSet &held, std::uint64_t spent) const;
    /// Calls `work` with each smallest subset of `may` that has at least `bytes`; ends where it returns false.
    void eachRoom(const PuzzleSet &may, std::int64_t bytes, const std::function<bool(const PuzzleSet &)> &work) const;

private:
    struct Row {
        PuzzleSet reads, makes;
        std::int64_t timePs = 0, makingBytes = 0;
    };
    /// Ops that the missing results could need, whatever is held; and what those read.
    struct Needs {
        std::uint64_t ops = 0;
        PuzzleSet storages; ///< with the missing results
    };
    Needs needs(const PuzzleSet &held, std::uint64_t spent) const;

    std::vector<Row> m_ops;
    std::vector<std::int64_t> m_bytes;      ///< per storage
    std::vector<std::uint64_t> m_readers;   ///< per storage, ops
    std::vector<std::size_t> m_latestFirst; ///< planned storages, the last made first
    std::vector<std::size_t> m_largestFirst;
    PuzzleSet m_results;
    std::uint64_t m_once = 0; ///< may be computed once only
    std::uint64_t m_must = 0; ///< and must be
};

} // namespace remat
