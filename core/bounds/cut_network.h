// SPDX-License-Identifier: Apache-2.0
// The closure problem at one cut, as a network whose minimum cuts are choices of what to keep.
#pragma once

#include "core/bounds/min_cut.h"
#include "core/bounds/needs.h"

namespace remat {

/// What is left of the budget at the first computation of t, beside what it reads, makes and works with; may be
/// negative.
std::int64_t capacityAtCut(const Graph &graph, const CostTable &costs, OpId t, std::int64_t budgetBytes);

/// A choice of what to compute again at a cut: its extra time, and the bytes that are kept then.
struct ClosureChoice {
    double lossUs = 0;
    std::int64_t bytes = 0;
    std::vector<char> again; ///< per op: 1 when it is computed again, where it is of use
};

/// Fills in time and bytes of the choice at cut t: of the ops that it picks only those count whose results are needed
/// after t, by other ops or by each other; what is needed and not made again is kept. Lists both where asked to.
/// `marks` is working memory. O(ops before t and their edges).
void weighAtCut(const Graph &graph, const CostTable &costs, const Needs &needs, OpId t, ClosureChoice &choice,
                std::vector<char> &marks, std::vector<StorageId> *kept = nullptr,
                std::vector<OpId> *recomputed = nullptr);

/// The network of one cut t: storages made before t that are needed later, apart from what t reads, hang on the source,
/// computing an op again on the sink. Build once, then try prices.
class CutNetwork
{
public:
    CutNetwork(const Graph &graph, const CostTable &costs, const Needs &needs, OpId t, std::int64_t capacityBytes);

    std::size_t work() const { return m_network.work(); }

    /// The minimum cut when memory costs `usPerByte`: what that proves about the extra time, and the choice it stands
    /// for, not weighed yet.
    double at(double usPerByte, std::vector<char> &again);

private:
    static constexpr std::size_t kSource = 0, kSink = 1;
    struct Item {
        StorageId storage;
        std::size_t edge = 0;
    };

    std::size_t storageNode(StorageId storage) const { return 2 + storage.index(); }
    std::size_t opNode(OpId op) const { return 2 + m_graph.storages.size() + op.index(); }
    std::int64_t units(double us) const;
    void demand(StorageId storage);
    void followDemands();

    const Graph &m_graph;
    const CostTable &m_costs;
    std::int64_t m_capacity = 0;
    double m_unitsPerUs = 1;
    MinCut m_network;
    std::vector<char> m_seen, m_opSeen;
    std::vector<Item> m_items;
    std::vector<OpId> m_ops;
};

} // namespace remat
