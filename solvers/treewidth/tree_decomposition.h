// SPDX-License-Identifier: Apache-2.0
// Tree decompositions of undirected graphs by elimination of nodes.
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace remat::separators {

/// A tree with a bag of nodes at each of its nodes: every edge of the graph lies in a bag, and the bags of a node are a
/// connected part of the tree. Here the tree has a node for each node of the graph, the one eliminated there.
struct TreeDecomposition {
    std::vector<std::vector<int>> bags; ///< per node: itself and its neighbours at its elimination
    std::vector<int> parent;            ///< per node; -1 at the roots, one for each part of the graph
    int width = 0;                      ///< nodes of the largest bag, less one
};

/// Which node goes next.
enum class Elimination {
    MinDegree, ///< one with the fewest neighbours
    MinFill    ///< one whose neighbours lack the fewest edges among each other
};

/// `neighbours` without twins and loops, both ways round. Of several equally good nodes the one with the smallest
/// number goes first. None when stopped. About O(n × width²), and O(n × width³) for MinFill.
std::optional<TreeDecomposition> decompose(const std::vector<std::vector<int>> &neighbours, Elimination elimination,
                                           const std::function<bool()> &stop);

} // namespace remat::separators
