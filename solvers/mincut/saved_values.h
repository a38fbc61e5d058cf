// SPDX-License-Identifier: Apache-2.0
// One cut of PyTorch's partitioner: which values the forward pass saves for the backward pass.
#pragma once

#include "core/base/expected.h"
#include "core/bounds/min_cut.h"
#include "solvers/mincut/bans.h"

#include <vector>

namespace remat::mincut {

/// The network of `solve_min_cut` for one set of bans. Each node is an edge that weighs its bytes, more the farther it
/// is from the backward pass; what may not be recomputed hangs on the source, what the backward pass reads on the sink,
/// and of the smallest cuts the one nearest to the backward pass is taken. Copy it to cut on several threads.
class SavedValues
{
public:
    /// Fails when the sizes are too large to be added up, or when something needed can be neither saved nor recomputed.
    static Expected<SavedValues> make(const FxGraph &graph, const Bans &bans);

    /// Nodes that no recomputation may pass, in the order the rules find them.
    const std::vector<int> &banned() const { return m_banned; }

    /// The nodes saved, ascending, when those of `allowed` may be recomputed after all; banned ones, no collectives.
    std::vector<int> cut(const std::vector<int> &allowed = {});

private:
    explicit SavedValues(const FxGraph &graph);

    Expected<void> addEdges();
    void addEdge(std::size_t from, std::size_t to, std::int64_t capacity);
    bool hasEndlessPath() const;
    std::size_t in(int node) const { return 2 * static_cast<std::size_t>(node); }
    std::size_t out(int node) const { return in(node) + 1; }

    int m_nodes = 0;
    std::size_t m_source = 0, m_sink = 0;
    MinCut m_network; ///< turned round, so that the cut nearest to the sink is the one it finds
    std::vector<std::vector<std::size_t>> m_endless; ///< edges that no cut can pass
    std::vector<char> m_isEdge;                      ///< per node: it may be saved
    std::vector<int> m_banned;
    std::vector<std::size_t> m_banEdges; ///< edges of the banned nodes, by node
    const FxGraph *m_graph = nullptr;
};

} // namespace remat::mincut
