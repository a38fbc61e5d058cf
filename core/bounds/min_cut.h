// SPDX-License-Identifier: Apache-2.0
// Smallest cuts of small networks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace remat {

/// Maximum flow and minimum cut with whole-number capacities (Dinic 1970). Nodes are numbered from 0; build once, then
/// change capacities and run again as often as needed. No recursion.
class MinCut
{
public:
    static constexpr std::int64_t kInfinite = std::int64_t(1) << 60;

    explicit MinCut(std::size_t nodes) : m_first(nodes, kNone) {}

    /// Adds an edge and returns its number for `setCapacity`.
    std::size_t addEdge(std::size_t from, std::size_t to, std::int64_t capacity);
    void setCapacity(std::size_t edge, std::int64_t capacity) { m_edges[2 * edge].capacity = capacity; }

    /// Value of the minimum cut between the two nodes.
    std::int64_t run(std::size_t source, std::size_t sink);
    /// Nodes and edges looked at by all runs so far: a clock that is the same on every machine.
    std::size_t work() const { return m_work; }
    /// After `run`: the node is on the source's side of the cut with the fewest nodes there.
    bool onSourceSide(std::size_t node) const { return m_level[node] >= 0; }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    struct Edge {
        std::size_t to = 0, next = kNone;
        std::int64_t capacity = 0, left = 0;
    };
    bool findLevels(std::size_t source, std::size_t sink);
    std::int64_t augment(std::size_t source, std::size_t sink);

    std::vector<Edge> m_edges; ///< edge 2n and its reverse 2n + 1
    std::vector<std::size_t> m_first, m_current, m_queue, m_path;
    std::vector<std::int32_t> m_level;
    std::size_t m_work = 0;
};

} // namespace remat
