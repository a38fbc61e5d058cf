// SPDX-License-Identifier: Apache-2.0
#include "core/views/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace remat {

namespace {

constexpr double kLeastUs = 1e-6; ///< sums of the same times in another order

/// One storage, op or cluster before grouping.
struct Item {
    CompareSide a, b;
    std::vector<StorageId> storages;
    std::vector<OpId> ops;
    ClusterId block;
    int place = 0, output = 0;
    std::int64_t bytes = 0; ///< size: tells items at the same place of unlike blocks apart

    bool differs() const
    {
        return a.state != b.state || a.heldBytes != b.heldBytes || std::abs(a.recomputeUs - b.recomputeUs) > kLeastUs ||
               a.recomputations != b.recomputations;
    }
};

void add(CompareSide &sum, const CompareSide &part)
{
    sum.state = joined(sum.state, part.state);
    sum.heldBytes += part.heldBytes;
    sum.recomputeUs += part.recomputeUs;
    sum.recomputations += part.recomputations;
}

class Comparer
{
public:
    Comparer(const Graph &graph, const OpBlocks &blocks, const PlanUse &a, const PlanUse &b)
        : m_graph(graph), m_blocks(blocks), m_a(a), m_b(b)
    {
    }

    PlanComparison compare(CompareLevel level)
    {
        level == CompareLevel::Storages ? takeStorages() : level == CompareLevel::Ops ? takeOps() : takeClusters();
        return group(level);
    }

private:
    CompareSide sideOf(const PlanUse &use, StorageId storage) const
    {
        const OpId producer = m_graph.storage(storage).producer;
        CompareSide side;
        side.state = use.storageStates[storage.index()];
        side.heldBytes = use.heldBytes[storage.index()];
        if (m_graph.op(producer).outputs.front() != storage) return side;
        side.recomputeUs = use.recomputeUs[producer.index()];
        side.recomputations = use.recomputations[producer.index()];
        return side;
    }

    CompareSide sideOf(const PlanUse &use, OpId op) const
    {
        CompareSide side;
        side.state = use.opStates[op.index()];
        side.recomputeUs = use.recomputeUs[op.index()];
        side.recomputations = use.recomputations[op.index()];
        for (const StorageId output : m_graph.op(op).outputs)
            side.heldBytes += use.heldBytes[output.index()];
        return side;
    }

    void takeStorages()
    {
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            const auto &outputs = m_graph.ops[i].outputs;
            for (std::size_t output = 0; output < outputs.size(); ++output) {
                const StorageId storage = outputs[output];
                take({sideOf(m_a, storage),
                      sideOf(m_b, storage),
                      {storage},
                      {OpId(i)},
                      m_blocks.block(OpId(i)),
                      m_blocks.place(OpId(i)),
                      static_cast<int>(output),
                      m_graph.storage(storage).bytes});
            }
        }
    }

    void takeOps()
    {
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            const OpId op(i);
            take({sideOf(m_a, op),
                  sideOf(m_b, op),
                  m_graph.op(op).outputs,
                  {op},
                  m_blocks.block(op),
                  m_blocks.place(op),
                  0,
                  0});
        }
    }

    void takeClusters()
    {
        std::map<ClusterId, Item> sums;
        std::set<ClusterId> withForward;
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            const OpId op(i);
            Item &sum = sums[m_blocks.block(op)];
            sum.block = m_blocks.block(op);
            CompareSide a = sideOf(m_a, op), b = sideOf(m_b, op);
            // What the backward pass makes says nothing about how a cluster's activations are treated.
            if (m_graph.op(op).phase == Phase::Backward)
                a.state = b.state = NodeState::Freed;
            else
                withForward.insert(sum.block);
            add(sum.a, a);
            add(sum.b, b);
            sum.ops.push_back(op);
            sum.storages.insert(sum.storages.end(), m_graph.op(op).outputs.begin(), m_graph.op(op).outputs.end());
        }
        for (auto &[block, sum] : sums)
            if (!withForward.contains(block)) sum.a.state = sum.b.state = NodeState::Backward;
        for (auto &[block, sum] : sums)
            take(std::move(sum));
    }

    void take(Item item)
    {
        if (item.differs()) m_items.push_back(std::move(item));
    }

    PlanComparison group(CompareLevel level)
    {
        using Key =
            std::tuple<ClusterId, int, int, NodeState, NodeState, std::int64_t, std::int64_t, std::int64_t, int, int>;
        std::map<Key, std::vector<const Item *>> groups;
        PlanComparison result;
        for (const Item &item : m_items) {
            ++result.items;
            if (item.a.state != item.b.state) ++result.states;
            groups[{m_blocks.first(item.block), item.place, item.output, item.a.state, item.b.state, item.bytes,
                    item.a.heldBytes, item.b.heldBytes, item.a.recomputations, item.b.recomputations}]
                .push_back(&item);
        }
        for (const auto &[key, items] : groups)
            result.rows.push_back(rowOf(items, level));
        std::stable_sort(result.rows.begin(), result.rows.end(), [](const DifferenceRow &x, const DifferenceRow &y) {
            if (std::abs(x.bytes()) != std::abs(y.bytes())) return std::abs(x.bytes()) > std::abs(y.bytes());
            if (std::abs(x.timeUs()) != std::abs(y.timeUs())) return std::abs(x.timeUs()) > std::abs(y.timeUs());
            return x.ops.front() < y.ops.front();
        });
        for (const DifferenceRow &row : result.rows) {
            result.mostBytes = std::max(result.mostBytes, std::abs(row.bytes()));
            result.mostUs = std::max(result.mostUs, std::abs(row.timeUs()));
        }
        return result;
    }

    DifferenceRow rowOf(const std::vector<const Item *> &items, CompareLevel level) const
    {
        DifferenceRow row;
        std::vector<ClusterId> members;
        for (const Item *item : items) {
            add(row.a, item->a);
            add(row.b, item->b);
            row.ops.insert(row.ops.end(), item->ops.begin(), item->ops.end());
            row.storages.insert(row.storages.end(), item->storages.begin(), item->storages.end());
            members.push_back(item->block);
        }
        std::sort(members.begin(), members.end());
        row.uses = static_cast<int>(items.size());
        row.module = m_blocks.rangeOf(members);
        if (level == CompareLevel::Storages)
            row.name = m_blocks.storageName(m_graph, row.storages.front());
        else if (level == CompareLevel::Ops)
            row.name = m_blocks.opName(m_graph, row.ops.front());
        return row;
    }

    const Graph &m_graph;
    const OpBlocks &m_blocks;
    const PlanUse &m_a, &m_b;
    std::vector<Item> m_items;
};

} // namespace

PlanComparison comparePlans(const Graph &graph, const OpBlocks &blocks, const PlanUse &a, const PlanUse &b,
                            CompareLevel level)
{
    return Comparer(graph, blocks, a, b).compare(level);
}

int rowOf(const PlanComparison &comparison, CompareLevel level, const Selection &selection)
{
    const auto place = std::find_if(comparison.rows.begin(), comparison.rows.end(), [&](const DifferenceRow &row) {
        if (level == CompareLevel::Storages && selection.storage)
            return std::find(row.storages.begin(), row.storages.end(), selection.storage) != row.storages.end();
        return selection.op && std::find(row.ops.begin(), row.ops.end(), selection.op) != row.ops.end();
    });
    return place == comparison.rows.end() ? -1 : static_cast<int>(place - comparison.rows.begin());
}

} // namespace remat
