// SPDX-License-Identifier: Apache-2.0
// Lower sets of the forward pass: sets of nodes that hold everything their nodes read.
#pragma once

#include "solvers/kusumoto/forward_dag.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace remat::kusumoto {

/// A set of nodes, a bit each.
using NodeSet = std::vector<std::uint64_t>;

inline bool contains(const NodeSet &set, int node)
{
    return (set[static_cast<std::size_t>(node) / 64] >> (static_cast<unsigned>(node) % 64U) & 1U) != 0;
}

/// Every lower set, from the empty one to all nodes, smaller ones first; none when there are more than `atMost` of them
/// or `stop` says so. O(sets × nodes).
std::optional<std::vector<NodeSet>> allLowerSets(const ForwardDag &dag, std::size_t atMost,
                                                 const std::function<bool()> &stop);

/// The empty one, for each node what it is made from and itself, and all nodes; without twins, smaller ones first.
std::vector<NodeSet> closures(const ForwardDag &dag);

} // namespace remat::kusumoto
