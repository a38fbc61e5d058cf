// SPDX-License-Identifier: Apache-2.0
// A digest of what a set of ops looks like from inside: independent of names and of where in the graph it stands.
#pragma once

#include "core/clusters/cluster_tree.h"

#include <bit>
#include <cstdint>
#include <string_view>

namespace remat {

/// Order-dependent 64-bit mix of words (the finalizer of SplitMix64).
class StructureHash
{
public:
    void add(std::uint64_t word)
    {
        std::uint64_t x = (m_state ^ word) + 0x9e3779b97f4a7c15ULL;
        x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
        m_state = x ^ (x >> 31U);
    }
    void add(std::int64_t number) { add(static_cast<std::uint64_t>(number)); }
    void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
    void add(std::string_view text)
    {
        add(static_cast<std::uint64_t>(text.size()));
        for (const char c : text)
            add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    }
    std::uint64_t value() const { return m_state; }

private:
    std::uint64_t m_state = 0x243f6a8885a308d3ULL;
};

/// Gives the storages of one set of ops numbers in the order in which they are first met, so that two sets which are
/// wired alike get the same numbers. Reused for many sets of one graph without clearing: O(ops of the set) each.
class RelativeNumbers
{
public:
    explicit RelativeNumbers(const Graph &graph) : m_number(graph.storages.size(), 0), m_set(graph.storages.size(), 0)
    {
    }

    void startSet()
    {
        ++m_current;
        m_count = 0;
    }
    /// The storage's number in the current set; `isNew` says whether it was met just now.
    std::uint64_t operator()(StorageId storage, bool &isNew)
    {
        isNew = m_set[storage.index()] != m_current;
        if (isNew) {
            m_set[storage.index()] = m_current;
            m_number[storage.index()] = m_count++;
        }
        return m_number[storage.index()];
    }

private:
    std::vector<std::uint32_t> m_number, m_set;
    std::uint32_t m_current = 0, m_count = 0;
};

/// Adds one op: kind, phase, flags, the numbers of what it reads and makes, bytes of what it makes and of what comes
/// from outside the set, and of the latter whether it is resident.
void addOp(StructureHash &hash, const Graph &graph, const Op &op, RelativeNumbers &numbers);

/// Fills `representative` and `copies` of every cluster from `structure` and `parent`.
void linkCopies(ClusterTree &tree);

} // namespace remat
