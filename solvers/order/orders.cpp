// SPDX-License-Identifier: Apache-2.0
#include "solvers/order/orders.h"

#include <algorithm>

namespace remat {

namespace {

/// Makes and uses at most this share of all bytes of the graph.
constexpr std::int64_t kTinyShare = 100'000;

} // namespace

std::vector<OpId> givenOrder(const Graph &graph)
{
    std::vector<OpId> order;
    order.reserve(graph.ops.size());
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        order.emplace_back(i);
    return order;
}

std::vector<OpId> withSlotsAtEnd(const Graph &graph, const std::vector<OpId> &order)
{
    std::int64_t total = 0;
    for (const Storage &storage : graph.storages)
        total += isResident(storage.kind) ? 0 : storage.bytes;
    const Precedence precedence = precedenceOf(graph);
    std::vector<OpId> result;
    result.reserve(order.size());
    std::vector<OpId> last;
    for (const OpId id : order) {
        const Op &op = graph.op(id);
        std::int64_t made = 0;
        for (const StorageId output : op.outputs)
            made += graph.storage(output).bytes;
        const bool readsPlanned =
            std::any_of(op.inputs.begin(), op.inputs.end(), [&](StorageId input) { return graph.planned(input); });
        const bool isSlot = !readsPlanned && precedence.after[id.index()].empty() && made <= total / kTinyShare;
        (isSlot ? last : result).push_back(id);
    }
    result.insert(result.end(), last.begin(), last.end());
    return result;
}

std::vector<OpId> leastOverflowOrder(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                                     const SlideLimits &limits)
{
    Schedule schedule(graph, costs, givenOrder(graph));
    slideBelow(schedule, budgetBytes, limits);
    return schedule.sequence();
}

std::vector<std::vector<OpId>> candidateOrders(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                                               const SlideLimits &limits)
{
    std::vector<std::vector<OpId>> orders;
    const auto add = [&](std::vector<OpId> order) {
        if (std::find(orders.begin(), orders.end(), order) == orders.end()) orders.push_back(std::move(order));
    };
    add(givenOrder(graph));
    add(withSlotsAtEnd(graph, orders.front()));
    const std::vector<OpId> least = leastOverflowOrder(graph, costs, budgetBytes, limits);
    add(least);
    add(withSlotsAtEnd(graph, least));
    return orders;
}

} // namespace remat
